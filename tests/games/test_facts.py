"""Invariants of the facts of every game, on games and moments chosen by hypothesis."""

import random
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import souk
from souk.core.facts import Chose, Ended, Fact
from souk.core.rule_clauses import clauses
from souk.games import names
from tests.support import basari_cards_positions as cards
from tests.support import bazaar_positions as bazaar
from tests.support.ledgers import check_facts
from tests.support.play import facts_of
from tests.support.random_games import VARIANTS, random_game, variant_name, whole_random_game

Variant = tuple[str, int, dict[str, Any]]
SEEDS = st.integers(0, 2**64 - 1)
variants = pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)


def game_facts(record: souk.Record) -> list[Fact]:
    return [fact for facts in record.facts() for fact in facts]


# ---------------------------------------------------------------- kinds and clauses


def rare_facts(name: str) -> list[Fact]:
    """Facts that random games hardly ever produce."""
    if name == "bazaar":
        dry = bazaar.position("", "WWWWWWWWWW", "WWWWWWWWWW", phase="die")
        return facts_of(dry, None, "white")
    if name == "basari-cards":
        last_card_gone = cards.with_an_empty_pile(choices=["A", "B", None])
        return facts_of(last_card_gone, 2, "C")
    return []


@pytest.mark.parametrize("name", names())
def test_every_kind_of_fact_is_told_and_no_other(name: str) -> None:
    kinds = {type(fact) for fact in rare_facts(name)}
    for variant in VARIANTS:
        if variant[0] == name:
            for seed in range(2):
                kinds |= {type(fact) for fact in game_facts(whole_random_game(*variant, seed))}
    assert kinds == {*souk.game(name).facts.KINDS, Ended}


@pytest.mark.parametrize("name", names())
def test_every_fact_names_a_clause_of_its_game(name: str) -> None:
    own_ids = {clause.id for clause in clauses(name)}
    all_ids = {clause.id for game_name in names() for clause in clauses(game_name)}
    for kind in souk.game(name).facts.KINDS:
        if kind is not Chose:  # of the core, not a game
            ids = set((kind.__doc__ or "").partition(":")[0].split(", "))
            assert ids & own_ids, kind
            assert ids <= all_ids, kind


@pytest.mark.parametrize("name", names())
def test_kinds_can_be_told_apart_by_their_tags(name: str) -> None:
    tags = [kind.__struct_config__.tag for kind in (*souk.game(name).facts.KINDS, Ended)]
    assert len(set(tags)) == len(tags)


# ---------------------------------------------------------------- JSON


@given(st.sampled_from(VARIANTS), SEEDS)
@settings(max_examples=40)
def test_facts_are_json_and_come_back_as_what_they_were(variant: Variant, seed: int) -> None:
    kinds = (*souk.game(variant[0]).facts.KINDS, Ended)
    decoder = msgspec.json.Decoder(list[reduce(or_, kinds)])  # type: ignore[misc]
    for facts in whole_random_game(*variant, seed).facts():
        text = msgspec.json.encode(facts)
        assert decoder.decode(text) == facts
        assert msgspec.json.encode(decoder.decode(text)) == text


# ---------------------------------------------------------------- truth of facts


@given(st.sampled_from(VARIANTS), SEEDS)
@settings(max_examples=60)
def test_who_is_told_the_facts_alone_knows_what_lies_on_the_table(
    variant: Variant, seed: int
) -> None:
    check_facts(whole_random_game(*variant, seed))


@given(st.sampled_from(VARIANTS), SEEDS)
@settings(max_examples=60)
def test_sources_add_up_to_the_scores(variant: Variant, seed: int) -> None:
    record = whole_random_game(*variant, seed)
    by_seat = record.game.facts.sources(record.start, game_facts(record))
    assert [sum(parts.values()) for parts in by_seat] == record.position.scores
    assert all(list(parts) == list(by_seat[0]) for parts in by_seat)


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each[0] != "suleika"], ids=variant_name
)
def test_sources_of_a_game_that_is_not_over_add_up_to_the_running_scores(variant: Variant) -> None:
    """Except Suleika, where halves are counted at the end."""
    for number, record in enumerate(random_game(*variant, seed=9)):
        if number % 20 == 0:
            by_seat = record.game.facts.sources(record.start, game_facts(record))
            assert [sum(parts.values()) for parts in by_seat] == record.position.scores


@given(st.sampled_from(VARIANTS), SEEDS)
@settings(max_examples=60)
def test_the_end_is_told_once_and_last(variant: Variant, seed: int) -> None:
    record = whole_random_game(*variant, seed)
    *before, last = game_facts(record)
    assert last == Ended(record.position.scores, list(record.position.winners))
    assert not any(isinstance(fact, Ended) for fact in before)


@variants
def test_every_event_is_put_into_words(variant: Variant) -> None:
    record = whole_random_game(*variant, 5)
    for facts, (seat, text) in zip(record.facts(), record.events, strict=True):
        assert record.game.describe(facts), (seat, text, facts)


@variants
def test_what_is_refused_is_not_told(variant: Variant) -> None:
    record = whole_random_game(*variant, 3)
    for position in list(record.positions())[::9]:
        before, facts = position.copy(), list[Fact]()
        for seat in range(position.players):
            with pytest.raises(souk.IllegalMove):
                position.play(seat, "no such move", facts.append)
        with pytest.raises(souk.IllegalMove):
            position.resolve("no such outcome", facts.append)
        if position.actors or position.over:
            with pytest.raises(souk.IllegalMove):
                position.draw(random.Random(1), facts.append)
        assert facts == []
        assert position == before


@variants
def test_a_record_tells_what_its_positions_told(variant: Variant) -> None:
    """While being played, and when replayed."""
    again, heard = whole_random_game(*variant, 4), list[list[Fact]]()
    record = souk.Record(again.game, variant[1], **variant[2])
    for seat, text in again.events:
        facts: list[Fact] = []
        record.resolve(text, facts.append) if seat is None else record.play(
            seat, text, facts.append
        )
        heard.append(facts)
    assert heard == list(record.facts()) == list(again.facts())


# ---------------------------------------------------------------- secrets


def choosing(name: str, players: int, seed: int) -> Iterator[souk.Position]:
    """Positions of a random game in which at least two seats have yet to choose."""
    for record in random_game(name, players, {}, seed):
        position = record.position
        if position.to_json()["phase"] == "choose" and len(position.actors) > 1:
            yield position


SECRET = [(name, players) for name, players, _ in VARIANTS if souk.game(name).secrets]


@given(st.sampled_from(SECRET), SEEDS, st.data())
@settings(max_examples=60)
def test_nothing_is_told_of_a_choice_until_all_have_chosen(
    table: tuple[str, int], seed: int, data: st.DataObject
) -> None:
    """Facts and words of this and later choices do not depend on what was chosen."""
    positions = list(choosing(*table, seed))
    position = data.draw(st.sampled_from(positions))
    chooser = data.draw(st.sampled_from(position.actors))
    others = data.draw(st.permutations([seat for seat in position.actors if seat != chooser]))[:-1]
    futures = []
    for move in position.moves(chooser):
        future = position.copy()
        facts = [facts_of(future, chooser, move)]
        for other in others:
            facts.append(facts_of(future, other, future.moves(other)[0]))
        words = [[message.to_json() for message in future.game.describe(fact)] for fact in facts]
        futures.append((facts, words))
    assert len(futures) > 2
    assert all(future == futures[0] for future in futures)
    assert futures[0][0] == [[Chose(seat)] for seat in (chooser, *others)]
