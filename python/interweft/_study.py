# SPDX-License-Identifier: Apache-2.0
"""Studies: run a scenario and its grid, check it, search for saturation."""
from __future__ import annotations

import ctypes as c
import dataclasses
import json
import os
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _errors, _results, _scenario
from . import _library as lib
from ._drive import Drive
from ._progress import ProgressLike
from ._scenario import ScenarioLike, Settings

PathLike = Union[str, "os.PathLike[str]"]


class Study:
    """An open study and all it borrows; closed with the last reference."""

    def __init__(self, scenario: ScenarioLike, settings: Sequence[str], drive: Drive,
                 plugins: Sequence[PathLike] = (), **options: Any) -> None:
        self.at: Any = None
        source = _scenario.source(scenario)
        self.drive = drive
        self.catalog = lib.Catalog(plugins)
        self._overrides = lib.strings(settings)
        self.options = lib.StudyOptions(
            file=lib.encode(source.file), text=lib.encode(source.text) if source.text else None,
            overrides=c.cast(self._overrides, c.POINTER(c.c_char_p)), **options)
        drive.connect(self.options)
        at, err = c.c_void_p(), lib.ErrorText()
        lib.fail(lib.lib.weft_study_open(c.byref(self.options), self.catalog.at, c.byref(at),
                                         c.byref(err)), err)
        self.at = at.value

    def close(self) -> None:
        if self.at:
            lib.lib.weft_study_close(self.at)
            self.at = None

    def __del__(self) -> None:
        self.close()

    @property
    def points(self) -> int:
        return int(lib.lib.weft_study_points(self.at))

    def key(self, i: int) -> str:
        return lib.text(lib.lib.weft_study_point_key(self.at, i))


def _bytes(size: Union[None, float, str]) -> int:
    """A size in bytes: a number, or a text such as "4 GiB"."""
    units = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
    if size is None:
        return 0
    number, unit = size, ""
    if isinstance(size, str):
        number = size.rstrip("BKMGTi ")
        unit = size[len(number):].strip()
    try:
        wanted = int(float(number) * units[unit])
    except (KeyError, ValueError, OverflowError):
        wanted = -1
    if not 0 <= wanted < 1 << 63:
        raise ValueError(f"memory is a size such as 4 GiB, found '{size}'")
    return wanted


def run(scenario: ScenarioLike, settings: Optional[Settings] = None, *,
        results: Optional[PathLike] = None, new: bool = False, jobs: Optional[int] = None,
        threads: Optional[int] = None, memory: Union[None, int, str] = None,
        checkpoint: float = 600, progress: ProgressLike = None,
        plugins: Sequence[PathLike] = (), **named: Any) -> _results.Results:
    """Runs a scenario or its whole grid; the same call again runs what is missing in `results`.

    scenario    a dict, YAML text, or a file
    settings    others than the scenario's, by path: {"traffic.all.rho": 0.3}. As further arguments
                "__" stands for "." and "_" for "-": traffic__all__rho=0.3. What varies:
                vary={"traffic.all.rho": [0.1, 0.3]}, or traffic__all__rho="0.1/0.9/0.1"
    results     a .weft file; None: results stay in memory
    new         start anew although the file holds another scenario
    jobs        points that run at a time; None: one for every free core, as memory allows
    threads     of the process, at most; None: the free cores
    memory      bytes it may hold, or a text such as "4 GiB"; None: three quarters of what is free
    checkpoint  seconds between checkpoints of a long point, in the results' folder; 0: none
    progress    None: a line in a terminal, a bar in a notebook, a line every ten seconds elsewhere;
                False: nothing; a function gets a Progress a few times a second
    plugins     shared objects with components of your own

    Raises ScenarioError for a wrong scenario, SimulationError for a deadlock, and Stopped, which is
    a KeyboardInterrupt, after Ctrl-C.

    >>> interweft.run("torus.yaml", traffic__all__rho=0.3)[0]["latency"]      # doctest: +SKIP
    """
    drive = Drive(progress)
    file = os.fspath(results) if results is not None else None
    if file == lib.IN_MEMORY.decode():
        file = None
    study = Study(scenario, _scenario.overrides(settings, named), drive, plugins,
                  results=lib.path(file) if file is not None else lib.IN_MEMORY, fresh=new,
                  jobs=lib.count("jobs", jobs), threads=lib.count("threads", threads),
                  memory=_bytes(memory),
                  checkpoint_s=float(checkpoint) if file is not None else 0.0)
    status = drive.run(lambda err: lib.lib.weft_study_run(study.at, err))
    if status == lib.STOPPED:
        points = study.points
        study.close()
        done = drive.last.done if drive.last else 0
        if file is not None and os.path.exists(file):
            with _results.open(file) as there:
                done = len(there)
        raise _errors.Stopped(file, done, points)
    if file is not None:
        study.close()
        return _results.open(file)
    return _results.Results(lib.lib.weft_study_result(study.at), study.close, keeps=study)


