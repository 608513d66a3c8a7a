# SPDX-License-Identifier: Apache-2.0
"""The notebooks of examples/08-notebooks run from top to bottom, each in seconds, draw their
pictures, and hold neither outputs nor paths of a machine."""
import glob
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
import unittest

from support import SOURCE, InFolder

BOOKS = sorted(glob.glob(f"{SOURCE}/examples/08-notebooks/*.ipynb"))
PICTURES = {"1-first-curve": 1, "2-model-beside-simulation": 2, "3-choose-a-fabric": 2,
            "4-your-allreduce": 1}


LONG = """
import interweft
interweft.run({"topology": {"kind": "torus", "dims": [8, 8]},
               "traffic": {"all": {"length": "16 flits"}},
               "measure": {"half-width": "0.001%", "limit": {"packets": 100000000}},
               "vary": {"traffic.all.rho": [0.3, 0.5]}})
"""


class Notebooks(InFolder):
    def setUp(self):
        super().setUp()
        # a kernel of this interpreter, and nothing of the user's
        os.environ.pop("MPLBACKEND", None)
        os.environ.update(IPYTHONDIR=os.getcwd(), JUPYTER_DATA_DIR=os.getcwd(),
                          MPLCONFIGDIR=os.getcwd(), JUPYTER_CONFIG_DIR=os.getcwd())

    def needs(self, *modules):
        for module in modules:
            if not importlib.util.find_spec(module):
                self.skipTest(f"without {module}")

    def test_a_bar_is_drawn_and_an_interrupt_heeded(self):
        self.needs("ipykernel", "jupyter_client")
        from jupyter_client.manager import start_new_kernel
        manager, client = start_new_kernel(kernel_name="python3")
        self.addCleanup(manager.shutdown_kernel, now=True)
        self.addCleanup(client.stop_channels)
        client.execute(LONG)
        bars, error = 0, None
        while error is None:
            message = client.get_iopub_msg(timeout=60)
            kind, content = message["msg_type"], message["content"]
            if kind in ("display_data", "update_display_data"):
                bar = "<progress" in content["data"].get("text/html", "")
                bars += bar
                if bar and bars == 2:
                    manager.interrupt_kernel()
            elif kind == "error":
                error = content
        self.assertEqual(error["ename"], "Stopped")
        self.assertIn("stopped after 0 of 2 points", error["evalue"])
    def test_they_are_clean(self):
        self.assertEqual([os.path.basename(book)[:-6] for book in BOOKS], sorted(PICTURES))
        for book in BOOKS:
            with open(book, encoding="utf-8") as file:
                text = file.read()
            self.assertNotRegex(text, r'"/(home|root|tmp|usr|work)\b')
            for cell in json.loads(text)["cells"]:
                self.assertFalse(cell.get("outputs"))
                self.assertIsNone(cell.get("execution_count"))

    def test_they_run(self):
        self.needs("nbconvert", "ipykernel", "matplotlib", "pandas")
        subprocess.run([sys.executable, "-m", "ipykernel", "install", "--prefix", os.getcwd(),
                        "--name", "python3"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        os.environ["JUPYTER_PATH"] = f"{os.getcwd()}/share/jupyter"
        for book in BOOKS:
            name = os.path.basename(book)[:-6]
            start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            with self.subTest(name):
                done = subprocess.run(
                    [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", book,
                     "--output-dir", ".", "--output", name,
                     "--ExecutePreprocessor.timeout=300"],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 0, done.stdout)
                used = resource.getrusage(resource.RUSAGE_CHILDREN)
                core = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
                print(f"{name}: {time.monotonic() - start:.1f} s, {core:.1f} s of a core")
                self.assertLess(core, 30)  # 15 on an idle machine; who else runs may double it
                with open(f"{name}.ipynb", encoding="utf-8") as file:
                    outputs = [output for cell in json.load(file)["cells"]
                               for output in cell.get("outputs", [])]
                pictures = [o for o in outputs if "image/png" in o.get("data", {})]
                self.assertEqual(len(pictures), PICTURES[name])
                errors = [o for o in outputs if o.get("name") == "stderr"]
                self.assertEqual(errors, [])
        keep = os.environ.get("WEFT_KEEP")  # a folder, for who wants to look at the pictures
        if keep:
            for file in glob.glob("[1-4]-*.ipynb"):
                os.rename(file, os.path.join(keep, file))


if __name__ == "__main__":
    unittest.main()
