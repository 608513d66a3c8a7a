#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page "Choosing a fabric": its commands run, print the lines that it shows, and draw its picture.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
export COLUMNS=80
follow choosing-a-fabric 20
cd choosing-a-fabric
cmp front.svg "$WEFT_SOURCE/docs/images/choosing-a-fabric.svg" || fail 'the picture of the page is another one'
[[ -s machine.html && -s machine.csv && -s candidates/fat-tree-3-levels-1t1.yaml ]] || fail 'a file is missing'
has ../out 'deadlock               none possible'
