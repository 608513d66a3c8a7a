#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lessons, their solutions and the exercises of a course: all commands run as they stand, and what the pages quote is what the
# program says, number by number.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$WEFT" "$work/bin/weft"
# Ranks share cores; where no MPI is built, the command of the page runs on one process.
cat >"$work/bin/mpirun" <<END
#!/usr/bin/env bash
for kind in openmpi mpich; do
    command -v mpirun.\$kind >/dev/null && [[ -f $WEFT_BUILD/interweft-mpi-\$kind.so ]] || continue
    flags=()
    [[ \$kind == mpich ]] || flags=(--quiet --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
    exec env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.\$kind "\${flags[@]}" "\$@"
done
shift 2
exec "\$@"
END
chmod +x "$work/bin/mpirun"
export PATH=$work/bin:$PATH C_INCLUDE_PATH=$WEFT_SOURCE/include INTERWEFT_EXAMPLES=$WEFT_SOURCE/examples TMPDIR=$work
cd "$WEFT_SOURCE"
tools/quotes docs/tutorial/[1-8]-*.md docs/tutorial/exercises.md docs/tutorial/course.md docs/howto/{caminos,supersim,sst,htsim}.md
# What is not said is found.
# shellcheck disable=SC2016
printf '```sh\necho one\n```\n```\ntwo\n```\n' >"$work/page.md"
! tools/quotes "$work/page.md" >"$work/said" || { echo 'a wrong quotation passes'; exit 1; }
grep -q "page.md:5: not said by the commands above: two" "$work/said"
# The gallery: all scenarios run, shorter than for their pictures, and are drawn as the page says.
cd "$work"
cp "$WEFT_SOURCE"/examples/09-gallery/*.yaml .
for file in *.yaml; do
    name=${file%.yaml}
    limit=(measure.limit.packets=4000)
    [[ $name == allreduce ]] && limit=()
    weft run "$file" --quiet "${limit[@]}" >"$name.txt" 2>"$name.err" || { cat "$name.err"; exit 1; }
    how=$(sed -n "s/^\[$name.yaml\].*, \`\(.*\)\`$/\1/p" "$WEFT_SOURCE/docs/gallery.md")
    # shellcheck disable=SC2086
    weft report "$name.weft" --svg "$name.svg" $how >"$name.txt" || exit 1
    [[ -s $name.svg && -s $WEFT_SOURCE/docs/images/gallery-$name.svg ]] || { echo "$name: no picture"; exit 1; }
done
