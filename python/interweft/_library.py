# SPDX-License-Identifier: Apache-2.0
"""libinterweft by ctypes: where it is, its structures, its calls. Nothing else knows ctypes' side.

The structures are those of include/interweft; tests/python/test_layout.py compares their sizes
with a C compiler's.
"""
from __future__ import annotations

import ctypes as c
import operator
import os
import pathlib
from typing import Any, Iterator, List, Optional, Sequence, Union

from . import _errors

PathLike = Union[str, "os.PathLike[str]"]

OK, BAD_INPUT, BAD_USAGE, BROKEN, STOPPED = range(5)
REQUEST_NONE, REQUEST_CHECKPOINT, REQUEST_STOP = range(3)
FORMATS = {"canonical": 0, "csv": 1, "json": 2}
IN_MEMORY = b":memory:"
NAME = "libinterweft.so.0"


class ErrorText(c.Structure):
    _fields_ = [("text", c.c_char * 4096)]


class ProgressRecord(c.Structure):
    _fields_ = [("point", c.c_size_t), ("points", c.c_size_t), ("done", c.c_size_t),
                ("running", c.c_size_t), ("whole", c.c_double), ("key", c.c_char_p),
                ("share", c.c_double), ("packets", c.c_double), ("packet_hops", c.c_double),
                ("time", c.c_int64), ("latency", c.c_double), ("half_width", c.c_double),
                ("load", c.c_double), ("stable", c.c_double), ("unstable", c.c_double)]


class Outline(c.Structure):
    _fields_ = [("there", c.c_size_t), ("missing", c.c_size_t), ("again", c.c_size_t),
                ("changed", c.c_size_t), ("at_once", c.c_uint32), ("members", c.c_uint32)]


class MetricRecord(c.Structure):
    _fields_ = [("name", c.c_char_p), ("of", c.c_char_p), ("by", c.c_char_p),
                ("index", c.c_int64), ("value", c.c_double), ("lo", c.c_double),
                ("hi", c.c_double), ("n", c.c_int64), ("unit", c.c_char_p),
                ("method", c.c_char_p)]


class ArrayRecord(c.Structure):
    _fields_ = [("table", c.c_char_p), ("name", c.c_char_p), ("of", c.c_char_p),
                ("unit", c.c_char_p), ("count", c.c_size_t), ("x", c.POINTER(c.c_int64)),
                ("y", c.POINTER(c.c_int64)), ("columns", c.c_size_t)]


class LinkRecord(c.Structure):
    _fields_ = [("name", c.c_char_p), ("index", c.c_int64), ("busy", c.c_int64),
                ("span", c.c_int64)]


class PointRecord(c.Structure):
    _fields_ = [("key", c.c_char_p), ("settings", c.c_char_p), ("verdict", c.c_char_p),
                ("saturated", c.c_bool), ("n_metrics", c.c_size_t), ("n_arrays", c.c_size_t),
                ("n_links", c.c_size_t), ("metrics", c.POINTER(MetricRecord)),
                ("arrays", c.POINTER(ArrayRecord)), ("links", c.POINTER(LinkRecord)),
                ("wall_seconds", c.c_double), ("peak_bytes", c.c_int64),
                ("finished", c.c_char_p), ("host", c.c_char_p), ("version", c.c_char_p),
                ("build", c.c_char_p)]


class KeyPart(c.Structure):
    _fields_ = [("name", c.c_void_p), ("value", c.c_void_p), ("name_length", c.c_size_t),
                ("value_length", c.c_size_t)]


BEGINS = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Outline))
PROGRESS = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(ProgressRecord))
NOTICE = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p)
STEP = c.CFUNCTYPE(None, c.c_void_p, c.c_size_t, c.c_size_t, c.c_char_p)
SINK = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(c.c_char), c.c_size_t, c.POINTER(ErrorText))


class StudyOptions(c.Structure):
    _fields_ = [("file", c.c_char_p), ("text", c.c_char_p), ("overrides", c.POINTER(c.c_char_p)),
                ("results", c.c_char_p), ("points", c.c_char_p), ("part", c.c_char_p),
                ("fresh", c.c_bool), ("context", c.c_void_p),
                ("blocks", c.c_int64), ("jobs", c.c_int64), ("threads", c.c_int64),
                ("ranks", c.c_int64), ("memory", c.c_int64), ("checkpoint_s", c.c_double),
                ("thorough", c.c_bool), ("keep_going", c.c_bool), ("one_load", c.c_bool),
                ("request", c.c_void_p),
                ("begins", BEGINS), ("progress", PROGRESS), ("finished", c.c_void_p),
                ("notice", NOTICE), ("user", c.c_void_p)]


