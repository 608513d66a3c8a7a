# SPDX-License-Identifier: Apache-2.0
"""Interweft from Python: how will this fabric behave?

    import interweft

    results = interweft.run({
        "topology": {"kind": "torus", "dims": [8, 8]},
        "traffic": {"all": {"length": "64 flits"}},
        "vary": {"traffic.all.rho": [0.1, 0.3, 0.5]},
    })
    for point in results:
        print(point.varied, point["latency"])
    results.frame()                      # pandas, if it is there

run, check and saturate take a scenario as a dict, as YAML text or as a file. model, crossbar,
topology and plan answer without a simulation. open reads a .weft file. Everything is computed by
libinterweft in this process; results are those of the program weft, to the last byte.
docs/howto/python.md shows the rest.
"""
from . import crossbar
from ._errors import (Error, LibraryNotFound, Notice, ResultsError, ScenarioError, SimulationError,
                      Stopped)
from ._library import version as library_version
from ._model import Agreement, Model, Output, model
from ._network import cables, describe, kinds, path, topology
from ._plan import Fabric, plan
from ._progress import Progress
from ._results import Array, Link, Metric, Point, Points, Results, open
from ._scenario import scenario_text
from ._study import Facts, Probe, Saturation, check, run, saturate

__version__ = library_version()
__all__ = [
    "Agreement", "Array", "Error", "Fabric", "Facts", "LibraryNotFound", "Link", "Metric", "Model",
    "Notice", "Output", "Point", "Points", "Probe", "Progress", "Results", "ResultsError",
    "Saturation", "ScenarioError", "SimulationError", "Stopped", "cables", "check", "crossbar",
    "describe", "kinds", "library_version", "model", "open", "path", "plan", "run", "saturate",
    "scenario_text", "topology",
]
