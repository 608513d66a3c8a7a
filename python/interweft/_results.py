# SPDX-License-Identifier: Apache-2.0
"""Points and their metrics, from memory or from a .weft file."""
from __future__ import annotations

import ctypes as c
import dataclasses
import difflib
import html
import math
import os
import re
import threading
from typing import (Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple,
                    Union, overload)

from . import _errors
from . import _library as lib

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?%?")


@dataclasses.dataclass(frozen=True)
class Metric:
    """An estimate or a fact with its interval; low and high are NaN without one, and method says
    why. by and index address a part: by "hops", index 5; by "model" is an analytic value."""

    name: str
    of: str     # traffic class; "" is all of them
    by: str     # "", "hops", "percentile", "model", "bound" …
    index: int  # hops; percentile in 1/1000 %
    value: float
    low: float
    high: float
    n: int      # observations behind it
    unit: str
    method: str

    @property
    def half_width(self) -> float:
        """Half of the interval; NaN without one."""
        return (self.high - self.low) / 2

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        interval = f" ± {self.half_width:.2g}" if math.isfinite(self.half_width) else ""
        return f"{self.value:.6g}{interval} {self.unit}"


class Array(NamedTuple):
    """A histogram or a series: x are lower edges of bins, y counts. A matrix: y row by row."""

    table: str  # "histogram", "series" or "matrix"
    name: str
    of: str
    unit: str
    x: Tuple[int, ...]
    y: Tuple[int, ...]
    columns: int


@dataclasses.dataclass(frozen=True)
class Link:
    """A link and the ticks it was busy of those that were measured."""

    name: str
    index: int
    busy: int
    span: int

    @property
    def utilisation(self) -> float:
        return self.busy / self.span if self.span else math.nan


def _number(value: str) -> Any:
    """A value of a key: a number if it is one, else the text."""
    if not _NUMBER.fullmatch(value):
        return value
    if value.endswith("%"):
        return float(value[:-1]) / 100
    return int(value) if re.fullmatch(r"[+-]?\d+", value) else float(value)


class Point:
    """All results of one point of a grid.

    >>> point["latency"].value, point["latency"].low, point["latency"].high   # doctest: +SKIP
    >>> point.varied                                                          # doctest: +SKIP
    {'traffic.all.rho': 0.3}
    """

    key: str        # "traffic.all.rho=0.3"; "" if nothing varies
    settings: str   # the scenario of this point as understood, YAML
    verdict: str    # "converged", "saturated", "limit packets" …
    saturated: bool
    metrics: Tuple[Metric, ...]
    wall_seconds: float
    peak_bytes: int
    finished: str   # when, where and by what it was run; "" where nothing was stored
    host: str
    version: str
    build: str

    def __init__(self, record: Any, again: Optional["_Again"] = None) -> None:
        self._again = again
        self._found: Optional[Dict[Tuple[str, str, str, int], Metric]] = None
        for name in ("key", "settings", "verdict", "finished", "host", "version", "build"):
            setattr(self, name, lib.text(getattr(record, name)))
        self.saturated = record.saturated
        self.wall_seconds, self.peak_bytes = record.wall_seconds, record.peak_bytes
        self.metrics = tuple(
            Metric(lib.text(m.name), lib.text(m.of), lib.text(m.by), m.index, m.value, m.lo, m.hi,
                   m.n, lib.text(m.unit), lib.text(m.method))
            for m in record.metrics[:record.n_metrics])

    @property
    def varied(self) -> Dict[str, Any]:
        """The settings that vary, with this point's values: numbers where they are numbers."""
        return {name: _number(value) for name, value in lib.key_parts(self.key)}

    def get(self, name: str, of: str = "", by: str = "", index: int = 0) -> Optional[Metric]:
        """The metric with this name, class, by and index; None if there is none."""
        if self._found is None:
            self._found = {(m.name, m.of, m.by, m.index): m for m in self.metrics}
        return self._found.get((name, of, by, index))

    def __getitem__(self, name: str) -> Metric:
        metric = self.get(name)
        if metric is None:
            known = sorted({m.name for m in self.metrics if m.of == "" and m.by == ""})
            near = difflib.get_close_matches(name, known, 1)
            meant = f"did you mean '{near[0]}'?" if near else "there are " + ", ".join(known)
            raise KeyError(f"no metric '{name}'; {meant}")
        return metric

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def parts(self, name: str, by: str, of: str = "") -> List[Metric]:
        """The parts of a metric, by rising index: parts("latency", "hops")."""
        found = [m for m in self.metrics if (m.name, m.of, m.by) == (name, of, by)]
        return sorted(found, key=lambda m: m.index)

    def percentile(self, percent: float, name: str = "latency", of: str = "") -> Metric:
        """The percentile of a distribution, such as 99 or 99.9; KeyError if it was not kept."""
        metric = self.get(name, of, "percentile", round(1000 * percent))
        if metric is None:
            known = ", ".join(f"{m.index / 1000:g}" for m in self.parts(name, "percentile", of))
            raise KeyError(f"no percentile {percent:g} of '{name}'; there are: {known or 'none'}")
        return metric

    def as_dict(self) -> Dict[str, Any]:
        """Varied settings, verdict, and of every metric of the whole network its value and its
        interval: latency, latency_low, latency_high."""
        row: Dict[str, Any] = dict(self.varied)
        row["verdict"], row["saturated"] = self.verdict, self.saturated
        for m in self.metrics:
            if m.of == "" and m.by == "":
                row[m.name] = m.value
                if math.isfinite(m.low) or math.isfinite(m.high):
                    row[f"{m.name}_low"], row[f"{m.name}_high"] = m.low, m.high
        return row

    @property
    def arrays(self) -> List[Array]:
        """Histograms, series and matrices, read when they are asked for."""
        return self._again(_arrays) if self._again is not None else []

    @property
    def links(self) -> List[Link]:
        """Links and how busy they were, as far as the scenario stores them."""
        return self._again(_links) if self._again is not None else []

    def __repr__(self) -> str:
        return f"<interweft.Point {self.key or 'the only one'}: {self.verdict}>"