class ProbeRecord(c.Structure):
    _fields_ = [("load", c.c_double), ("accepted", c.c_double), ("lo", c.c_double),
                ("hi", c.c_double), ("packets", c.c_int64), ("verdict", c.c_char * 40)]


class SaturationRecord(c.Structure):
    _fields_ = [("load", c.c_double), ("unstable", c.c_double), ("rho", c.c_double),
                ("bound", c.c_double), ("accepted", c.c_double), ("accepted_lo", c.c_double),
                ("accepted_hi", c.c_double), ("accepted_steady", c.c_bool),
                ("from_empty", c.c_double), ("always_stable", c.c_bool), ("why", c.c_char * 256),
                ("n_probes", c.c_size_t), ("probes", ProbeRecord * 80)]


FOUND = c.CFUNCTYPE(None, c.c_void_p, c.c_size_t, c.POINTER(SaturationRecord))


class TopologyChoice(c.Structure):
    _fields_ = [("file", c.c_char_p), ("text", c.c_char_p), ("overrides", c.POINTER(c.c_char_p)),
                ("without", c.POINTER(c.c_char_p)), ("rates", c.POINTER(c.c_char_p))]


class OutputRecord(c.Structure):
    _fields_ = [("name", c.c_char_p), ("unit", c.c_char_p), ("by", c.c_char_p),
                ("brief", c.c_char_p), ("printed", c.c_bool)]


class AgreementRecord(c.Structure):
    _fields_ = [("point", c.c_size_t), ("output", c.POINTER(OutputRecord)), ("index", c.c_int64),
                ("model", c.c_double), ("simulated", c.c_double), ("lo", c.c_double),
                ("hi", c.c_double), ("saturated", c.c_bool)]


class ModelTrials(c.Structure):
    _fields_ = [("rows", c.POINTER(AgreementRecord)), ("count", c.c_size_t), ("seed", c.c_int64)]


class CrossbarView(c.Structure):
    _fields_ = [("slots", c.c_uint64), ("lottery", c.c_bool), ("progress", PROGRESS),
                ("user", c.c_void_p)]


class CrossbarOptions(c.Structure):
    _fields_ = [("results", c.c_char_p), ("fresh", c.c_bool), ("context", c.c_void_p),
                ("threads", c.c_int64), ("lanes", c.c_int64), ("request", c.c_void_p),
                ("progress", PROGRESS), ("user", c.c_void_p)]


class PlanningOptions(c.Structure):
    _fields_ = [("file", c.c_char_p), ("overrides", c.POINTER(c.c_char_p)), ("progress", STEP),
                ("user", c.c_void_p)]


class PlannedRecord(c.Structure):
    _fields_ = [("name", c.c_char_p), ("file", c.c_char_p), ("family", c.c_char_p),
                ("refused", c.c_char_p), ("endpoints", c.c_uint32), ("switches", c.c_uint32),
                ("routers", c.c_uint32), ("ports", c.c_uint32), ("racks", c.c_uint32),
                ("network_racks", c.c_uint32), ("rows", c.c_uint32),
                ("cables", (c.c_uint64 * 2) * 17), ("by_medium", c.c_uint64 * 2),
                ("metres", c.c_double), ("longest", c.c_double), ("cost", c.c_double),
                ("power", c.c_double), ("cost_switches", c.c_double), ("cost_cables", c.c_double),
                ("cost_racks", c.c_double), ("diameter", c.c_uint32),
                ("diameter_exact", c.c_bool), ("mean_hops", c.c_double),
                ("bisection", c.c_double), ("bound", c.c_double * 3), ("minimal", c.c_double * 3),
                ("why", c.c_char_p * 3), ("front", c.c_bool * 3), ("chosen", c.c_bool),
                ("at", c.c_void_p), ("simulated", c.c_void_p), ("outage", c.c_void_p),
                ("spare_cables", c.c_uint32), ("spare_switches", c.c_uint32)]


# name of the structure in C: here
STRUCTURES = {
    "weft_error": ErrorText, "weft_progress": ProgressRecord, "weft_outline": Outline,
    "weft_metric": MetricRecord, "weft_array": ArrayRecord, "weft_link_row": LinkRecord,
    "weft_point": PointRecord, "weft_key_part": KeyPart, "weft_study_options": StudyOptions,
    "weft_saturation_probe": ProbeRecord, "weft_saturation": SaturationRecord,
    "weft_topology_choice": TopologyChoice, "weft_output": OutputRecord,
    "weft_agreement": AgreementRecord, "weft_model_trials": ModelTrials,
    "weft_crossbar_view": CrossbarView, "weft_crossbar_options": CrossbarOptions,
    "weft_planning_options": PlanningOptions, "weft_planned": PlannedRecord,
}

