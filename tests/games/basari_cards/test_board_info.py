"""Board info of the card game must match what then happens: scorings, actions, haggles, cards."""

import msgspec

import souk
from souk.games.basari_cards import board_info
from souk.games.basari_common.board_info import Brings, Payout
from tests.support.basari_cards_positions import with_an_empty_pile

CARDS = souk.game("basari-cards")


def dealt(*cards: str) -> souk.Position:
    pos = CARDS.start(players=len(cards))
    for card in cards:
        pos.resolve(card)
    return pos


def test_the_box_has_the_actions_of_the_table():
    assert board_info.box(CARDS.start(players=4)).actions == ["A", "B", "C"]
    box = board_info.box(CARDS.start(players=5))
    assert box.actions == ["A", "B", "C", "D"]
    assert (box.workers, box.workers_points, box.deals) == (15, 12, 3)


def test_actions_by_the_card():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    assert board_info.scene(pos.seen_by(0), 0).brings == Brings(5, [1, 1, 0, 2])
    assert board_info.scene(pos.seen_by(1), 1).brings == Brings(7, [0, 0, 2, 0])
    assert "brings" not in msgspec.to_builtins(board_info.scene(pos.seen_by(-1), -1))


def test_the_pile_by_workers():
    pos = CARDS.start(players=3)
    assert board_info.scene(pos, 0).pile == [9, 10, 11, 9]
    pos.resolve("1/5/RYBB")
    assert board_info.scene(pos, 0).pile == [8, 10, 11, 9]


def test_an_empty_pile_has_no_card():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    assert "no_card" not in msgspec.to_builtins(board_info.scene(pos.seen_by(0), 0))
    empty = with_an_empty_pile(cards=["4/6/RR", None, None])
    assert board_info.scene(empty.seen_by(0), 0).no_card
    assert board_info.scene(empty.seen_by(0), 0).pile == [0, 0, 0, 0]


def test_what_a_scoring_would_bring():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    assert board_info.scene(pos, -1).most == [Payout([0, 1, 2], n) for n in (4, 4, 3, 2)]
    assert board_info.scene(pos, -1).scoring == [13, 13, 13]
    for seat, action in enumerate("ABC"):
        pos.play(seat, action)
    pos.resolve("3/7/BB")
    # The third seat has 2 red and 1 green more.
    assert board_info.scene(pos, -1).most == [
        Payout([2], 14),
        Payout([0, 1, 2], 4),
        Payout([2], 10),
        Payout([0, 1, 2], 2),
    ]


def test_a_choice_not_yet_revealed_changes_nothing_for_others():
    before = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    after = before.copy()
    after.play(2, "A")
    assert board_info.scene(before.seen_by(1), 1) == board_info.scene(after.seen_by(1), 1)


def test_raises_are_legal_and_the_first_is_the_cheapest():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG")
    for seat, action in enumerate("AAC"):
        pos.play(seat, action)
    assert [deal.move for deal in board_info.scene(pos, 1).deals] == [
        "offer 1b",
        "offer 1g",
        "offer 2b",
    ]
    pos.play(1, "offer 1b")
    deals = [deal.move for deal in board_info.scene(pos, 0).deals]
    assert deals[:2] == ["accept", "offer 1g"]
    assert all(pos.is_legal(0, move) for move in deals)
    assert board_info.scene(pos, 1).deals == []


def test_how_many_gems_are_to_be_taken():
    pos = dealt("1/5/RYBB", "2/7/GG", "4/4/RRG", "1/6/RRB", "3/4/YYY")
    for seat, action in enumerate("DABCC"):
        pos.play(seat, action)
    pos.resolve("3/7/BB")
    while pos.to_json()["phase"] == "haggle":
        seat = pos.actors[0]
        pos.play(seat, "accept" if "accept" in pos.moves(seat) else pos.moves(seat)[0])
    pos.play(0, "give b")
    assert board_info.scene(pos, 0).take == 2
