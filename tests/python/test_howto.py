# SPDX-License-Identifier: Apache-2.0
"""The page docs/howto/python.md: its commands and its Python run, and print what it shows.

    test_howto.py --print    shows what the blocks print, to be put into the page
"""
import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import unittest

from support import SOURCE, InFolder

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```\n(?:```\n(.*?)^```\n)?", re.M | re.S)


def blocks():
    with open(f"{SOURCE}/docs/howto/python.md", encoding="utf-8") as page:
        return [match.groups() for match in BLOCK.finditer(page.read())]


def run(kind, code, names):
    """What a block prints."""
    if kind == "sh":
        folder = os.path.dirname(sys.executable)
        return subprocess.run(["bash", "-ec", code], check=True, cwd=SOURCE,
                              env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]},
                              stdout=subprocess.PIPE).stdout.decode()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "python.md", "exec"), names)
    return printed.getvalue()


class Page(InFolder):
    def test_blocks_print_what_they_show(self):
        names = {"__name__": "page"}
        pandas = importlib.util.find_spec("pandas") is not None
        found = blocks()
        self.assertGreater(len(found), 5)
        for kind, code, shown in found:
            if "frame()" in code and not pandas:
                continue
            printed = run(kind, code, names)
            if "--print" in sys.argv:
                print(printed)
            else:
                self.assertEqual(printed, shown or "", code)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--print"])
