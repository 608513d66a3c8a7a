# SPDX-License-Identifier: Apache-2.0
"""Analytic models: answers by formula, at once, with the simulation of the same beside them."""
from __future__ import annotations

import ctypes as c
import dataclasses
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from . import _errors, _results, _scenario
from . import _library as lib
from ._drive import Drive
from ._progress import ProgressLike
from ._scenario import Settings


class Output(NamedTuple):
    """A column of a model."""

    name: str
    unit: str
    by: str     # the index of its rows; "": one value
    brief: str


@dataclasses.dataclass(frozen=True)
class Agreement:
    """A value of the model beside the simulated one and its interval."""

    varied: Dict[str, Any]
    name: str
    index: int
    model: float
    simulated: float
    low: float
    high: float
    saturated: bool


class Model(_results.Points):
    """An evaluated model: its points, and if it was simulated what the simulation found."""

    name: str
    outputs: List[Output]
    simulates: bool              # there are scenarios that measure the same
    agreements: List[Agreement]  # with simulate=True


def _outputs(table: Any) -> List[Output]:
    found, i = [], 0
    while table[i].name:
        one = table[i]
        found.append(Output(lib.text(one.name), lib.text(one.unit), lib.text(one.by),
                            lib.text(one.brief)))
        i += 1
    return found


def _agreement(model: Model, row: Any) -> Agreement:
    return Agreement(model[row.point].varied, lib.text(row.output.contents.name), row.index,
                     row.model, row.simulated, row.lo, row.hi, row.saturated)


def model(name: str, settings: Optional[Settings] = None, *, simulate: bool = False, seed: int = 1,
          results: Union[None, str, "os.PathLike[str]"] = None, new: bool = False,
          jobs: Optional[int] = None, progress: ProgressLike = None,
          plugins: Sequence[Union[str, "os.PathLike[str]"]] = (), **named: Any) -> Model:
    """Evaluates a model; a list of values, or a text from/to/step, gives a curve.

    simulate  also run the scenario that measures the same, of every point
    results   a .weft file to write

    Settings are as of run(); an underscore at the end of a name is left out: lambda_=0.8.

    >>> model("mm1", lambda_=0.8)[0]["sojourn"].value         # doctest: +SKIP
    5.0
    """
    catalog = lib.Catalog(plugins)
    words = _scenario.overrides(settings, named)
    at, err = c.c_void_p(), lib.ErrorText()
    lib.fail(lib.lib.weft_model_open(lib.encode(name), lib.strings(words), catalog.at, c.byref(at),
                                     c.byref(err)), err)
    try:
        return _evaluate(at, name, simulate, seed, results, new, jobs, progress)
    finally:
        lib.lib.weft_model_close(at)


def _evaluate(at: Any, name: str, simulate: bool, seed: int, results: Any, new: bool,
              jobs: Optional[int], progress: ProgressLike) -> Model:
    seed = lib.count("seed", seed)
    drive, how = Drive(progress), lib.StudyOptions(jobs=lib.count("jobs", jobs))
    drive.connect(how)
    count = int(lib.lib.weft_model_points(at))
    if drive.run(lambda err: lib.lib.weft_model_run(at, c.byref(how), err)) == lib.STOPPED:
        raise _errors.Stopped(None, 0, count)
    found = Model([_results.Point(lib.lib.weft_model_point(at, i).contents) for i in range(count)],
                  lib.text(lib.lib.weft_model_title(at)))
    found.name, found.agreements = name, []
    found.outputs = _outputs(lib.lib.weft_model_outputs(at))
    found.simulates = bool(lib.lib.weft_model_simulates(at))
    rows, n = c.POINTER(lib.AgreementRecord)(), c.c_size_t()
    if simulate:
        if drive.run(lambda err: lib.lib.weft_model_simulate(
                at, seed, c.byref(how), c.byref(rows), c.byref(n), err)) == lib.STOPPED:
            raise _errors.Stopped(None, 0, count)
        found.agreements = [_agreement(found, row) for row in rows[:n.value]]
    if results is not None:
        trials, err = lib.ModelTrials(rows, n.value, seed), lib.ErrorText()
        lib.fail(lib.lib.weft_model_save(at, lib.path(results), new,
                                         c.byref(trials) if simulate else None, c.byref(err)), err)
    return found
