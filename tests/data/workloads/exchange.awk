# SPDX-License-Identifier: Apache-2.0
# A program in GOAL: -v ranks=32 -v steps=40. In every step a rank sends to one and receives from another,
# at distances that change, and calculates once both are there.
BEGIN {
    split("64 1000 4096 300", size, " ")
    print "num_ranks " ranks "\n"
    for (r = 0; r < ranks; r++) {
        print "rank " r " {"
        for (s = 0; s < steps; s++) {
            d = 2 ^ (s % 6) % ranks
            if (d == 0)
                d = 1
            n = 3 * s
            bytes = size[s % 4 + 1]
            print "l" n ": send " bytes "b to " (r + d) % ranks " tag " s % 3
            print "l" n + 1 ": recv " bytes "b from " (r + ranks - d) % ranks " tag " s % 3
            print "l" n + 2 ": calc " 100 + (r * 7 + s * 13) % 50
            if (s > 0) {
                print "l" n " requires l" n - 1
                print "l" n + 1 " requires l" n - 1
            }
            print "l" n + 2 " requires l" n + 1
            print "l" n + 2 " irequires l" n
        }
        print "}\n"
    }
}
