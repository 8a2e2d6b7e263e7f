"""How long does it take to be there?"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from contest import Claim, Contest, Run


def contests(quick: bool) -> Iterator[Contest]:
    peer = "import sklearn.naive_bayes"
    yield Contest(
        "a new process",
        {
            "import naively": python("import naively"),
            "naively --help": command("--help"),
            peer: python(peer),
        },
        [Claim("import naively", peer, 1 / 0.12), Claim("naively --help", peer, 1 / 0.15)],
    )


def python(code: str) -> Run:
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def command(*words: str) -> Run:
    path = str(Path(sys.executable).with_name("naively"))
    return lambda: subprocess.run([path, *words], check=True, capture_output=True)
