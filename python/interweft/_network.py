# SPDX-License-Identifier: Apache-2.0
"""Networks without a simulation: numbers of a topology, its cables, a path; kinds and settings."""
from __future__ import annotations

import ctypes as c
import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _scenario
from . import _library as lib
from ._scenario import ScenarioLike, Settings
from ._study import Facts

PathLike = Union[str, "os.PathLike[str]"]


def _ask(scenario: Optional[ScenarioLike], settings: Optional[Settings], named: Settings,
         plugins: Sequence[PathLike], call: Callable[..., Any]) -> str:
    words = _scenario.overrides(settings, named)
    if isinstance(scenario, Mapping) and "topology" not in scenario:
        # the section alone
        section = {f"topology.{key}": value for key, value in scenario.items()}
        words = _scenario.overrides(section, {}) + words
        scenario = None
    source = _scenario.source(scenario) if scenario is not None else None
    catalog = lib.Catalog(plugins)
    kept = lib.strings(words)
    choice = lib.TopologyChoice(
        file=lib.encode(source.file) if source else None,
        text=lib.encode(source.text) if source and source.text else None,
        overrides=c.cast(kept, c.POINTER(c.c_char_p)))
    text, err = c.c_void_p(), lib.ErrorText()
    lib.fail(call(catalog.at, c.byref(choice), c.byref(text), c.byref(err)), err)
    return lib.take(text)


def topology(scenario: Optional[ScenarioLike] = None, settings: Optional[Settings] = None, *,
             plugins: Sequence[PathLike] = (), **named: Any) -> Facts:
    """Routers, cables, distances and bisection of a topology: of a scenario (a dict, text or
    file), of its section topology alone, or of a .weftnet file.

    >>> topology({"kind": "torus", "dims": [8, 8]}).value("diameter")         # doctest: +SKIP
    8.0
    """
    return Facts(_ask(scenario, settings, named, plugins, lib.lib.weft_topology_show))


def cables(scenario: Optional[ScenarioLike] = None, settings: Optional[Settings] = None, *,
           format: str = "edges", plugins: Sequence[PathLike] = (), **named: Any) -> str:
    """The cables of a topology as text: edges, graphml, dot or ibnetdiscover."""
    return _ask(scenario, settings, named, plugins,
                lambda catalog, choice, text, err: lib.lib.weft_topology_export(
                    catalog, choice, lib.encode(format), text, err))


def path(scenario: ScenarioLike, source: Union[int, str], destination: Union[int, str],
         settings: Optional[Settings] = None, *, plugins: Sequence[PathLike] = (),
         **named: Any) -> str:
    """The path of a packet between two endpoints, hop by hop, as text."""
    return _ask(scenario, settings, named, plugins,
                lambda catalog, choice, text, err: lib.lib.weft_topology_path(
                    catalog, choice, lib.encode(str(source)), lib.encode(str(destination)), text,
                    err))


def kinds(family: Optional[str] = None, *, plugins: Sequence[PathLike] = ()) -> str:
    """Families and kinds, or the kinds of one family, as text."""
    catalog = lib.Catalog(plugins)
    text, err = c.c_void_p(), lib.ErrorText()
    lib.fail(lib.lib.weft_catalog_list(catalog.at, lib.encode(family) if family else None,
                                       c.byref(text), c.byref(err)), err)
    return lib.take(text)


def describe(name: str, *, plugins: Sequence[PathLike] = ()) -> str:
    """What a kind or a section of the scenario does and takes, as text."""
    catalog = lib.Catalog(plugins)
    text, err = c.c_void_p(), lib.ErrorText()
    lib.fail(lib.lib.weft_catalog_describe(catalog.at, lib.encode(name), c.byref(text),
                                           c.byref(err)), err)
    return lib.take(text)
