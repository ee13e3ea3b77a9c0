"""Lost actions are shown in both Basari games while the choices are visible."""

from typing import Any

import souk

BASARI, CARDS = souk.game("basari"), souk.game("basari-cards")


def chosen(pos: souk.Position, *actions: str) -> souk.Position:
    for seat, action in enumerate(actions):
        pos.play(seat, action)
    return pos


def walked(players: int) -> souk.Position:
    """A Basari table where everybody has placed a disc, walked, and must choose."""
    pos = BASARI.start(players=players)
    while pos.to_json()["phase"] != "choose":
        if pos.actors:
            pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
        else:
            pos.resolve("3")
    return pos


def dealt(*cards: str) -> souk.Position:
    pos = CARDS.start(players=len(cards))
    for card in cards:
        pos.resolve(card)
    return pos


def lost_in(pos: souk.Position) -> list[str]:
    scene: Any = pos.game.board_info.scene(pos, 0)
    lost: list[str] = scene.lost
    return lost


def test_three_who_want_the_same_see_it_lost_before_it_is_settled() -> None:
    pos = chosen(walked(4), "gems", "dice", "gems", "gems")
    assert pos.to_json()["phase"] == "dice"
    assert lost_in(pos) == ["gems"]
    pos.resolve("2")
    assert lost_in(pos) == []  # the round is over, and no choice is visible


def test_nothing_is_lost_while_all_choose() -> None:
    pos = walked(3)
    assert lost_in(pos) == []
    assert lost_in(chosen(pos, "gems", "gems").seen_by(2)) == []


def test_what_is_lost_stays_so_while_others_haggle() -> None:
    """K16: B stays lost while two haggle for A, and after."""
    pos = chosen(
        dealt("1/5/RYBB", "2/7/GG", "4/4/RRG", "3/7/BB", "2/4/RRR"), "A", "B", "A", "B", "B"
    )
    assert lost_in(pos) == ["B"]
    pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
    assert lost_in(pos) == ["B"]


def test_d_is_never_lost() -> None:
    """K30: however many choose it."""
    pos = chosen(
        dealt("1/5/RYBB", "2/7/GG", "4/4/RRG", "3/7/BB", "2/4/RRR"), "D", "D", "D", "C", "D"
    )
    assert pos.to_json()["pending"] == ["D"]
    assert lost_in(pos) == []
