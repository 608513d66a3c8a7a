# SPDX-License-Identifier: Apache-2.0
"""Scenarios and settings as Python has them, as the text that the library reads."""
from __future__ import annotations

import json
import os
import re
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Union

Settings = Mapping[str, Any]
ScenarioLike = Union[str, "os.PathLike[str]", Settings]

# A text that YAML reads as itself, inside braces too.
_PLAIN = re.compile(r"^[A-Za-z0-9_./%(*][A-Za-z0-9_ ./%+*()^-]*$")


def flow(value: Any) -> str:
    """A value as YAML on one line."""
    if hasattr(value, "tolist"):  # of NumPy and pandas
        value = value.tolist()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        plain = _PLAIN.match(value) and not value.endswith(" ")
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(str(k))}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(flow(one) for one in value) + "]"
    raise TypeError(f"a setting is text, a number, a truth value, a list or a map, not {value!r}")


def _block(name: str, value: Any, lines: List[str]) -> None:
    nested = isinstance(value, Mapping) and any(
        isinstance(one, Mapping) or name == "vary" for one in value.values())
    if not nested:
        lines.append(f"{flow(name)}: {flow(value)}")
        return
    lines.append(f"{flow(name)}:")
    for key, one in value.items():
        lines.append(f"  {flow(str(key))}: {flow(one)}")


def scenario_text(scenario: Settings) -> str:
    """A scenario given as a dict, as YAML: what a file would hold.

    >>> print(scenario_text({"topology": {"kind": "torus", "dims": [4, 4]}}), end="")
    interweft: 1
    topology: {kind: torus, dims: [4, 4]}
    """
    lines: List[str] = []
    first = "interweft-plan" if "interweft-plan" in scenario else "interweft"
    lines.append(f"{first}: {flow(scenario.get(first, 1))}")
    for name, value in scenario.items():
        if name != first:
            _block(str(name), value, lines)
    return "\n".join(lines) + "\n"


def key_of(name: str) -> str:
    """The setting that the name of an argument stands for: traffic__all__half_width is
    traffic.all.half-width, and lambda_ is lambda."""
    return name.rstrip("_").replace("__", ".").replace("_", "-")


def overrides(settings: Optional[Settings], named: Settings) -> List[str]:
    """Settings as the library takes them, "key=value"; those that a call names come last."""
    if settings is not None and not isinstance(settings, Mapping):
        raise TypeError(f"settings are a dict of paths and values, not {type(settings).__name__}")
    pairs = [(key, value) for key, value in (settings or {}).items()]
    pairs += [(key_of(name), value) for name, value in named.items()]
    return [f"{key}={flow(value)}" for key, value in pairs]


class Source(NamedTuple):
    """A scenario as the library takes it: a file, or a text with a name for messages."""

    file: str
    text: Optional[str]


def source(scenario: ScenarioLike) -> Source:
    """The scenario that a dict, a text or a file's name is. Text has a line end or ': '."""
    if isinstance(scenario, Mapping):
        return Source("scenario", scenario_text(scenario))
    if isinstance(scenario, os.PathLike):
        return Source(os.fspath(scenario), None)
    if not isinstance(scenario, str):
        raise TypeError(f"a scenario is a dict, a text or a file, not {type(scenario).__name__}")
    if "\n" in scenario or (": " in scenario and not os.path.exists(scenario)):
        return Source("scenario", scenario)
    return Source(scenario, None)
