# SPDX-License-Identifier: Apache-2.0
"""Models, crossbar, topologies, bounds, plans and searches: the numbers that the program prints."""
import json
import os
import shutil
import subprocess
import sys
import unittest

import interweft
from support import SMALL, WEFT, InFolder

COMMA = "/usr/share/i18n/locales/de_DE"


def program(*words):
    return subprocess.run([WEFT, *words], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


class Engines(InFolder):
    def test_a_model(self):
        curve = interweft.model("mm1", lambda_=[0.2, 0.8])
        self.assertEqual([round(p["latency"].value, 9) for p in curve], [1.25, 5.0])
        self.assertEqual([p.varied for p in curve], [{"lambda": 0.2}, {"lambda": 0.8}])
        self.assertEqual((curve.outputs[0].name, curve.name, curve.simulates),
                         ("latency", "mm1", True))
        self.assertEqual(curve.agreements, [])

    def test_a_model_beside_its_simulation(self):
        found = interweft.model("md1", lambda_=0.5, simulate=True, results="md1.weft",
                                progress=False)
        one = found.agreements[0]
        self.assertTrue(one.low < one.simulated < one.high)
        self.assertLess(abs(one.model - one.simulated), 4 * (one.high - one.low))
        with interweft.open("md1.weft") as results:
            self.assertEqual(len(results), 1)

    def test_the_crossbar(self):
        with interweft.crossbar.search(scheduler="islip", n=3, d=4, progress=False) as found:
            worst = found[0].get("throughput", by="worst", index=1)
            self.assertEqual((worst.value, worst.method), (7 / 12, "exact 7/12"))
        self.assertIn("981541 matrices", interweft.crossbar.count(n=4, d=8))
        text = interweft.crossbar.run(scheduler="islip", matrix=[[2, 2, 0], [0, 1, 3], [2, 1, 1]])
        self.assertEqual(text, program("crossbar", "run", "scheduler=islip",
                                       "matrix=[[2,2,0],[0,1,3],[2,1,1]]"))

    def test_a_topology(self):
        torus = interweft.topology({"kind": "torus", "dims": [8, 8]})
        said = json.loads(program("topology", "show", "topology.kind=torus", "topology.dims=[8,8]",
                                  "--json"))
        self.assertEqual(torus, said)
        self.assertEqual((torus.value("diameter"), torus.fact("cables")["host"]), (8, 64))
        self.assertEqual(interweft.topology(SMALL).value("routers"), 16)
        self.assertEqual(interweft.topology(topology__kind="torus", topology__dims=[8, 8]), said)
        edges = interweft.cables({"kind": "mesh", "dims": [2, 2]})
        self.assertEqual(edges, program("topology", "export", "topology.kind=mesh",
                                        "topology.dims=[2,2]", "--format", "edges"))
        self.assertIn("hops                   2\n",
                      interweft.path(SMALL, 0, 5, traffic__all__rho=0.1))
        self.assertIn("torus", interweft.kinds("topology"))
        self.assertIn("dims", interweft.describe("torus"))

    def test_a_check(self):
        facts = interweft.check(SMALL)
        self.assertEqual(facts["network"]["routers"]["value"], 16)
        self.assertEqual(facts.value("points"), 6)
        self.assertIn("throughput bound", str(facts))

    def test_a_search_for_saturation(self):
        scenario = {"topology": {"kind": "torus", "dims": [4, 4]},
                    "routing": {"kind": "dimension-order"},
                    "router": {"kind": "input-queued", "vcs": 2, "buffer": "8 flits"},
                    "traffic": {"all": {"length": "4 flits", "load": 0.1}},
                    "measure": {"limit": {"packets": 50000}}}
        one, = interweft.saturate(scenario, tolerance=0.1, progress=False)
        self.assertTrue(0.3 < one.load < one.unstable <= one.bound + 1e-9)
        self.assertGreater(len(one.probes), 1)

    def test_a_plan(self):
        fabrics = interweft.plan({"endpoints": 256, "switch": {"ports": 16}})
        self.assertEqual(fabrics[0].name, "slim-fly q4 p8")
        costs = [f.cost for f in fabrics if not f.refused]
        self.assertEqual(costs, sorted(costs))
        self.assertNotIn("scenario", fabrics[0].as_dict())
        self.assertEqual(interweft.check(fabrics[0].scenario).value("endpoints"), 256)

    @unittest.skipUnless(shutil.which("localedef") and os.path.exists(COMMA),
                         "no locale with a comma can be made")
    def test_a_program_with_a_decimal_comma(self):
        """What the library writes for itself or for its callers does not follow their locale."""
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.write("asks.py", """\
import locale
import sys
import interweft
print(locale.setlocale(locale.LC_ALL, sys.argv[1]), file=sys.stderr)
facts = interweft.check("torus.yaml")
print([facts.fact(name) for name in ("mean path", "offered", "other bounds")])
print(interweft.model("mm1", lambda_=0.5, simulate=True, progress=False).agreements)
print(interweft.saturate("torus.yaml", tolerance=0.1, progress=False))
print(interweft.run("torus.yaml", progress=False).export("csv"))
print([(f.name, f.scenario) for f in interweft.plan({"endpoints": 64, "switch": {"ports": 16}})])
""")
        self.write("torus.yaml", "interweft: 1\ntopology: {kind: torus, dims: [4, 4]}\n"
                   "traffic: {all: {length: 8 flits, rho: 0.25}}\n"
                   "measure: {confidence: 0.9, half-width: 2.5%, limit: {packets: 2000}}\n")
        said = []
        for name in ("C", "de_DE.UTF-8"):
            ran = subprocess.run([sys.executable, "asks.py", name], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, env={**os.environ, "LOCPATH": os.getcwd()})
            self.assertEqual(ran.stderr.decode().strip(), name)
            said.append(ran.stdout.decode())
        self.assertEqual(*said)


if __name__ == "__main__":
    unittest.main()
