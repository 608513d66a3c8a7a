# SPDX-License-Identifier: Apache-2.0
"""The structures of the package are those of the headers, member by member."""
import ctypes
import os
import subprocess
import unittest

from interweft import _library
from support import SOURCE, InFolder


class Layout(InFolder):
    def test_sizes_and_offsets(self):
        lines = ["#include <interweft/interweft.h>", "#include <interweft/model.h>",
                 "#include <interweft/crossbar.h>", "#include <interweft/planning.h>",
                 "#include <stdio.h>", "#include <stddef.h>", "int main(void)", "{"]
        wanted = []
        for name, here in _library.STRUCTURES.items():
            lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
            wanted.append(f"{name} {ctypes.sizeof(here)}")
            for member, *_ in here._fields_:
                lines.append(f'    printf("{name}.{member} %zu %zu\\n", '
                             f"offsetof({name}, {member}), sizeof((({name} *)0)->{member}));")
                at = getattr(here, member)
                wanted.append(f"{name}.{member} {at.offset} {at.size}")
        self.write("layout.c", "\n".join(lines) + "\n    return 0;\n}\n")
        subprocess.run([os.environ["WEFT_CC"], "-std=c17", "-I", f"{SOURCE}/include", "layout.c",
                        "-o", "layout"], check=True)
        said = subprocess.run(["./layout"], check=True, stdout=subprocess.PIPE).stdout.decode()
        self.assertEqual(said.split("\n")[:-1], wanted)


if __name__ == "__main__":
    unittest.main()
