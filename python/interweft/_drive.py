# SPDX-License-Identifier: Apache-2.0
"""A long call of the library, so that Ctrl-C ends it in order and progress is seen.

The call runs in a thread of its own, without the interpreter's lock; the library starts further
threads for points and blocks. The thread that called waits here: Python runs signal handlers only
there. What the library reports comes through a queue, and a stop goes to it as one int that it
looks at by itself (weft_request_flag), so that simulations never wait for Python.
"""
from __future__ import annotations

import ctypes as c
import queue
import signal
import threading
import time
import warnings
from typing import Any, Callable, Optional

from . import _errors, _progress
from . import _library as lib


class Drive:
    """Flag, callbacks and loop of one long call."""

    def __init__(self, progress: _progress.ProgressLike = None) -> None:
        self.flag = c.c_int(lib.REQUEST_NONE)
        self.display = _progress.display_for(progress)
        self.began = time.monotonic()
        self.last: Optional[_progress.Progress] = None
        self.interrupted = False
        self._ended = False
        self._events: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
        put, began = self._events.put, self.began  # no reference to this object: no ring
        self._progress = lib.PROGRESS(
            lambda user, record: put(_progress.of_record(record.contents, began)))
        self._notice = lib.NOTICE(lambda user, text: put(lib.text(text)))

    def connect(self, options: Any, notice: bool = True) -> None:
        """Sets the functions of options, which live as long as this object."""
        options.request = lib.request_flag
        options.user = c.addressof(self.flag)
        options.progress = self._progress
        if notice:
            options.notice = self._notice

    def _interrupt(self, number: int, frame: Any) -> None:
        self.interrupted = True
        self.flag.value = lib.REQUEST_STOP

    def _work(self, call: Callable[[Any], Any], err: lib.ErrorText) -> None:
        status: Any = lib.BROKEN
        try:
            status = call(c.byref(err))
        except BaseException as problem:  # ctypes refused an argument
            status = problem
        finally:
            self._ended = True
            self._events.put((status,))

    def _next(self) -> Any:
        """Shows what comes; the status when the call has ended."""
        while True:
            event = self._events.get()
            if isinstance(event, tuple):
                return event[0]
            if isinstance(event, str):
                warnings.warn(event, _errors.Notice, stacklevel=5)
            else:
                self.last = event
                self.display.take(event)

    def _wait(self) -> Any:
        """A function of the caller's may raise, and so may a signal handler, also again: the call
        is stopped then, and has ended when the first exception goes on."""
        try:
            return self._next()
        except BaseException:
            self.flag.value = lib.REQUEST_STOP
            while not self._ended:
                try:
                    self._events.get(timeout=0.1)
                except BaseException:  # of a handler; Thread.join would take the thread for ended
                    continue
            raise

    def run(self, call: Callable[[Any], Any]) -> int:
        """Makes the call; its status. WEFT_STOPPED is given back, other failures are raised."""
        err, self._ended = lib.ErrorText(), False
        ours = (threading.current_thread() is threading.main_thread()
                and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        thread = threading.Thread(target=self._work, args=(call, err), name="interweft")
        if ours:
            signal.signal(signal.SIGINT, self._interrupt)
        try:
            thread.start()
            status = self._wait()
            thread.join()
        finally:
            if ours:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            self.display.end()
        if isinstance(status, BaseException):
            raise status
        if status != lib.STOPPED:
            lib.fail(status, err)
        return int(status)
