#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command of these pages of docs/howto runs in an empty directory and prints, line for line, what the page shows. The
# scenarios of virtual-channels.md are those of examples/02-virtual-channels, and so is its table.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

follow topologies 20
follow ts 6
follow models 15
[[ -s models/cut.svg && $(wc -l <models/credit.csv) -eq 6 ]] || fail 'models.md: a file is missing'
follow quality-of-service 116
[[ -s quality-of-service/incast.html && $(wc -l <quality-of-service/rates.txt) -eq 800 ]] || fail 'quality-of-service.md: a file is missing'
follow compare 12
[[ -s compare/both.svg ]] || fail 'compare.md: no picture'
follow crossbar 12
follow booksim 33
follow programs 30
follow your-fabric 50 06-your-fabric
cmp your-fabric/engines.svg "$WEFT_SOURCE/docs/images/your-fabric-engines.svg"
cmp your-fabric/what-if.svg "$WEFT_SOURCE/docs/images/your-fabric-what-if.svg"
follow virtual-channels 25
example=$WEFT_SOURCE/examples/02-virtual-channels
cmp virtual-channels/vcs.yaml "$example/vcs.yaml"
cmp virtual-channels/channels.yaml "$example/channels.yaml"
awk '/^How many virtual channels/ { on = 1 } on { print } /^  8   0\.7 / { exit }' out |
    diff - "$example/expected.txt" || fail 'the table is not the one of the example'
