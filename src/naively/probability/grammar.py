"""Questions as text: `P(vote=yes | college=no)`.

    question   [P(] conditions [| conditions] [)]
    conditions alternative, alternative, ...          all of them
    alternative  conjunction or conjunction or ...    at least one
    conjunction  negation and negation and ...        all of them
    negation   not negation | ( conditions ) | condition
    condition  name = value | name in {value, ...} | name is missing | name | name = ?

The comparisons are = != < <= > >= (and ≠ ≤ ≥); `!`, `¬` and `~` are `not`, `∧` and `&` are
`and`, `∨` is `or`, `∈` is `in`. `18 <= age < 30` is two conditions. A name or value of more
than a word stands in quotes. `vote=?` asks for the probability of every value.

>>> question("P(h, !f | meningitis=yes or city in {Bonn, Ulm})")
Question(event='h, ¬f', given='meningitis=yes or city∈{Bonn, Ulm}', asked=())
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from naively.errors import QueryError
from naively.probability.event import (
    EVERYTHING,
    And,
    Compare,
    Event,
    Holds,
    Missing,
    Not,
    OneOf,
    Or,
    both,
)

__all__ = ["Question", "event", "question"]

DEEPEST = 50
"""More brackets and nots within each other than a question has."""

TOKENS = re.compile(
    r"""\s*(?:
    (?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`)
    |(?P<sign>&&|\|\||<>|[<>!=]=|[=<>≤≥≠])
    |(?P<mark>[!¬~,|(){}?&∧∨∈])
    |(?P<open>["'`])
    |(?P<word>[^\s"'`=<>!≤≥≠¬~,|(){}?&∧∨∈]+)
    )""",
    re.VERBOSE,
)
NUMBER = re.compile(r"[+-]?([\d_]+\.?\d*|\.\d+)([eE][+-]?\d+)?|\d{4}-\d\d-\d\d([T ][\d:.]+)?")
SAME = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!=", "&": "and", "∧": "and"}
SAME |= {"&&": "and", "||": "or", "∨": "or", "∈": "in", "¬": "not", "~": "not", "!": "not"}
"""Signs of one meaning."""
SIGNS = ("=", "!=", "<", "<=", ">", ">=")
KEYWORDS = ("and", "or", "not", "in", "is")
TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""A comparison seen from its other side."""


@dataclass(frozen=True, slots=True)
class Token:
    """A sign, a keyword, a word or a text in quotes, and where it stands."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """An event, what is given, and the columns whose whole distribution is asked."""

    event: Event
    given: Event
    asked: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Question(event='{self.event}', given='{self.given}', asked={self.asked})"


def question(text: str) -> Question:
    """A question read from text."""
    return _Parser(text).question()


def event(text: str) -> Event:
    """Conditions read from text, without a bar."""
    return _Parser(text).alone()


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    while text[at:].strip():
        match = TOKENS.match(text, at)
        kind = str(match and match.lastgroup)
        assert match is not None  # every mark is of some kind
        part = match[kind]
        start = match.start(kind)
        if kind == "open":
            raise QueryError("a quote", "its end", f"add {part}").within(text, start)
        if kind == "quoted":
            found.append(Token("quoted", part[1:-1].replace(part[0] * 2, part[0]), start))
        else:
            same = SAME.get(part, part.lower() if part.lower() in KEYWORDS else part)
            keyword = kind != "word" or same in KEYWORDS
            found.append(Token(same if keyword else "word", part, start))
        at = match.end()
    return found


class _Parser:
    """One method for each line of the grammar."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise QueryError(f"a question of type {type(text).__name__}", "text")
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0
        self.asked: list[tuple[str, int]] = []

    def question(self) -> Question:
        wrapped = [t.text for t in self.tokens[:2]] in (["P", "("], ["p", "("], ["Pr", "("])
        self.at = 2 if wrapped else 0
        found = self.conditions()
        given: Event = EVERYTHING
        asked = tuple(dict.fromkeys(name for name, _ in self.asked))
        if asked and found != EVERYTHING:
            self._refuse_mixed()
        if self._take("|"):
            self.asked = []
            given = self.conditions()
            if self.asked:
                self._fail("? behind the bar", "a condition there", at=self.asked[0][1])
        if wrapped and not self._take(")"):
            self._odd("a closing bracket")
        self._end()
        return Question(found, given, asked)

    def _refuse_mixed(self) -> NoReturn:
        fix = "what is known stands behind a bar: vote=? | college=no"
        self._fail("? beside a condition", "one or the other", fix, at=self.asked[0][1])

    def alone(self) -> Event:
        found = self.conditions()
        if self.asked:
            self._fail("? in an event", "a condition", at=self.asked[0][1])
        if self._peek("|"):
            self._odd("an event without a bar")
        self._end()
        return found

    def _end(self) -> None:
        if self.at < len(self.tokens):
            before = self.tokens[self.at - 1]
            words = before.kind == "word" and self.tokens[self.at].kind == "word"
            fix = "a name or value of several words stands in quotes" if words else ""
            self._odd("',', 'and', 'or', '|' or the end", fix)

    def conditions(self) -> Event:
        parts = [self.alternative()]
        while self._take(","):
            parts.append(self.alternative())
        return both(*parts)

    def alternative(self) -> Event:
        return self._joined("or", self.conjunction, Or)

    def conjunction(self) -> Event:
        return self._joined("and", self.negation, And)

    def _joined(self, word: str, part: Callable[[], Event], kind: type[Or] | type[And]) -> Event:
        parts = [part()]
        while self._take(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else kind(tuple(parts))

    def negation(self) -> Event:
        self.depth += 1
        if self.depth > DEEPEST:
            self._fail("brackets in brackets", f"at most {DEEPEST} levels")
        asked = len(self.asked)
        if self._take("not"):
            found: Event = Not(self.negation())
        elif self._take("("):
            found = self.conditions()
            if not self._take(")"):
                self._odd("a closing bracket")
        else:
            found = self.condition()
        self.depth -= 1
        if self.depth and len(self.asked) > asked:
            self._fail("? within brackets or after not", "name=? alone", at=self.asked[asked][1])
        return found

    def condition(self) -> Event:
        first = self._word("a name")
        sign = self._sign()
        if sign is not None and _is_number(first):
            return self._between(first, sign)
        if sign is not None:
            return self._compared(first, sign)
        if self._take("not"):
            if not self._take("in"):
                self._odd("in after not")
            return Not(self._one_of(first))
        if self._take("in"):
            return self._one_of(first)
        if self._take("is"):
            return self._missing(first)
        return Holds(first.text, mark=self._mark(first.at))

    def _compared(self, name: Token, sign: str) -> Event:
        if sign == "=" and self._take("?"):
            self.asked.append((name.text, name.at))
            return EVERYTHING
        return Compare(name.text, sign, self._value(sign), mark=self._mark(name.at))

    def _between(self, low: Token, sign: str) -> Event:
        """A number first: 30 > age, or 18 <= age < 30."""
        name = self._word("a name after the comparison")
        turned = Compare(name.text, TURNED[sign], low.text, mark=self._mark(name.at))
        second = self._sign()
        if second is None:
            return turned
        return both(turned, Compare(name.text, second, self._value(second), mark=turned.mark))

    def _one_of(self, name: Token) -> Event:
        close = {"{": "}", "(": ")"}
        opened = next((mark for mark in close if self._take(mark)), None)
        if opened is None:
            self._odd("{ after in")
        values = [self._value("=")]
        while self._take(","):
            values.append(self._value("="))
        if not self._take(close[opened]):
            self._odd(f"',' or '{close[opened]}'")
        return OneOf(name.text, tuple(values), mark=self._mark(name.at))

    def _missing(self, name: Token) -> Event:
        negated = self._take("not")
        if self._word("missing").text.lower() not in ("missing", "null"):
            self.at -= 1
            self._odd("missing after is")
        found = Missing(name.text, mark=self._mark(name.at))
        return Not(found) if negated else found

    def _value(self, sign: str) -> str:
        """A value; after = it may begin with a comparison, as the label <30 does."""
        prefix = self._sign() if sign in ("=", "!=") else None
        return (prefix or "") + self._word("a value").text

    def _word(self, what: str) -> Token:
        kind = self.tokens[self.at].kind if self.at < len(self.tokens) else ""
        if kind not in ("word", "quoted"):
            in_quotes = "a word of the grammar stands in quotes where it is a name or value"
            self._odd(what, in_quotes if kind in KEYWORDS else "")
        self.at += 1
        return self.tokens[self.at - 1]

    def _sign(self) -> str | None:
        return next((sign for sign in SIGNS if self._take(sign)), None)

    def _peek(self, kind: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].kind == kind

    def _take(self, kind: str) -> bool:
        found = self._peek(kind)
        self.at += found
        return found

    def _mark(self, at: int) -> str:
        return QueryError.marked(self.text, at)

    def _odd(self, expected: str, fix: str = "") -> NoReturn:
        if self.at < len(self.tokens):
            token = self.tokens[self.at]
            self._fail(f"{token.text!r} in the question", expected, fix, at=token.at)
        self._fail("the end of the question", expected, fix, at=len(self.text))

    def _fail(self, found: str, expected: str, fix: str = "", at: int | None = None) -> NoReturn:
        raise QueryError(found, expected, fix).within(
            self.text, len(self.text) if at is None else at
        )


def _is_number(token: Token) -> bool:
    """Whether a word is a number or a time: then a name follows its comparison."""
    return token.kind == "word" and NUMBER.fullmatch(token.text) is not None
