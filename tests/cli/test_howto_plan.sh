#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page "Choosing a fabric": its commands run, print the lines that it shows, and draw its picture.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
export COLUMNS=80
page=choosing-a-fabric
follow $page 20
cmp $page/front.svg "$WEFT_SOURCE/docs/images/$page.svg" || fail 'the picture of the page is another one'
for file in machine.html machine.csv candidates/fat-tree-3-levels-1t1.yaml; do
    [[ -s $page/$file ]] || fail "there is no $file"
done
has out 'deadlock               none possible'
