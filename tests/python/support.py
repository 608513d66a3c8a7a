# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share."""
import os
import subprocess
import tempfile
import unittest

SOURCE = os.environ["WEFT_SOURCE"]
WEFT = os.environ["WEFT"]

SMALL = {
    "title": "A small torus",
    "topology": {"kind": "torus", "dims": [4, 4]},
    "routing": {"kind": "minimal-adaptive"},
    "traffic": {"all": {"length": {"kind": "exponential", "mean": "8 flits"}}},
    "measure": {"half-width": "10%"},
    "vary": {"traffic.all.rho": [0.1, 0.2, 0.3], "routing.selection": ["random", "diagonal"]},
}
SMALL_TEXT = """\
interweft: 1
title: A small torus
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive}
traffic:
  all: {length: {kind: exponential, mean: 8 flits}}
measure: {half-width: 10%}
vary:
  traffic.all.rho: [0.1, 0.2, 0.3]
  routing.selection: [random, diagonal]
"""


def export(path):
    """The result bytes of a file, as the program prints them."""
    return subprocess.run([WEFT, "export", path, "--format", "canonical"], check=True,
                          stdout=subprocess.PIPE).stdout


class InFolder(unittest.TestCase):
    """Every test runs in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def write(self, name, text):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name