def _arrays(record: Any) -> List[Array]:
    return [Array(lib.text(a.table), lib.text(a.name), lib.text(a.of), lib.text(a.unit),
                  tuple(a.x[:a.count]) if a.x else (), tuple(a.y[:a.count]), a.columns)
            for a in record.arrays[:record.n_arrays]]


def _links(record: Any) -> List[Link]:
    return [Link(lib.text(link.name), link.index, link.busy, link.span)
            for link in record.links[:record.n_links]]


class Points(Sequence[Point]):
    """Points in the order for people, as dicts or as a DataFrame."""

    title: str = ""

    def __init__(self, points: Sequence[Point], title: str = "") -> None:
        self._points = list(points)
        self.title = title

    def __len__(self) -> int:
        return len(self._points)

    def _at(self, i: int) -> Point:
        return self._points[i]

    @overload
    def __getitem__(self, i: int) -> Point: ...
    @overload
    def __getitem__(self, i: slice) -> "Points": ...

    def __getitem__(self, i: Union[int, slice]) -> Union[Point, "Points"]:
        if isinstance(i, slice):
            return Points([self._at(k) for k in range(*i.indices(len(self)))], self.title)
        k = i + len(self) if i < 0 else i
        if not 0 <= k < len(self):
            raise IndexError(f"point {i} of {len(self)}")
        return self._at(k)

    def __iter__(self) -> Iterator[Point]:
        for i in range(len(self)):
            yield self._at(i)

    def where(self, **varied: Any) -> "Points":
        """The points with these values of varied settings, named by the end of their path:
        where(selection="diagonal"), where(traffic__all__rho=0.3)."""
        def fits(point: Point) -> bool:
            for name, wanted in varied.items():
                path = name.replace("__", ".").replace("_", "-")
                values = [value for key, value in point.varied.items()
                          if key == path or key.endswith("." + path)]
                if not values:
                    raise KeyError(f"no varied setting '{path}'; there are: "
                                   + (", ".join(point.varied) or "none"))
                if values[0] != wanted:
                    return False
            return True
        return Points([point for point in self if fits(point)], self.title)

    def dicts(self) -> List[Dict[str, Any]]:
        """One dict a point: varied settings, verdict, metrics with their intervals."""
        return [point.as_dict() for point in self]

    def frame(self, tidy: bool = False) -> Any:
        """A pandas DataFrame: a row for every point with latency, latency_low, latency_high …;
        tidy: a row for every metric of every point, parts and models included."""
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            raise ImportError("frame() needs pandas (Debian: python3-pandas); dicts() does not"
                              ) from None
        if not tidy:
            return pandas.DataFrame(self.dicts())
        rows = [{**point.varied, "verdict": point.verdict, "saturated": point.saturated,
                 **vars(m)} for point in self for m in point.metrics]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        name = f" '{self.title}'" if self.title else ""
        return f"<interweft.{type(self).__name__}{name}: {len(self)} points>"

    def _repr_html_(self) -> str:
        """The table that a notebook shows: what varies, verdict, and metrics with intervals."""
        wanted = ("latency", "accepted", "completion")
        points = [self._at(i) for i in range(min(len(self), 60))]
        if not points:
            return html.escape(repr(self))
        first = points[0]
        shown = [name for name in wanted if any(name in p for p in points)]
        if not shown:
            shown = [m.name for m in first.metrics if m.of == m.by == ""][:4]
        names = list(first.varied)
        head = [*(name.split(".")[-1] for name in names), "verdict", *shown]
        rows = [[*(f"{p.varied.get(name, '')}" for name in names), p.verdict,
                 *(str(p[name]) if name in p else "" for name in shown)] for p in points]
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                        for row in rows)
        more = f"<p>… {len(self) - len(points)} more</p>" if len(self) > len(points) else ""
        return (f"<table><caption>{html.escape(self.title)}</caption><thead><tr>"
                + "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
                + f"</tr></thead><tbody>{cells}</tbody></table>{more}")


