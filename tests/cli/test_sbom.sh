#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The list of what a build is made of (tools/sbom): required fields of SPDX 2.3, every linked library with version and licence,
# every package of npm pinned by a hash; the same bytes twice. A lock file without a hash is refused, and so is a package
# whose bytes have another hash.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo 'skipped: needs python3'; exit 77; }

run 0 "$WEFT_SOURCE/tools/sbom" "$WEFT_BUILD" one.json
run 0 "$WEFT_SOURCE/tools/sbom" "$WEFT_BUILD" two.json
cmp one.json two.json || fail 'two lists of one build differ'

# What the specification requires, clauses 6 to 11, and what we promise besides.
cat >judge.py <<'END_OF_PYTHON'
import hashlib, json, pathlib, re, sys

build = pathlib.Path(sys.argv[2])
lock = json.loads(pathlib.Path(sys.argv[3]).read_text())
d = json.loads(pathlib.Path(sys.argv[1]).read_text())
assert d["spdxVersion"] == "SPDX-2.3" and d["dataLicense"] == "CC0-1.0" and d["SPDXID"] == "SPDXRef-DOCUMENT"
assert re.fullmatch(r"https://[^#\s]+", d["documentNamespace"]) and d["name"]
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", d["creationInfo"]["created"])
assert all(re.match(r"(Person|Organization|Tool): \S", c) for c in d["creationInfo"]["creators"])
ids = {"SPDXRef-DOCUMENT"}
for p in d["packages"] + d["files"]:
    assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", p["SPDXID"]) and p["SPDXID"] not in ids, p
    ids.add(p["SPDXID"])
by_name = {p["name"]: p for p in d["packages"]}
for p in d["packages"]:
    assert p["name"] and p["downloadLocation"] and p["filesAnalyzed"] is False and p["copyrightText"], p
    assert p["licenseDeclared"] and p["licenseConcluded"], p
    for ref in p.get("externalRefs", []):
        assert re.fullmatch(r"pkg:(deb|npm)/\S+@\S+", ref["referenceLocator"]), ref
for f in d["files"]:
    sums = {c["algorithm"]: c["checksumValue"] for c in f["checksums"]}
    data = (build / f["fileName"]).read_bytes()
    assert sums["SHA1"] == hashlib.sha1(data).hexdigest() and sums["SHA256"] == hashlib.sha256(data).hexdigest(), f
kinds = {"DESCRIBES", "DYNAMIC_LINK", "CONTAINS", "GENERATED_FROM", "BUILD_TOOL_OF"}
for r in d["relationships"]:
    assert r["relationshipType"] in kinds and r["spdxElementId"] in ids and r["relatedSpdxElement"] in ids, r
assert any(r["relationshipType"] == "DESCRIBES" for r in d["relationships"])
linked = {r["relatedSpdxElement"] for r in d["relationships"] if r["relationshipType"] == "DYNAMIC_LINK"}
for p in d["packages"]:
    if p["SPDXID"] in linked:
        assert p["licenseDeclared"] != "NOASSERTION", p
        assert p["versionInfo"] != "NOASSERTION" or not pathlib.Path("/var/lib/dpkg/status").exists(), p
assert len(linked) >= 4, linked
npm = [p for p in d["packages"] if p["SPDXID"].startswith("SPDXRef-npm-")]
if (build / "report/head.html").exists():
    assert len(npm) == len(lock["packages"]) - 1 and "d3" in by_name and "@observablehq/plot" in by_name
for p in npm:
    assert p["checksums"][0]["algorithm"] == "SHA512" and len(p["checksums"][0]["checksumValue"]) == 128, p
    assert p["licenseDeclared"] in ("ISC", "MIT", "BSD-3-Clause", "Unlicense", "Apache-2.0"), p
    assert re.fullmatch(r"\d+\.\d+\.\d+", p["versionInfo"]), p
print(len(d["packages"]) - len(npm), "packages,", len(npm), "of npm,", len(d["files"]), "files")
END_OF_PYTHON
run 0 python3 judge.py one.json "$WEFT_BUILD" "$WEFT_SOURCE/report/package-lock.json"
cat out
# The judge sees what is missing.
sed 's/"versionInfo": "[0-9][^"]*"/"versionInfo": "NOASSERTION"/' one.json >bad.json
run 1 python3 judge.py bad.json "$WEFT_BUILD" "$WEFT_SOURCE/report/package-lock.json"

# Wanted exactly, pinned by hash, from no address of one registry's.
lock=$WEFT_SOURCE/report/package-lock.json
! grep -E '"(d3|@observablehq/plot)": "[^0-9]' "$WEFT_SOURCE/report/package.json" || fail 'package.json wants a range of versions'
[[ $(grep -c '"version":' "$lock") -eq $(grep -c '"integrity": "sha512-' "$lock") ]] || fail 'a package of npm has no hash'
! grep '"resolved"' "$lock" || fail 'the lock file names a registry'
mkdir -p tree/tools tree/report tree/include/interweft
cp "$WEFT_SOURCE"/tools/{sbom,licences.txt} tree/tools/
cp "$WEFT_SOURCE/include/interweft/version.h" tree/include/interweft/
sed '0,/"integrity"/{/"integrity"/d}' "$lock" >tree/report/package-lock.json
if [[ -s $WEFT_BUILD/report/head.html ]]; then
    run 1 tree/tools/sbom "$WEFT_BUILD"
    has err 'has no sha512 or no licence of @observablehq/plot'
fi

# npm refuses other bytes than those pinned; asked only where it has the right ones at hand.
command -v npm >/dev/null && [[ -s $WEFT_BUILD/report/head.html ]] || exit 0
mkdir pinned
cp "$WEFT_SOURCE"/report/package.json "$lock" pinned/
cd pinned || exit 1
flags=(--ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=0)
if timeout 60 npm ci "${flags[@]}" >out 2>&1; then
    rm -rf node_modules
    sed -i '/node_modules\/isoformat"/,/integrity/s|sha512-....|sha512-AAAA|' package-lock.json
    ! cmp -s package-lock.json "$lock" || fail 'isoformat is not in the lock file'
    status=0
    timeout 60 npm ci "${flags[@]}" >out 2>&1 || status=$?
    [[ $status -ne 0 ]] || fail 'npm takes bytes that have another hash'
    has out EINTEGRITY
    echo 'npm refuses a package with another hash'
else
    echo 'left out: npm cannot reach a registry'
fi
