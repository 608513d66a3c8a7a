# SPDX-License-Identifier: Apache-2.0
"""The crossbar laboratory: a switch scheduler on one workload matrix, or on all of them.

>>> from interweft import crossbar
>>> crossbar.search(scheduler="islip", n=3, d=4)[0].get("throughput", by="worst", index=1).value
0.5833333333333334
"""
from __future__ import annotations

import contextlib
import ctypes as c
import os
import tempfile
from typing import Any, Iterator, Optional, Union

from . import _errors, _results, _scenario
from . import _library as lib
from ._drive import Drive
from ._progress import ProgressLike
from ._scenario import Settings

PathLike = Union[str, "os.PathLike[str]"]


@contextlib.contextmanager
def _laboratory(file: Optional[PathLike], settings: Optional[Settings],
                named: Settings) -> Iterator[Any]:
    catalog = lib.Catalog()
    words = lib.strings(_scenario.overrides(settings, named))
    at, err = c.c_void_p(), lib.ErrorText()
    lib.fail(lib.lib.weft_crossbar_open(lib.path(file) if file is not None else None, words,
                                        catalog.at, c.byref(at), c.byref(err)), err)
    try:
        yield at
    finally:
        lib.lib.weft_crossbar_close(at)


def search(settings: Optional[Settings] = None, *, file: Optional[PathLike] = None,
           results: Optional[PathLike] = None, new: bool = False, threads: Optional[int] = None,
           progress: ProgressLike = None, **named: Any) -> _results.Results:
    """Runs all matrices of every point, or the drawn ones: throughput, and the worst of them.

    file holds settings as YAML; results is a .weft file, from which a stopped search goes on.
    """
    with tempfile.TemporaryDirectory(prefix="interweft-") as folder, \
            _laboratory(file, settings, named) as at:
        path = os.path.join(folder, "crossbar.weft") if results is None else os.fspath(results)
        drive = Drive(progress)
        options = lib.CrossbarOptions(results=lib.path(path), fresh=new,
                                      threads=lib.count("threads", threads))
        drive.connect(options, notice=False)
        status = drive.run(lambda err: lib.lib.weft_crossbar_search(at, c.byref(options), err))
        if status == lib.STOPPED:
            points = int(lib.lib.weft_crossbar_points(at))
            raise _errors.Stopped(path if results is not None else None,
                                  drive.last.done if drive.last else 0, points)
        return _results.open(path)  # a file that is gone stays readable while it is open


def run(settings: Optional[Settings] = None, *, file: Optional[PathLike] = None, slots: int = 24,
        lottery: bool = True, **named: Any) -> str:
    """One matrix: arrivals and departures slot by slot, throughput and rates of flows, as text.

    lottery: also with random arrivals, for comparison.
    """
    shown = lib.count("slots", slots)
    if shown < 1:
        raise ValueError(f"slots is a whole number from 1, found {shown}")
    with _laboratory(file, settings, named) as at:
        view, pieces = lib.CrossbarView(slots=shown, lottery=lottery), []
        drive = Drive(False)
        for i in range(int(lib.lib.weft_crossbar_points(at))):
            text = c.c_void_p()
            drive.run(lambda err: lib.lib.weft_crossbar_run(at, i, c.byref(view), c.byref(text),
                                                            err))
            if drive.interrupted:
                raise KeyboardInterrupt
            key = lib.text(lib.lib.weft_crossbar_key(at, i))
            pieces.append((key + "\n" if key else "") + lib.take(text))
        return "\n".join(pieces)


def count(settings: Optional[Settings] = None, *, file: Optional[PathLike] = None,
          **named: Any) -> str:
    """How many matrices there are with the n and d of every point, as lines of text."""
    with _laboratory(file, settings, named) as at:
        text, err = c.c_void_p(), lib.ErrorText()
        lib.fail(lib.lib.weft_crossbar_count(at, c.byref(text), c.byref(err)), err)
        return lib.take(text)
