# SPDX-License-Identifier: Apache-2.0
"""Runs from Python: results equal the program's to the last byte, whatever a scenario is."""
import concurrent.futures
import copy
import importlib.util
import os
import pathlib
import pickle
import subprocess
import threading
import unittest

import interweft
from support import SMALL, SMALL_TEXT, WEFT, SOURCE, InFolder, export


# A second or two, whatever the machine.
LONGER = {"measure.half-width": "0.01%", "measure.limit": {"wall": "1 s"},
          "traffic.all.rho": 0.3, "routing.selection": ["random", "diagonal"]}


class Run(InFolder):
    def program(self, *words):
        self.write("small.yaml", SMALL_TEXT)
        subprocess.run([WEFT, "run", "small.yaml", "-o", "program.weft", "--quiet", *words],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return export("program.weft")

    def test_results_are_the_programs(self):
        wanted = self.program()
        for scenario in (SMALL, SMALL_TEXT, "small.yaml", pathlib.Path("small.yaml")):
            with interweft.run(scenario, progress=False) as results:
                self.assertEqual(results.export("canonical"), wanted)
                self.assertIsNone(results.path)
        for jobs in (1, 2):
            file = f"mine{jobs}.weft"
            with interweft.run(SMALL, results=file, jobs=jobs, progress=False) as results:
                self.assertEqual(results.path, file)
                self.assertEqual(results.export("canonical"), wanted)
            self.assertEqual(export(file), wanted)
        self.assertEqual(sorted(os.listdir()),
                         ["mine1.weft", "mine2.weft", "program.weft", "small.yaml"])

    def test_settings_of_the_call_are_the_programs_too(self):
        wanted = self.program("traffic.all.rho=[0.2,0.4]", "measure.half-width=20%",
                              "routing.selection=random")
        first = interweft.run(SMALL, {"traffic.all.rho": [0.2, 0.4], "routing.selection": "random"},
                              measure__half_width="20%", progress=False)
        self.assertEqual(first.export(), wanted)
        self.assertEqual([p.varied for p in first],
                         [{"routing.selection": "random", "traffic.all.rho": rho}
                          for rho in (0.2, 0.4)])

    def test_a_file_is_resumed_and_another_scenario_refused(self):
        interweft.run(SMALL, results="a.weft", progress=False).close()
        before = os.stat("a.weft").st_mtime_ns
        again = interweft.run(SMALL, results="a.weft", progress=False)
        self.assertEqual((len(again), os.stat("a.weft").st_mtime_ns), (6, before))
        again.close()
        with self.assertRaises(interweft.ScenarioError):
            interweft.run(SMALL, results="a.weft", seed=2, progress=False)
        with interweft.run(SMALL, results="a.weft", seed=2, new=True, progress=False) as other:
            self.assertNotEqual(other.export(), again)

    def test_points_have_metrics_with_intervals(self):
        results = interweft.run(SMALL, progress=False)
        self.assertEqual((len(results), results.title), (6, "A small torus"))
        point = results.where(rho=0.3, selection="diagonal")[0]
        self.assertEqual(point.varied, {"routing.selection": "diagonal", "traffic.all.rho": 0.3})
        latency = point["latency"]
        self.assertTrue(latency.low < latency.value < latency.high)
        self.assertEqual((latency.unit, float(latency)), ("cycles", latency.value))
        self.assertAlmostEqual(latency.half_width, (latency.high - latency.low) / 2)
        self.assertEqual((point.verdict, point.saturated), ("converged", False))
        self.assertIn("rho: 0.3", point.settings)
        self.assertGreater(point.percentile(99).value, latency.value)
        self.assertEqual([m.index for m in point.parts("latency", "hops")],
                         sorted(m.index for m in point.parts("latency", "hops")))
        counts = [a for a in point.arrays
                  if (a.table, a.name, a.of) == ("histogram", "latency", "")]
        self.assertEqual(sum(counts[0].y), latency.n)
        with self.assertRaisesRegex(KeyError, "did you mean 'latency'"):
            point["latencyy"]
        with self.assertRaises(IndexError):
            results[6]
        self.assertEqual([p.key for p in results[4:]], [results[4].key, results[-1].key])
        row = results.dicts()[0]
        self.assertEqual(row["latency_low"], results[0]["latency"].low)
        self.assertIn("<td>converged</td>", results._repr_html_())
        results.close()
        self.assertEqual(point["latency"], latency)
        with self.assertRaises(ValueError):
            len(results)

    def test_frame(self):
        if not importlib.util.find_spec("pandas"):
            self.skipTest("without pandas")
        results = interweft.run(SMALL, progress=False)
        frame = results.frame()
        self.assertEqual(len(frame), 6)
        self.assertTrue((frame.latency_low < frame.latency).all())
        self.assertEqual(set(frame["routing.selection"]), {"random", "diagonal"})
        tidy = results.frame(tidy=True)
        self.assertEqual(len(tidy), sum(len(p.metrics) for p in results))
        self.assertEqual(set(tidy.columns) >= {"name", "by", "value", "low", "high", "unit"}, True)

    def test_files_are_read(self):
        self.program()
        with interweft.open("program.weft") as results:
            self.assertEqual(results.export("canonical"), export("program.weft"))
            self.assertIn("minimal-adaptive", results.scenario)
            self.assertEqual(len(list(results)), 6)
            csv = subprocess.run([WEFT, "export", "program.weft"], stdout=subprocess.PIPE).stdout
            self.assertEqual(results.export("csv"), csv)
        with self.assertRaises(FileNotFoundError):
            interweft.open("none.weft")
        self.write("wrong.weft", "no results\n")
        with self.assertRaises(interweft.ResultsError):
            interweft.open("wrong.weft")

    def test_links_are_read_on_demand(self):
        with interweft.run(SMALL, measure__links="all", progress=False) as results:
            links = results[0].links
            self.assertEqual(len(links), 64)
            self.assertTrue(all(0 <= link.utilisation <= 1 for link in links))

    def test_threads_may_read_the_same_results(self):
        scenario = {**SMALL, "measure": {"links": "all", "limit": {"packets": 500}}}
        with interweft.run(scenario, results="read.weft", progress=False) as results:
            def read(first):
                return sum(link.busy for i in range(60)
                           for link in results[(first + i) % len(results)].links)
            with concurrent.futures.ThreadPoolExecutor(4) as threads:
                self.assertEqual(len(set(threads.map(read, range(8)))), 1)

    def test_points_and_errors_go_to_other_processes(self):
        results = interweft.run(SMALL, measure__links="all", measure__limit__packets=500,
                                progress=False)
        there = pickle.loads(pickle.dumps(list(results)))
        self.assertEqual([(p.key, str(p["latency"])) for p in there],
                         [(p.key, str(p["latency"])) for p in results])
        with self.assertRaisesRegex(ValueError, "of another process"):
            there[0].links
        self.assertEqual(copy.deepcopy(results[0]).links, results[0].links)
        with self.assertRaisesRegex(TypeError, "results stay in their process"):
            pickle.dumps(results)
        results.close()
        self.assertEqual(repr(results), "<interweft.Results: closed>")
        stopped = pickle.loads(pickle.dumps(interweft.Stopped("a.weft", 1, 2)))
        self.assertEqual((stopped.results, stopped.done, stopped.points), ("a.weft", 1, 2))
        wrong = pickle.loads(pickle.dumps(interweft.ScenarioError("a.yaml:1:2: no")))
        self.assertEqual((wrong.file, wrong.line, wrong.message), ("a.yaml", 1, "no"))

    def test_results_in_memory_have_a_name(self):
        with interweft.run(SMALL, measure__limit__packets=500, results=":memory:",
                           progress=False) as results:
            self.assertEqual((len(results), results.path), (6, None))

    def test_progress_goes_to_a_function(self):
        seen = []
        interweft.run(SMALL, LONGER, progress=seen.append).close()
        self.assertTrue(seen)
        self.assertTrue(all(0 <= p.part <= 1 and p.points == 2 for p in seen))

    def test_what_the_function_raises_ends_the_run(self):
        class Enough(Exception):
            pass

        def stop(progress):
            raise Enough
        with self.assertRaises(Enough):
            interweft.run(SMALL, LONGER, progress=stop)

    def test_threads_may_run_at_the_same_time(self):
        wanted, found = interweft.run(SMALL, progress=False).export(), []
        threads = [threading.Thread(target=lambda: found.append(
            interweft.run(SMALL, jobs=1, progress=False).export())) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, 3 * [wanted])

    def test_plugins(self):
        built = os.path.join(os.getcwd(), "west_first.so")
        subprocess.run([os.environ["WEFT_CC"], "-std=c17", "-shared", "-fPIC", "-I",
                        f"{SOURCE}/include", f"{SOURCE}/examples/03-own-routing/west_first.c",
                        "-o", built], check=True)
        with interweft.run(f"{SOURCE}/examples/03-own-routing/mesh.yaml", plugins=[built],
                           progress=False, measure__limit={"packets": 20000}) as results:
            self.assertGreater(len(results), 0)


class Lines(unittest.TestCase):
    def test_what_does_not_fit_is_left_out(self):
        line = interweft._progress.line
        half = interweft.Progress(3, 8, 2, 2, 0.25, "traffic.all.rho=0.3", 0.5, 1e4, 83.12, 1.234,
                                  6.0)
        whole = ("2 of 8 points done, 2 running  6 s, about 18 s left  latency 83.12 ± 1.2"
                 "  traffic.all.rho=0.3")
        self.assertEqual(line(half), whole)
        self.assertEqual(line(half, 80), whole[:72])
        self.assertEqual(line(half, 60), whole[:51])
        self.assertEqual(line(half, 20), whole[:20])


class Scenario(unittest.TestCase):
    def test_values_are_yaml(self):
        flow = interweft._scenario.flow
        for value, text in ((0.1, "0.1"), (True, "true"), ("2%", "2%"), ("64 flits", "64 flits"),
                            ([4, 4], "[4, 4]"), ({"a": "b: c"}, '{a: "b: c"}'), ("", '""'),
                            (range(2), "[0, 1]"), (pathlib.Path("a.b"), "a.b"), (None, "null")):
            self.assertEqual(flow(value), text)
        with self.assertRaises(TypeError):
            flow(object())

    def test_a_dict_is_a_file(self):
        self.assertEqual(interweft.scenario_text(SMALL).split("\n")[:4], SMALL_TEXT.split("\n")[:4])


if __name__ == "__main__":
    unittest.main()