_P, _S, _I, _N = c.c_void_p, c.c_char_p, c.c_int64, c.c_size_t
_ERR, _OUT, _LIST = c.POINTER(ErrorText), c.POINTER(c.c_void_p), c.POINTER(c.c_char_p)

# call: what it returns, what it takes
_CALLS = {
    "weft_version": (_S, []),
    "weft_request_flag": (c.c_int, [_P]),
    "weft_facts_json": (_P, [_S]),
    "weft_key_next": (c.c_bool, [c.POINTER(c.c_void_p), c.POINTER(KeyPart)]),
    "weft_catalog_create": (_P, []),
    "weft_catalog_destroy": (None, [_P]),
    "weft_catalog_load": (c.c_int, [_P, _S, _ERR]),
    "weft_catalog_list": (c.c_int, [_P, _S, _OUT, _ERR]),
    "weft_catalog_describe": (c.c_int, [_P, _S, _OUT, _ERR]),
    "weft_study_open": (c.c_int, [c.POINTER(StudyOptions), _P, _OUT, _ERR]),
    "weft_study_close": (None, [_P]),
    "weft_study_points": (_N, [_P]),
    "weft_study_point_key": (_S, [_P, _N]),
    "weft_study_results": (_S, [_P]),
    "weft_study_run": (c.c_int, [_P, _ERR]),
    "weft_study_result": (_P, [_P]),
    "weft_study_check": (c.c_int, [_P, _OUT, _ERR]),
    "weft_study_saturate_all": (c.c_int, [_P, c.c_double, _P, FOUND, _P, _ERR]),
    "weft_saturation_open": (c.c_int, [_P, _S, c.c_double, c.c_bool, _OUT, _ERR]),
    "weft_result_open": (c.c_int, [_S, _OUT, _ERR]),
    "weft_result_close": (None, [_P]),
    "weft_result_title": (_S, [_P]),
    "weft_result_scenario": (_S, [_P]),
    "weft_result_points": (_N, [_P]),
    "weft_result_key": (_S, [_P, _N]),
    "weft_result_path": (_S, [_P]),
    "weft_result_read": (c.c_int, [_P, _N, c.POINTER(c.POINTER(PointRecord)), _ERR]),
    "weft_result_export": (c.c_int, [_P, c.c_int, SINK, _P, _ERR]),
    "weft_model_open": (c.c_int, [_S, _LIST, _P, _OUT, _ERR]),
    "weft_model_close": (None, [_P]),
    "weft_model_title": (_S, [_P]),
    "weft_model_outputs": (c.POINTER(OutputRecord), [_P]),
    "weft_model_points": (_N, [_P]),
    "weft_model_simulates": (c.c_bool, [_P]),
    "weft_model_run": (c.c_int, [_P, c.POINTER(StudyOptions), _ERR]),
    "weft_model_point": (c.POINTER(PointRecord), [_P, _N]),
    "weft_model_simulate": (c.c_int, [_P, _I, c.POINTER(StudyOptions),
                                      c.POINTER(c.POINTER(AgreementRecord)), c.POINTER(_N), _ERR]),
    "weft_model_save": (c.c_int, [_P, _S, c.c_bool, c.POINTER(ModelTrials), _ERR]),
    "weft_crossbar_open": (c.c_int, [_S, _LIST, _P, _OUT, _ERR]),
    "weft_crossbar_close": (None, [_P]),
    "weft_crossbar_points": (_N, [_P]),
    "weft_crossbar_key": (_S, [_P, _N]),
    "weft_crossbar_count": (c.c_int, [_P, _OUT, _ERR]),
    "weft_crossbar_run": (c.c_int, [_P, _N, c.POINTER(CrossbarView), _OUT, _ERR]),
    "weft_crossbar_search": (c.c_int, [_P, c.POINTER(CrossbarOptions), _ERR]),
    "weft_topology_show": (c.c_int, [_P, c.POINTER(TopologyChoice), _OUT, _ERR]),
    "weft_topology_export": (c.c_int, [_P, c.POINTER(TopologyChoice), _S, _OUT, _ERR]),
    "weft_topology_path": (c.c_int, [_P, c.POINTER(TopologyChoice), _S, _S, _OUT, _ERR]),
    "weft_planning_open": (c.c_int, [c.POINTER(PlanningOptions), _P, _OUT, _ERR]),
    "weft_planning_close": (None, [_P]),
    "weft_planning_count": (_N, [_P]),
    "weft_planning_fabric": (c.POINTER(PlannedRecord), [_P, _N]),
    "weft_planning_scenario": (_P, [_P, _N]),
}


