# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as exceptions. The text of each is the sentence that the library says."""
from __future__ import annotations

import re
from typing import Any, Optional

_PLACE = re.compile(r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+): ")
_MEANT = re.compile(r"did you mean [`'](?P<word>[^`']+)[`']\?")
_BY_HAND = "command line: "


class Error(Exception):
    """Something that Interweft refuses or cannot do; the text says what would be right."""


class ScenarioError(Error, ValueError):
    """A scenario, or a setting given with it, is wrong.

    file, line, column   where it is wrong; None where the text of the scenario has no place for it
                         (a setting that was given to the call, a file that cannot be read)
    message              what is wrong there, in one sentence
    excerpt              the line of the scenario with a mark below the place; "" if there is none
    suggestion           the word that was probably meant; None if nothing is near
    """

    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    message: str
    excerpt: str
    suggestion: Optional[str]

    def __init__(self, text: str) -> None:
        if text.startswith(_BY_HAND):
            text = text[len(_BY_HAND):]
        super().__init__(text)
        place = _PLACE.match(text)
        meant = _MEANT.search(text)
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place else None
        first, _, rest = text[place.end() if place else 0:].partition("\n")
        self.message = first
        self.excerpt = rest
        self.suggestion = meant["word"] if meant else None


class ResultsError(Error):
    """A results file cannot be read, or holds something else."""


class SimulationError(Error):
    """An invariant of the simulation does not hold, or the network deadlocked; the text tells."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C (or a kernel's interrupt) ended a run. What was committed is in the results file.

    results   that file; the same call goes on from there. None: the results were in memory
    done      how many points are finished
    points    how many there are
    """

    results: Optional[str]
    done: int
    points: int

    def __init__(self, results: Optional[str], done: int, points: int) -> None:
        self.results, self.done, self.points = results, done, points
        where = (f"the same call goes on from {results}" if results
                 else "results in memory are lost; results=FILE keeps them")
        super().__init__(f"stopped after {done} of {points} points; {where}")

    def __reduce__(self) -> Any:
        return Stopped, (self.results, self.done, self.points)


class LibraryNotFound(Error, ImportError):
    """There is no libinterweft where it was looked for."""


class Notice(UserWarning):
    """Something that the library says beside its results."""