class Results(Points):
    """Results of a study, in memory or of a .weft file, to read. A context manager; what is not
    closed is closed when nothing refers to it any more. Several threads may read them."""

    def __init__(self, at: Any, close: Callable[[], Any], keeps: Any = None) -> None:
        self._at_result, self._close, self._keeps = at, close, keeps
        self._read: Dict[int, Point] = {}
        self._lock = threading.RLock()  # a record lives until the next one is read
        self.title = lib.text(lib.lib.weft_result_title(at))

    def _open(self) -> Any:
        if self._at_result is None:
            raise ValueError("these results are closed")
        return self._at_result

    def close(self) -> None:
        """Ends the use of the file, or gives the memory back. Points that were read stay."""
        with self._lock:
            if self._at_result is not None:
                self._at_result = None
                self._close()
                self._keeps = None

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<interweft.Results: closed>" if self._at_result is None else super().__repr__()

    def __reduce__(self) -> Any:
        raise TypeError("results stay in their process; points go to others: list(results)")

    def __del__(self) -> None:
        if getattr(self, "_at_result", None) is not None:
            self.close()

    def __len__(self) -> int:
        with self._lock:
            return int(lib.lib.weft_result_points(self._open()))

    def _use(self, i: int, use: Callable[[Any], Any]) -> Any:
        """What `use` makes of the record of point i."""
        record, err = c.POINTER(lib.PointRecord)(), lib.ErrorText()
        with self._lock:
            status = lib.lib.weft_result_read(self._open(), i, c.byref(record), c.byref(err))
            if status != lib.OK:
                raise _errors.ResultsError(lib.text(err.text))
            return use(record.contents)

    def _at(self, i: int) -> Point:
        if i not in self._read:
            self._read[i] = self._use(i, lambda record: Point(record, _Again(self, i)))
        return self._read[i]

    @property
    def path(self) -> Optional[str]:
        """The file; None: the results are in memory."""
        with self._lock:
            raw = lib.lib.weft_result_path(self._open())
        return None if not raw or raw == lib.IN_MEMORY else os.fsdecode(raw)

    @property
    def scenario(self) -> str:
        """The scenario as understood, with its grid."""
        with self._lock:
            return lib.text(lib.lib.weft_result_scenario(self._open()))

    def export(self, format: str = "canonical") -> bytes:
        """Everything as "canonical" (the result bytes), "csv" or "json", as weft export prints."""
        if format not in lib.FORMATS:
            raise ValueError(f"format is canonical, csv or json, not {format!r}")
        pieces: List[bytes] = []

        def take(to: Any, data: Any, count: int, err: Any) -> int:
            pieces.append(c.string_at(data, count))
            return int(lib.OK)
        err, sink = lib.ErrorText(), lib.SINK(take)
        with self._lock:
            status = lib.lib.weft_result_export(self._open(), lib.FORMATS[format], sink, None,
                                                c.byref(err))
        if status != lib.OK:
            raise _errors.ResultsError(lib.text(err.text))
        return b"".join(pieces)


class _Again:
    """Reads a point's record again, for what is large; does not keep the results alive in a ring,
    so that they are closed as soon as nobody uses them."""

    def __init__(self, results: Results, i: int) -> None:
        import weakref
        self.results: Callable[[], Optional[Results]] = weakref.ref(results)
        self.i = i

    def __deepcopy__(self, _: Any) -> "_Again":
        return self

    def __reduce__(self) -> Any:
        return _elsewhere, (self.i,)

    def __call__(self, use: Callable[[Any], List[Any]]) -> List[Any]:
        results = self.results()
        if results is None:
            raise ValueError("the results of this point are closed, or of another process; keep "
                             "them for arrays and links")
        found: List[Any] = results._use(self.i, use)
        return found


def _elsewhere(i: int) -> _Again:
    """Of a point that came from another process."""
    again = _Again.__new__(_Again)
    again.results, again.i = lambda: None, i
    return again


def open(path: Union[str, "os.PathLike[str]"]) -> Results:  # noqa: A001
    """Opens a .weft file to read.

    >>> with interweft.open("torus.weft") as results:         # doctest: +SKIP
    ...     table = results.frame()
    """
    at, err = c.c_void_p(), lib.ErrorText()
    status = lib.lib.weft_result_open(lib.path(path), c.byref(at), c.byref(err))
    if status != lib.OK:
        if not os.path.exists(path):
            raise FileNotFoundError(lib.text(err.text))
        raise _errors.ResultsError(lib.text(err.text))
    return Results(at.value, lambda: lib.lib.weft_result_close(at.value))
