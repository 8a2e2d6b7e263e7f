"""The command line: `naively VERB`, each verb a file beside this.

| exit code | meaning |
|---|---|
| 0 | done, or nobody reads the answer to its end |
| 1 | an error of the data or the model |
| 2 | an error of usage |
| 130 | interrupted |
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import current_thread, main_thread

import click

from naively.errors import NaivelyError, ParameterError

__all__ = ["main"]

VERBS = {
    "believe": "revise beliefs by evidence, or guess a hidden coin",
    "demo": "learn the Titanic and answer one question",
    "fit": "learn a model from a table",
    "predict": "answer for every row of a table",
    "query": "ask a table for probabilities",
}
"""The verbs, and what each does, so that help imports none of them."""


class Verbs(click.Group):
    """Verbs by name, imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = getattr(import_module(f"naively.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(sorted(VERBS.items()))


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        click.echo(f"naively {version('naively')}")
        ctx.exit()


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    callback=_version,
    expose_value=False,
    is_eager=True,
    help="The version, and nothing else.",
)
def naively() -> None:
    """Bayesian classification of tables: learn, answer, say how sure and why."""


def main() -> None:
    """The entry point: errors in words on stderr, and the exit code of the table above."""
    with _manners():
        code = _finished(_run())
    sys.exit(code)


@contextmanager
def _manners() -> Iterator[None]:
    """How a command behaves, put away afterwards, since a program may call it too."""
    interrupts.clear()
    sys.meta_path.insert(0, _Without)
    handler = signal.getsignal(signal.SIGINT)
    # Not under nohup; and only the main thread of a program may hear signals.
    hears = handler is signal.default_int_handler and current_thread() is main_thread()
    if hears:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _told  # type: ignore[assignment]
            yield
    finally:
        sys.meta_path.remove(_Without)
        if hears:
            signal.signal(signal.SIGINT, handler)


class _Without:
    """Hides pandas, which pyarrow imports to ask of every object whether it is a frame.

    That takes a third of a second, and no frame ever comes in here.
    """

    @staticmethod
    def find_spec(name: str, *where: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


interrupts: list[int] = []
"""The signals of Ctrl-C so far: some libraries turn them into errors of their own."""


def _interrupt(number: int, frame: object) -> None:
    interrupts.append(number)
    raise KeyboardInterrupt


def _run() -> int:
    """Run the verb, and give its exit code."""
    try:
        naively.main(standalone_mode=False)
    except SystemExit:  # how click leaves when nobody reads on
        return 0
    except (Exception, KeyboardInterrupt) as error:
        return _failed(error)
    return 0


def _failed(error: BaseException) -> int:
    """What went wrong, in words and as an exit code; what nobody foresaw keeps its traceback."""
    if interrupts or isinstance(error, (click.exceptions.Abort, KeyboardInterrupt)):
        return _said("interrupted", 130)
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, NaivelyError):
        return _said(f"error: {error}", 2 if isinstance(error, ParameterError) else 1)
    if isinstance(error, OSError):  # files are spoken for by the layers below
        return _said(f"error: standard output: {error.strerror}", 1)
    raise error


def _said(words: str, code: int) -> int:
    click.echo(words, err=True)
    return code


def _told(message: Warning | str, *where: object) -> None:
    """A warning without the line of code that gave it."""
    click.echo(f"warning: {message}", err=True)


def _finished(code: int) -> int:
    """Nothing is left to be written when Python ends, where a failure would be a traceback."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if code or isinstance(error, BrokenPipeError):
            return code
        return _said(f"error: standard output: {error.strerror}", 1)
    return code
