# SPDX-License-Identifier: Apache-2.0
"""Fabrics for a number of endpoints, side by side: cost, power, bounds."""
from __future__ import annotations

import ctypes as c
import dataclasses
import os
import tempfile
from typing import Any, Dict, List, Optional

from . import _errors, _scenario
from . import _library as lib
from ._scenario import ScenarioLike, Settings


@dataclasses.dataclass(frozen=True)
class Fabric:
    """A fabric as planned. Bounds are fractions of an endpoint's bandwidth that no routing
    exceeds."""

    name: str
    family: str
    refused: Optional[str]      # the constraint that it breaks; None: none
    endpoints: int
    switches: int
    ports: int                  # of the switch with most in use
    racks: int
    copper: int                 # cables
    optics: int
    metres: float
    cost: float
    power: float
    diameter: int               # hops between switches
    mean_hops: float
    bisection: float
    uniform: float              # bounds: every endpoint to all others,
    permutation: float          # the worst permutation that cuts and distances show,
    group: float                # every group to the next one
    front: bool                 # none that costs no more has a greater bound of permutations
    scenario: str               # YAML, for run()

    def as_dict(self) -> Dict[str, Any]:
        """All but the scenario."""
        row = dataclasses.asdict(self)
        del row["scenario"]
        return row


def _fabric(p: Any, scenario: str) -> Fabric:
    return Fabric(lib.text(p.name), lib.text(p.family), lib.text(p.refused) or None, p.endpoints,
                  p.switches, p.ports, p.racks, p.by_medium[0], p.by_medium[1], p.metres, p.cost,
                  p.power, p.diameter, p.mean_hops, p.bisection, p.bound[0], p.bound[1],
                  p.bound[2], p.front[1], scenario)


def plan(wanted: ScenarioLike, settings: Optional[Settings] = None, **named: Any) -> List[Fabric]:
    """The fabrics that suit what is wanted, by cost, then those that break a constraint; nothing
    is simulated. wanted: a dict, YAML text or file as of weft plan.

    >>> [f.name for f in plan({"endpoints": 256, "switch": {"ports": 16}})]   # doctest: +SKIP
    """
    if not isinstance(wanted, (str, os.PathLike)):
        wanted = {"interweft-plan": 1, **wanted}
    source, folder = _scenario.source(wanted), None
    path = source.file
    if source.text is not None:
        folder = tempfile.TemporaryDirectory(prefix="interweft-")
        path = os.path.join(folder.name, "plan")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source.text)
    catalog = lib.Catalog()
    words = lib.strings(_scenario.overrides(settings, named))
    options = lib.PlanningOptions(file=lib.path(path),
                                  overrides=c.cast(words, c.POINTER(c.c_char_p)))
    at, err = c.c_void_p(), lib.ErrorText()
    try:
        lib.fail(lib.lib.weft_planning_open(c.byref(options), catalog.at, c.byref(at),
                                            c.byref(err)), err)
    except _errors.ScenarioError as problem:
        raise _errors.ScenarioError(str(problem).replace(path, source.file)) from None
    finally:
        if folder is not None:
            folder.cleanup()
    try:
        return [_fabric(lib.lib.weft_planning_fabric(at, i).contents,
                        lib.take(lib.lib.weft_planning_scenario(at, i)))
                for i in range(int(lib.lib.weft_planning_count(at)))]
    finally:
        lib.lib.weft_planning_close(at)
