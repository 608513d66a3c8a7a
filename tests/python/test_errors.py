# SPDX-License-Identifier: Apache-2.0
"""Wrong scenarios raise what the program prints, with its place and the word that was meant."""
import glob
import os
import subprocess
import unittest

import interweft
from support import SOURCE, SMALL, WEFT


class Errors(unittest.TestCase):
    def test_every_wrong_scenario(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(f"{SOURCE}/tests/data/scenarios/wrong")
        files = sorted(glob.glob("*.yaml"))
        self.assertGreater(len(files), 30)
        places = suggestions = 0
        for file in files:
            said = subprocess.run([WEFT, "check", file], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
            wanted = said.stderr.decode().rstrip("\n")
            if said.returncode == 0:
                continue  # wrong only where kinds are planned and not built
            with self.subTest(file), self.assertRaises(interweft.Error) as caught:
                interweft.check(file)
            self.assertEqual(str(caught.exception).rstrip("\n"), wanted)
            if isinstance(caught.exception, interweft.ScenarioError) and caught.exception.line:
                self.assertTrue(wanted.startswith(
                    f"{caught.exception.file}:{caught.exception.line}:{caught.exception.column}: "
                    f"{caught.exception.message}"))
                places += 1
            suggestions += "did you mean" in wanted
        self.assertGreater(places, 30)
        self.assertGreater(suggestions, 1)

    def test_the_parts_of_an_error(self):
        with self.assertRaises(interweft.ScenarioError) as caught:
            interweft.run({**SMALL, "topology": {"kind": "torus", "dmis": [4, 4]}})
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("scenario", 3, 25))
        self.assertEqual(error.message, "topology has no setting 'dmis'; did you mean 'dims'?")
        self.assertEqual(error.suggestion, "dims")
        self.assertEqual(error.excerpt.split("\n")[0], "topology: {kind: torus, dmis: [4, 4]}")
        self.assertIsInstance(error, ValueError)

    def test_a_setting_of_the_call(self):
        with self.assertRaises(interweft.ScenarioError) as caught:
            interweft.run(SMALL, traffic__all__roh=0.3)
        self.assertEqual((caught.exception.line, caught.exception.suggestion), (None, "rho"))

    def test_files_that_are_not_there(self):
        with self.assertRaisesRegex(interweft.ScenarioError, "none.yaml cannot be read"):
            interweft.run("none.yaml")
        with self.assertRaises(interweft.ScenarioError):
            interweft.run(SMALL, plugins=["none.so"])
        with self.assertRaises(TypeError):
            interweft.run(3)

    def test_names_of_files(self):
        for call in (lambda: interweft.run(SMALL, results="a\0b", progress=False),
                     lambda: interweft.open("a\0b"), lambda: interweft.run("a\0b"),
                     lambda: interweft.model("mm1", lambda_=0.5, results="a\0b"),
                     lambda: interweft.run(SMALL, plugins=["a\0b"])):
            with self.assertRaisesRegex(interweft.ScenarioError, "NUL byte"):
                call()
        with self.assertRaisesRegex(interweft.ScenarioError, "results need the name of a file"):
            interweft.run(SMALL, results="", progress=False)
        with self.assertRaisesRegex(interweft.ScenarioError, "^none.so: no such plug-in"):
            interweft.run(SMALL, plugins="none.so")

    def test_arguments_out_of_range(self):
        for size in ("4 gib", "abc", "", "-1 GiB", "inf GiB", "1e30 GiB", 2**70, -1,
                     float("nan")):
            with self.subTest(size), self.assertRaisesRegex(ValueError, "memory is a size such as"):
                interweft.run(SMALL, memory=size, progress=False)
        for name in ("threads", "jobs"):
            with self.assertRaisesRegex(ValueError, f"{name} must be 0"):
                interweft.run(SMALL, progress=False, **{name: -1})
            with self.assertRaisesRegex(ValueError, f"{name} is a whole number"):
                interweft.run(SMALL, progress=False, **{name: 2**63})
        with self.assertRaisesRegex(ValueError, "checkpoint_s must be 0"):
            interweft.run(SMALL, results="none.weft", checkpoint=-1, progress=False)
        for tolerance in (float("nan"), float("inf"), -1):
            with self.assertRaisesRegex(ValueError, "tolerance must be a load"):
                interweft.saturate(SMALL, tolerance=tolerance, progress=False)
        with self.assertRaisesRegex(ValueError, "slots is a whole number from 1"):
            interweft.crossbar.run(matrix=[[1, 1], [1, 1]], slots=-1)
        with self.assertRaises(TypeError):
            interweft.run(SMALL, "traffic.all.rho=0.1")
        with self.assertRaises(TypeError):
            interweft.run({**SMALL, "title": b"bytes"})
        self.assertFalse(os.path.exists("none.weft"))

    def test_the_other_engines(self):
        with self.assertRaises(interweft.ScenarioError) as caught:
            interweft.model("mm1", lamda=0.3)
        self.assertEqual(caught.exception.suggestion, "lambda")
        with self.assertRaisesRegex(interweft.ScenarioError, "below mu"):
            interweft.model("mm1", lambda_=2)
        with self.assertRaisesRegex(interweft.ScenarioError, "did you mean 'islip'"):
            interweft.crossbar.search(scheduler="islp")
        with self.assertRaisesRegex(interweft.ScenarioError, "did you mean 'torus'"):
            interweft.topology({"kind": "trous"})
        with self.assertRaisesRegex(interweft.ScenarioError, "^scenario:2:"):
            interweft.plan({"endpoint": 256, "switch": {"ports": 16}})

    def test_a_deadlock(self):
        scenario = {"topology": {"kind": "torus", "dims": [8, 8]},
                    "router": {"kind": "input-queued", "vcs": 2, "buffer": "4 flits"},
                    "routing": {"kind": "dimension-order", "dateline": "none"},
                    "traffic": {"all": {"length": "4 flits", "load": 1.0}},
                    "measure": {"warmup": "0 cycles", "limit": {"time": "20000 cycles"}}}
        with self.assertRaisesRegex(interweft.SimulationError, "deadlock at tick .* waits for"):
            interweft.run(scenario, progress=False)


if __name__ == "__main__":
    unittest.main()
