"""`naively believe`: beliefs revised by evidence, one piece after the other."""

from __future__ import annotations

import math
import sys
from typing import Any

import click

from naively.cli.pairs import pairs_of

__all__ = ["believe"]

Piece = tuple[str, dict[str, Any]]
"""A piece of evidence: its name, and its probability under each hypothesis."""
EXAMPLES = "\n\n".join(
    (
        'naively believe "ill=.0001, well=.9999" -e "positive: ill=.99, well=.01" --explain',
        'naively believe "fair=.5, biased=.5" -e "H: fair=.5, biased=.75" '
        '-e "T: fair=.5, biased=.25" --observe HHTHT',
        "naively believe --coins",
    )
)
BIASED = "3/4"
"""How often the biased coin of the demo shows heads."""


@click.command(epilog=EXAMPLES)
@click.argument("prior", required=False)
@click.option(
    "--evidence",
    "-e",
    multiple=True,
    metavar='"NAME: HYPOTHESIS=P, ..."',
    help="How probable a piece of evidence is under each hypothesis; once for each.",
)
@click.option(
    "--observe",
    metavar="NAMES",
    help="What was seen in order, such as HHTHT, or names with commas between; "
    "without it, every --evidence once.",
)
@click.option("--normalize", is_flag=True, help="Divide the prior by its sum.")
@click.option("--explain", is_flag=True, help="Show the last application of Bayes' rule.")
@click.option("--frequencies", is_flag=True, help="Tell the last piece in numbers of people.")
@click.option("--coins", is_flag=True, help="A hidden coin is flipped: guess which one it is.")
@click.option("--flips", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seed", type=int, help="For the same coin and flips again.")
def believe(
    prior: str | None,
    evidence: tuple[str, ...],
    observe: str | None,
    normalize: bool,
    explain: bool,
    frequencies: bool,
    coins: bool,
    flips: int,
    seed: int | None,
) -> None:
    """Start from PRIOR, such as "ill=.0001, well=.9999", and revise it by evidence."""
    if coins:
        if prior or evidence or observe or explain or frequencies or normalize:
            raise click.UsageError("--coins beside a belief; expected one of the two")
        return _guess(flips, seed)
    if seed is not None:
        raise click.UsageError("--seed without --coins; expected both, or neither")
    if prior is None:
        raise click.UsageError('no prior; expected one such as "ill=.0001, well=.9999", or --coins')
    from naively.probability.belief import Belief

    belief = Belief(_stated(prior, "the prior"), normalize=normalize)
    stated = [(name, _probabilities(name, ps)) for name, ps in map(_named, evidence)]
    for name, likelihood in _order(observe, stated):
        belief = belief.update(likelihood, name)
    click.echo(_path(belief))
    if explain:
        for p in belief.posterior.values():
            click.echo(f"\n{p.derivation}")
    if frequencies:
        click.echo(f"\n{belief.natural_frequencies()}")
    return None


def _stated(text: str, what: str) -> dict[str, str]:
    """Numbers by name.

    >>> _stated("ill=.0001, well=.9999", "the prior")
    {'ill': '.0001', 'well': '.9999'}
    """
    return pairs_of(text, what, "HYPOTHESIS=NUMBER", "number")


def _named(text: str) -> tuple[str, dict[str, str]]:
    name, colon, rest = text.partition(":")
    if not (name.strip() and colon):
        raise click.UsageError(f'the evidence {text!r}; expected "NAME: HYPOTHESIS=P, ..."')
    return name.strip(), _stated(rest, f"the evidence {name.strip()!r}")


def _probabilities(name: str, stated: dict[str, str]) -> dict[str, Any]:
    """The likelihoods of a piece of evidence, which are no densities here."""
    from naively.derivation.exact import probability

    return {h: probability(p, f"P({name} | {h})") for h, p in stated.items()}


def _order(observe: str | None, stated: list[Piece]) -> list[Piece]:
    """The pieces of evidence in the order in which they were seen: as stated, or as named."""
    if observe is None:
        return stated
    known = dict(stated)
    if len(known) < len(stated):
        raise click.UsageError("--evidence names one piece twice beside --observe")
    letters = observe.split(",") if "," in observe or observe in known else list(observe)
    names = [name.strip() for name in letters if name.strip()]
    for name in names:
        if name not in known:
            words = ", ".join(known) or "none"
            found = f"--observe has {name!r}; expected names of --evidence ({words})"
            raise click.UsageError(found)
    return [(name, known[name]) for name in names]


def _path(belief: Any) -> str:
    """The belief before, and after each piece of evidence."""
    from naively.derivation.exact import shown
    from naively.derivation.layout import aligned

    def cell(p: Any) -> str:
        return f"{float(p):.6g}" if len(shown(p)) > 9 else shown(p)

    hypotheses = list(belief.prior)
    lines = [["", *map(str, hypotheses)]]
    lines.append(["prior", *(cell(belief.prior[h].number) for h in hypotheses)])
    for seen in belief.history:
        lines.append([seen.evidence, *(cell(seen.posterior[h]) for h in hypotheses)])
    last = belief.posterior
    lines.append(["belief", *(f"{float(last[h]):.6g}" for h in hypotheses)])
    return aligned(lines)


def _guess(flips: int, seed: int | None) -> None:
    """The demo: a coin is drawn and flipped, and the user says how sure they are."""
    import random

    from naively.probability.belief import Belief

    rng = random.Random(seed)
    biased = rng.random() < 0.5
    tables = {"fair": {"H": "1/2", "T": "1/2"}, "biased": {"H": BIASED, "T": "1/4"}}
    belief = Belief({"fair": "1/2", "biased": "1/2"})
    click.echo(
        "A coin was drawn: fair, or biased to show heads 3 times out of 4, equally likely.\n"
        "After each flip say how probable it is that it is the biased one (0 to 1, or nothing)."
    )
    guesses: list[float | None] = []
    for i in range(1, flips + 1):
        side = "H" if rng.random() < (0.75 if biased else 0.5) else "T"
        belief = belief.observe(side, tables)
        guesses.append(_asked(f"flip {i}: {side}   P(biased) = "))
    click.echo("\nflip     posterior             your guess")
    for i, (seen, guess) in enumerate(zip(belief.history, guesses, strict=True), 1):
        p = seen.posterior["biased"]
        said = "" if guess is None else f"{guess:.3f}"
        click.echo(f"{i:<3} {seen.evidence}    {float(p):.3f} = {p!s:<14}{said}".rstrip())
    click.echo(f"\nIt was the {'biased' if biased else 'fair'} coin.")
    click.echo(_compared(guesses, [float(s.posterior["biased"]) for s in belief.history], biased))


def _asked(prompt: str) -> float | None:
    """A guess; None where the user gives none, or there is nobody to ask."""
    stdin = sys.stdin
    while True:
        click.echo(prompt, nl=False)
        line = stdin.readline()
        if not stdin.isatty():
            click.echo(line.strip())
        try:
            guess = float(line)
        except ValueError:
            if not line.strip():
                return None
            guess = math.nan
        if 0 <= guess <= 1:
            return guess
        if not stdin.isatty():
            raise click.UsageError(f"a guess of {line.strip()!r}; expected a number from 0 to 1")
        click.echo("a number from 0 to 1, please")


def _compared(guesses: list[float | None], posterior: list[float], biased: bool) -> str:
    """How far guesses and posteriors were from the truth, by the mean squared error."""
    pairs = [(g, p) for g, p in zip(guesses, posterior, strict=True) if g is not None]
    if not pairs:
        return "You made no guess."
    yours = sum((g - biased) ** 2 for g, _ in pairs) / len(pairs)
    bayes = sum((p - biased) ** 2 for _, p in pairs) / len(pairs)
    return f"Mean squared error of your guesses {yours:.3f}, of Bayes' rule {bayes:.3f}."
