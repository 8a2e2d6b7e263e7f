"""What an evaluation found: scores, where they come from, and how sure they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from naively._typing import Vector
from naively.derivation.layout import aligned, as_html
from naively.errors import MissingDependency, ParameterError
from naively.evaluation.by_class import ByClass
from naively.evaluation.calibration import Reliability
from naively.evaluation.confusion import Confusion
from naively.evaluation.layout import Lines, deviation, notes, score_lines, share_of
from naively.evaluation.replies import Odd
from naively.evaluation.scores import Scores

__all__ = ["Evaluation", "framed"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Evaluation(Scores):
    """Scores, where they come from, and how sure they are; see `evaluate`."""

    name: str
    rows: int
    """The rows that were answered, those of weight 0 left out,"""
    answers: int
    """and the answers to them: more in repeated cross-validation."""
    confusion: Confusion
    by_class: ByClass
    reliability: Reliability
    ruled_out: int
    """Answers that gave the truth probability 0: one makes the log loss infinite."""
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """95 % of each score, where a bootstrap was asked for."""
    folds: Mapping[str, Vector] = field(default_factory=dict)
    """Each score by fold, in cross-validation."""
    unseen: Mapping[str, int] | None = None
    """Cells by column whose value training never saw; None where the model does not say."""
    missing: Mapping[str, int] | None = None
    impossible: int | None = None
    """Rows that no class could have: in cross-validation the class prior answered them."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain dicts, lists and numbers."""
        return {
            "name": self.name,
            "rows": self.rows,
            "answers": self.answers,
            **self.scores,
            "ruled_out": self.ruled_out,
            "intervals": dict(self.intervals),
            "folds": {name: values.tolist() for name, values in self.folds.items()},
            "confusion": self.confusion.to_dict(),
            "by_class": self.by_class.to_dict(),
            "unseen": None if self.unseen is None else dict(self.unseen),
            "missing": None if self.missing is None else dict(self.missing),
            "impossible": self.impossible,
        }

    def to_frame(self, part: str = "scores") -> Any:
        """One part as a pandas frame: "scores", "folds", "confusion" or "by_class"."""
        parts: dict[str, Any] = {
            "scores": self._by_score(),
            "folds": dict(self.folds),
            "confusion": self.confusion.to_dict(),
            "by_class": self.by_class.to_dict(),
        }
        if part not in parts:
            raise ParameterError(f"part={part!r}", f"one of {', '.join(map(repr, parts))}")
        return framed(parts[part], by_row=part != "folds")

    def share(self, n: int) -> str:
        """So many of the answers, in words."""
        return share_of(n, self.answers, "rows" if self.answers == self.rows else "answers")

    def _by_score(self) -> dict[str, dict[str, float]]:
        table = {name: {"value": value} for name, value in self.scores.items()}
        for name, values in self.folds.items():
            table[name] |= {"fold_mean": values.mean(), "fold_std": deviation(values)}
        for name, (low, high) in self.intervals.items():
            table[name] |= {"low": low, "high": high}
        return table

    def _parts(self) -> tuple[str, list[Lines], list[str]]:
        n = len(next(iter(self.folds.values()))) if self.folds else 0
        head = f"{self.name} on {self.rows:,} rows" + (f", {n} folds" if n else "")
        tables = [score_lines(self.scores, self.folds, self.intervals)]
        tables += [self.confusion.lines(), self.by_class.lines()]
        return head, tables, notes(self.share, self.ruled_out, self._odd())

    def _odd(self) -> Odd | None:
        if self.unseen is None or self.missing is None or self.impossible is None:
            return None
        return Odd(Counter(self.unseen), Counter(self.missing), self.impossible)

    def __repr__(self) -> str:
        head, tables, said = self._parts()
        return "\n\n".join([head, *map(aligned, tables), *(["\n".join(said)] if said else [])])

    def _repr_html_(self) -> str:
        head, tables, said = self._parts()
        return "".join(
            [as_html([(head,)]), *map(as_html, tables), as_html([("notes",), *zip(said)])]
        )


def framed(columns: Mapping[Any, Any], *, by_row: bool) -> Any:
    """A pandas frame of a mapping of columns, or of rows."""
    try:
        frame = import_module("pandas").DataFrame
    except ImportError as error:
        found, fix = "to_frame makes a frame of pandas", "pip install pandas, or take to_dict()"
        raise MissingDependency(found, "pandas", fix) from error
    return frame.from_dict(columns, orient="index") if by_row else frame(columns)
