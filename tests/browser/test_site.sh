#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The documentation site: built by one command, every link leads somewhere, search works without a network.
# Screenshots are left in <build>/tests/browser-pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/browser/lib.sh"
if ! command -v cmark-gfm >/dev/null; then
    echo 'skipped: cmark-gfm is needed (Debian: cmark-gfm)'
    exit 77
fi
run 0 "$WEFT_SOURCE/tools/site" "$PWD/site"
has out ', 0 problems'
# Nothing is asked of another machine.
if grep -rlE '(src|href)="https?://' site --include='*.html' | xargs -r grep -lE '<(script|link|img)[^>]*"https?://'; then
    echo 'a page asks another machine'
    exit 1
fi
browse site.mjs "$PWD/site" "$WEFT_BUILD/tests/browser-pictures"
# A dead link is found and named.
mkdir -p copy/docs
cp -r "$WEFT_SOURCE/site" "$WEFT_SOURCE/CMakeLists.txt" "$WEFT_SOURCE/CHANGELOG.md" copy/
printf '# Title\n[dead](docs/nowhere.md), [no heading](docs/page.md#missing)\n' >copy/README.md
printf '# Page\n## Here\n' >copy/docs/page.md
run 1 node copy/site/build.mjs "$PWD/broken"
has err 'README.md: link to docs/nowhere.md, which is not there'
has err 'README.md: link to docs/page.md#missing, which has no such heading'
