"""Provably fair dice, and `souk verify`."""

import random
import re
from pathlib import Path

import pytest

from souk.core.record import Record, _with_checks, load
from souk.games import game as find_game
from souk.server.dice.fair_dice import FairDice, digest_of, new_share, verify
from tests.support.forked import run_python

SEED = bytes(range(32))


def fair_game(name: str = "suleika", events: int = 10_000) -> Record:
    """Random game with fair dice, played to the end or for at most `events` events."""
    record = Record(name, 3, names=["Ann", "Ben", "Cem"])
    rng, dice = random.Random(1), FairDice(SEED)
    while not record.position.over and len(record.events) < events:
        position = record.position
        if position.actors:
            seat = rng.choice(position.actors)
            record.play(seat, rng.choice(position.moves(seat)[:3]))
        else:
            record.draw(dice)
    record.dice = digest_of(SEED), SEED.hex() if record.position.over else ""
    return record


def run_verify(path: Path, *flags: str) -> tuple[int, str]:
    process = run_python(["-m", "souk.cli", "verify", str(path), *flags])
    return process.returncode, process.stdout + process.stderr


def rewritten(record: Record, change: tuple[str, str]) -> str:
    """Record edited by a cheater who also updates the checksums of the lines."""
    lines = [re.sub(r"\s+#[0-9a-f]{4}$", "", line) for line in str(record).splitlines()]
    whole = "\n".join(lines)
    assert change[0] in whole
    return _with_checks(whole.replace(*change, 1).split("\n"))


@pytest.mark.parametrize("name", ["suleika", "basari", "basari-cards", "bazaar"])
def test_a_fair_game_is_found_fair(name: str) -> None:
    record = fair_game(name)
    again = Record.parse(str(record))
    assert again == record
    assert again.dice == (digest_of(SEED), SEED.hex())
    assert verify(again).fair


def test_verify_says_so(tmp_path: Path) -> None:
    fair_game().save(tmp_path / "fair.souk")
    status, output = run_verify(tmp_path / "fair.souk")
    assert status == 0
    assert "outcomes follow from it" in output


def test_the_digest_that_was_shown_is_compared(tmp_path: Path) -> None:
    """A seed that matches its digest proves nothing if another digest was shown before the game."""
    record, shown = fair_game(), digest_of(SEED)
    record.save(tmp_path / "fair.souk")
    status, output = run_verify(tmp_path / "fair.souk")
    assert (status, "Not checked: whether this is the digest that was shown" in output) == (0, True)
    status, output = run_verify(tmp_path / "fair.souk", "--digest", shown.upper())
    assert (status, "Not checked" in output) == (0, False)
    status, output = run_verify(tmp_path / "fair.souk", "--digest", digest_of(bytes(32)))
    assert (status, "another digest was shown" in output) == (1, True)
    status, output = run_verify(tmp_path / "fair.souk", "--share", shown)
    assert (status, "Your share is not in" in output) == (1, True)
    for flag in ("--digest", "--share"):
        status, output = run_verify(tmp_path / "fair.souk", flag, "17")
        assert (status, f"{flag[2:]}: must be 64 hexadecimal digits" in output) == (2, True)


def test_an_edited_file_is_found_by_its_line(tmp_path: Path) -> None:
    text = str(fair_game())
    number = next(
        n for n, line in enumerate(text.splitlines(), 1) if re.match(r"\d+ chance 2 ", line)
    )
    lines = text.splitlines(keepends=True)
    lines[number - 1] = lines[number - 1].replace("chance 2", "chance 3", 1)
    (tmp_path / "edited.souk").write_text("".join(lines))
    status, output = run_verify(tmp_path / "edited.souk")
    assert status == 2
    assert f"line {number}:" in output


def test_other_dice_are_named(tmp_path: Path) -> None:
    record = fair_game(events=40)
    record.dice = digest_of(SEED), SEED.hex()
    last = max(n for n, (seat, _) in enumerate(record.events, 1) if seat is None)
    face = record.events[last - 1][1]
    other = "1" if face != "1" else "2"
    record.events[last - 1 :] = [(None, other)]
    again = Record(record.game, 3, names=record.names)
    again.dice = record.dice
    for seat, text in record.events:
        again.resolve(text) if seat is None else again.play(seat, text)
    again.save(tmp_path / "other.souk")
    status, output = run_verify(tmp_path / "other.souk")
    assert status == 1
    assert f"Event {last}: the record says {other}, the seed gives {face}." in output


def test_a_wrong_seed_is_noticed(tmp_path: Path) -> None:
    record = fair_game()
    (tmp_path / "wrong.souk").write_text(rewritten(record, (SEED.hex(), bytes(32).hex())))
    status, output = run_verify(tmp_path / "wrong.souk")
    assert (status, "does not belong to the digest" in output) == (1, True)
    record.dice = digest_of(bytes(32)), bytes(32).hex()
    verdict = verify(record)
    assert verdict.fair is False
    assert verdict.lines
    assert all(
        re.fullmatch(r"Event \d+: the record says \d, the seed gives \d\.", line)
        for line in verdict.lines
    )


def test_an_unfinished_game_has_only_the_digest(tmp_path: Path) -> None:
    record = fair_game(events=20)
    record.save(tmp_path / "running.souk")
    status, output = run_verify(tmp_path / "running.souk")
    assert status == 2
    assert digest_of(SEED) in output


def test_a_game_without_a_seed(tmp_path: Path) -> None:
    record = fair_game(events=20)
    record.dice = None
    record.save(tmp_path / "plain.souk")
    assert load(tmp_path / "plain.souk").dice is None
    assert run_verify(tmp_path / "plain.souk")[0] == 2


def test_digits_that_are_none_are_refused() -> None:
    text = rewritten(fair_game(events=5), (f"dice: {digest_of(SEED)}", "dice: 17"))
    with pytest.raises(ValueError, match="line 11: dice: must be 64"):
        Record.parse(text)


def test_every_outcome_is_as_likely_as_its_weight() -> None:
    """First rolls of 3,000 seeds: every face stays within five standard deviations."""
    rolls = []
    for _ in range(3000):
        position = find_game("bazaar").start(2, rates=(1, 2), first=0)
        dice = FairDice(new_share())
        while not position.actors:
            position.draw(dice)
        position.play(0, "roll")
        rolls.append(position.draw(dice))
    assert len(set(rolls)) == 6
    for face in set(rolls):
        assert abs(rolls.count(face) - 500) < 5 * (3000 / 6 * 5 / 6) ** 0.5
