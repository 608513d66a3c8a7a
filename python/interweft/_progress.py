# SPDX-License-Identifier: Apache-2.0
"""Progress for people: one line that is redrawn, in a terminal or below a notebook's cell."""
from __future__ import annotations

import dataclasses
import html
import math
import shutil
import sys
import time
from typing import Any, Callable, Optional, Union

from . import _library as lib


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a run is; what a function given as `progress` gets, a few times a second."""

    point: int          # a point being run, from 1
    points: int         # how many there are
    done: int           # are committed
    running: int        # are being run; 0: unknown
    whole: float        # 0 … 1 of all that is to be run, by estimates; 0: unknown
    key: str            # of the point
    share: float        # 0 … 1 of this point, as far as known
    packets: float      # delivered so far; matrices of a crossbar
    latency: float      # running estimate; NaN while unknown
    half_width: float
    seconds: float      # since the call

    @property
    def part(self) -> float:
        """0 … 1 of everything, as well as it is known."""
        if self.whole > 0:
            return min(self.whole, 1.0)
        return min((self.done + (self.share if self.points == 1 else 0)) / max(self.points, 1), 1.0)


ProgressLike = Union[None, bool, Callable[[Progress], Any]]


def of_record(record: lib.ProgressRecord, began: float) -> Progress:
    return Progress(record.point, record.points, record.done, record.running, record.whole,
                    lib.text(record.key), record.share, record.packets, record.latency,
                    record.half_width, time.monotonic() - began)


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"


def line(progress: Progress, width: int = 1000) -> str:
    """"12 of 36 points done, 2 running  8 s, about 11 s left  latency 83.1 ± 1.2  rho=0.4"; what
    does not fit is left out."""
    if progress.points > 1:
        words = f"{progress.done} of {progress.points} points done"
        if progress.running:
            words += f", {progress.running} running"
    else:
        words = f"{100 * progress.part:.0f} %"
    words += f"  {_span(progress.seconds)}"
    if 0.01 < progress.part < 1:
        left = progress.seconds * (1 - progress.part) / progress.part
        words += f", about {_span(left)} left"
    more = []
    if math.isfinite(progress.latency):
        known = math.isfinite(progress.half_width) and progress.half_width > 0
        more.append(f"  latency {progress.latency:.4g}"
                    + (f" ± {progress.half_width:.2g}" if known else ""))
    if progress.key:
        more.append(f"  {progress.key}")
    for part in more:
        if len(words) + len(part) <= width:
            words += part
    return words[:width]


class Display:
    """Shows nothing; those below show something."""

    every = 10.0  # seconds between two lines

    def __init__(self) -> None:
        self.last = time.monotonic()

    def take(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.last >= self.every:
            self.last = now
            self.show(progress)

    def show(self, progress: Progress) -> None:
        pass

    def end(self) -> None:
        pass


class Lines(Display):
    """Where nobody looks at the moment: a line every ten seconds."""

    def show(self, progress: Progress) -> None:
        print(line(progress), file=sys.stderr, flush=True)


class Terminal(Display):
    """One line that is drawn again."""

    every = 0.2
    drawn = False

    def show(self, progress: Progress) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r\033[K" + line(progress, width))
        sys.stderr.flush()
        self.drawn = True

    def end(self) -> None:
        if self.drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


class Notebook(Display):
    """A bar below the cell, gone when the run has ended."""

    every = 0.3
    handle: Any = None

    def show(self, progress: Progress) -> None:
        from IPython import display  # type: ignore[import]
        bar = display.HTML(f'<progress max="1" value="{progress.part:.4f}" style="width: 20em">'
                           f'</progress> {html.escape(line(progress))}')
        if self.handle is None:
            self.handle = display.display(bar, display_id=True)
        else:
            self.handle.update(bar)

    def end(self) -> None:
        if self.handle is not None:
            from IPython import display
            self.handle.update(display.HTML(""))


class Caller(Display):
    """A function of the caller's gets it."""

    every = 0.0

    def __init__(self, function: Callable[[Progress], Any]) -> None:
        super().__init__()
        self.function = function

    def show(self, progress: Progress) -> None:
        self.function(progress)


def _in_notebook() -> bool:
    shell: Optional[Any] = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def display_for(wanted: ProgressLike) -> Display:
    """None: as fits the place; True: a line at least; False: nothing; a function gets Progress."""
    if callable(wanted):
        return Caller(wanted)
    if wanted is False:
        return Display()
    if _in_notebook():
        return Notebook()
    return Terminal() if sys.stderr.isatty() else Lines()