def _candidates() -> Iterator[str]:
    """Where the library may be: as said, beside this package in a build tree or under the prefix
    it is installed in, and where the system looks."""
    said = os.environ.get("WEFT_LIBRARY")
    if said:
        yield said
        return
    here = pathlib.Path(__file__).resolve().parent
    source = here.parent.parent
    if (source / "CMakeLists.txt").is_file():
        built = [path for path in [*source.glob(f"build/{NAME}"), *source.glob(f"build/*/{NAME}")]
                 if path.is_file()]
        # the release build is the fast one; sanitizers do not work inside of Python
        rank = {"release": 0, "build": 1, "dev": 2}
        built.sort(key=lambda path: (rank.get(path.parent.name, 3), -path.stat().st_mtime))
        yield from (str(path) for path in built
                    if path.parent.name not in ("asan", "tsan", "coverage", "fuzz"))
    for prefix in here.parents:
        yield from (str(path) for path in sorted([*prefix.glob(f"lib/{NAME}"),
                                                  *prefix.glob(f"lib/*/{NAME}"),
                                                  *prefix.glob(f"lib64/{NAME}")]))
    yield NAME


def _load() -> c.CDLL:
    failures = []
    for path in _candidates():
        try:
            library = c.CDLL(path, mode=c.RTLD_GLOBAL)  # plug-ins call it
        except OSError as problem:
            failures.append(str(problem))
            continue
        for name, (gives, takes) in _CALLS.items():
            try:
                call = getattr(library, name)
            except AttributeError:
                raise _errors.LibraryNotFound(
                    f"{path} is too old for this package: it has no {name}") from None
            call.restype, call.argtypes = gives, takes
        return library
    raise _errors.LibraryNotFound(
        f"{NAME} is not found; build it (cmake --preset release && cmake --build --preset release) "
        "or name it in WEFT_LIBRARY. Tried: " + "; ".join(failures))


lib: Any = _load()
_libc: Any = c.CDLL(None)
_libc.free.argtypes, _libc.free.restype = [c.c_void_p], None
request_flag = c.cast(lib.weft_request_flag, c.c_void_p)


def text(raw: Optional[bytes]) -> str:
    """A text of the library; bytes that are no UTF-8 are shown."""
    return raw.decode("utf-8", "backslashreplace") if raw else ""


def take(pointer: Any) -> str:
    """A text that the caller frees, as Python's."""
    address = pointer.value if isinstance(pointer, c.c_void_p) else pointer
    if not address:
        return ""
    value = text(c.string_at(address))
    _libc.free(address)
    return value


def strings(values: Sequence[str]) -> Any:
    """A NULL-terminated list of texts, to be kept until the call that uses it has returned."""
    return (c.c_char_p * (len(values) + 1))(*[encode(value) for value in values], None)


def encode(value: str) -> bytes:
    raw = value.encode("utf-8", "surrogateescape")
    if b"\0" in raw:
        raise _errors.ScenarioError("a text with a NUL byte is no setting and no file")
    return raw


def path(value: Any) -> bytes:
    """The name of a file."""
    raw = os.fsencode(value)
    if b"\0" in raw:
        raise _errors.ScenarioError("a text with a NUL byte is no setting and no file")
    return raw


def count(name: str, value: Any) -> int:
    """A whole number of 64 bits; None: 0."""
    number = operator.index(value) if value is not None else 0
    if not -2**63 <= number < 2**63:
        raise ValueError(f"{name} is a whole number below 2^63, found {number}")
    return number


def version() -> str:
    """The version of the library that is used."""
    return text(lib.weft_version())


def fail(status: int, err: ErrorText) -> None:
    """Raises what a status means; returns if it is OK."""
    if status == OK:
        return
    said = text(err.text)
    if status == BROKEN:
        raise _errors.SimulationError(said)
    raise _errors.ScenarioError(said)


class Catalog:
    """The kinds a study may use: built in, and those of plug-ins."""

    def __init__(self, plugins: Union[PathLike, Sequence[PathLike]] = ()) -> None:
        self.at = lib.weft_catalog_create()
        err = ErrorText()
        for plugin in [plugins] if isinstance(plugins, (str, os.PathLike)) else plugins:
            fail(lib.weft_catalog_load(self.at, path(plugin), c.byref(err)), err)

    def __del__(self) -> None:
        if getattr(self, "at", None):
            lib.weft_catalog_destroy(self.at)
            self.at = None


def key_parts(key: str) -> List[Any]:
    """(setting, value) of the varied settings that a point's key names."""
    raw = encode(key)
    buffer = c.create_string_buffer(raw)
    rest, part, parts = c.c_void_p(c.addressof(buffer)), KeyPart(), []
    while lib.weft_key_next(c.byref(rest), c.byref(part)):
        parts.append((text(c.string_at(part.name, part.name_length)),
                      text(c.string_at(part.value, part.value_length))))
    return parts