class Facts(Dict[str, Any]):
    """An answer in lines "name  value", by section and name; `text` is the whole of it.

    >>> interweft.check("torus.yaml").value("throughput bound")               # doctest: +SKIP
    0.498047
    """

    text: str

    def __init__(self, text: str) -> None:
        super().__init__(json.loads(lib.take(lib.lib.weft_facts_json(lib.encode(text)))))
        self.text = text

    def fact(self, name: str) -> Dict[str, Any]:
        """{"text": …, "value": …, "unit": …} of a line, of whichever section."""
        for where in (self, *(one for one in self.values() if isinstance(one, dict))):
            if name in where and isinstance(where[name], dict) and "text" in where[name]:
                found: Dict[str, Any] = where[name]
                return found
        raise KeyError(name)

    def value(self, name: str) -> float:
        """The number that a line begins with."""
        return float(self.fact(name)["value"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.text)


def check(scenario: ScenarioLike, settings: Optional[Settings] = None, *, thorough: bool = False,
          memory: Union[None, int, str] = None, plugins: Sequence[PathLike] = (),
          **named: Any) -> Facts:
    """Settings as understood, bounds, the verdict on deadlock, memory and time; runs nothing.

    thorough: take as long as the verdict on deadlock needs. The rest is as of run().
    """
    drive = Drive(False)
    study = Study(scenario, _scenario.overrides(settings, named), drive, plugins,
                  results=lib.IN_MEMORY, thorough=thorough, memory=_bytes(memory))
    text = c.c_void_p()
    drive.run(lambda err: lib.lib.weft_study_check(study.at, c.byref(text), err))
    if drive.interrupted:
        raise KeyboardInterrupt
    return Facts(lib.take(text))


@dataclasses.dataclass(frozen=True)
class Probe:
    """One run of a search: the offered load, what was accepted with its interval, the verdict."""

    load: float
    accepted: float
    low: float
    high: float
    packets: int
    verdict: str


@dataclasses.dataclass(frozen=True)
class Saturation:
    """A bracket of the saturation load, as a fraction of injection bandwidth."""

    key: str
    load: float             # the greatest that was found stable; 0: none …
    unstable: float         # … and the least that is not
    rho: float              # of `load`, as mean link utilisation
    bound: float            # no load above it can be carried whole; 0: none is known
    accepted: float         # at an offered load of 1.0, with its interval
    accepted_low: float
    accepted_high: float
    accepted_steady: bool
    from_empty: float
    always_stable: bool
    why: str                # why the bracket is wider than the tolerance; "": it is not
    probes: List[Probe]

    @property
    def varied(self) -> Dict[str, Any]:
        """The settings that vary, with this search's values."""
        return {name: _results._number(value) for name, value in lib.key_parts(self.key)}


def _saturation(key: str, found: Any) -> Saturation:
    probes = [Probe(p.load, p.accepted, p.lo, p.hi, p.packets, lib.text(p.verdict))
              for p in found.probes[:found.n_probes]]
    return Saturation(key, found.load, found.unstable, found.rho, found.bound, found.accepted,
                      found.accepted_lo, found.accepted_hi, found.accepted_steady,
                      found.from_empty, found.always_stable, lib.text(found.why), probes)


def saturate(scenario: ScenarioLike, settings: Optional[Settings] = None, *,
             tolerance: float = 0.01, results: Optional[PathLike] = None, new: bool = False,
             jobs: Optional[int] = None, threads: Optional[int] = None,
             progress: ProgressLike = None, plugins: Sequence[PathLike] = (),
             **named: Any) -> List[Saturation]:
    """The greatest load that the network of every point carries whole, within `tolerance`.

    Axes that only scale the load keep their first value. The rest is as of run().
    """
    drive = Drive(progress)
    study = Study(scenario, _scenario.overrides(settings, named), drive, plugins, one_load=True,
                  results=lib.IN_MEMORY, jobs=lib.count("jobs", jobs),
                  threads=lib.count("threads", threads))
    found: List[Saturation] = []

    def take(user: Any, i: int, record: Any) -> None:
        found.append(_saturation(study.key(i), record.contents))
    callback, file, err = lib.FOUND(take), c.c_void_p(), lib.ErrorText()
    path = lib.path(results) if results is not None else lib.IN_MEMORY
    lib.fail(lib.lib.weft_saturation_open(study.at, path, tolerance, new, c.byref(file),
                                          c.byref(err)), err)
    try:
        status = drive.run(lambda err: lib.lib.weft_study_saturate_all(
            study.at, tolerance, file, callback, None, err))
    finally:
        lib.lib.weft_result_close(file)
    if status == lib.STOPPED:
        raise _errors.Stopped(os.fspath(results) if results is not None else None, len(found),
                              study.points)
    return found
