"""Reading ahead: the next batch is decoded while the last one is counted."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from queue import Empty, Full, Queue
from typing import Any, TypeVar

from naively import kernels

__all__ = ["ahead"]

T = TypeVar("T")

DEPTH = 1
"""How many batches may wait: they are memory."""
PATIENCE = 0.1
"""Seconds after which a reader that waits looks whether anybody still wants its batches."""


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The items in order, made by a thread of their own where there may be two.

    >>> list(ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    if kernels.threads() < 2:
        yield from items
        return
    waiting: Queue[tuple[str, Any]] = Queue(DEPTH)
    unwanted = threading.Event()
    reader = threading.Thread(target=_fill, args=(waiting, items, unwanted), daemon=True)
    reader.start()
    try:
        yield from _taken(waiting, reader)
    finally:
        unwanted.set()
        reader.join()


def _taken(waiting: Queue[tuple[str, Any]], reader: threading.Thread) -> Iterator[Any]:
    while True:
        try:
            what, item = waiting.get(timeout=PATIENCE)
        except Empty:
            if not reader.is_alive() and waiting.empty():
                gone = "the thread that reads ahead is gone: was this process forked?"
                raise RuntimeError(gone) from None
            continue
        if what == "end":
            return
        if what == "error":
            raise item
        yield item


def _fill(waiting: Queue[tuple[str, Any]], items: Iterable[Any], unwanted: threading.Event) -> None:
    """Put every item into the queue, then the end or the error."""
    source = iter(items)
    try:
        for item in source:
            if not _put(waiting, ("item", item), unwanted):
                return
        _put(waiting, ("end", None), unwanted)
    except BaseException as error:
        _put(waiting, ("error", error), unwanted)
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()


def _put(waiting: Queue[tuple[str, Any]], what: tuple[str, Any], unwanted: threading.Event) -> bool:
    """Whether somebody still wants what was put."""
    while not unwanted.is_set():
        try:
            waiting.put(what, timeout=PATIENCE)
        except Full:
            continue
        return True
    return False
