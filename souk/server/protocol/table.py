"""Messages on a table's socket (`/api/tables/{table}/socket`).

`web/src/protocol/table.ts` is generated from this. The browser sends `Watch` first. Texts for
people are messages with a key (`souk.core.messages`), which the browser translates. The lobby's
HTTP API is in `souk.server.protocol.lobby`, that of analysis in `souk.server.protocol.analysis`.
"""

import re
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from souk.core.facts import Fact

VERSION = 5  # of this protocol; pages of another version are asked to reload
NOBODY = -1  # a spectator's seat

Pace = Literal["relaxed", "normal", "fast", "instant"]  # the time bots leave for watching
Told = Annotated[
    list[Any],
    "A message as JSON: [key, values] or [key, values, places], with places on the table.",
]


# ---------------------------------------------------------------- types of the games


class GameSpecific(NamedTuple):
    """Marks a part of a message whose type is defined by the game."""

    part: str


class AnyPosition(msgspec.Struct):
    """The fields that all positions have, as `to_json` gives them; each game adds its own."""

    game: str
    players: int
    options: dict[str, Any]
    phase: str
    turn: int | None


OwnPosition = Annotated[AnyPosition, GameSpecific("position")]  # the game's notation.py
OwnBox = Annotated[msgspec.Struct, GameSpecific("box")]  # scene.py
OwnScene = Annotated[msgspec.Struct, GameSpecific("scene")]  # scene.py
OwnFact = Annotated[Fact, GameSpecific("fact")]  # facts.py


# ---------------------------------------------------------------- time


ClockKind = Literal["move", "game", "days"]
Flag = Literal["stand_in", "lose"]
Proposed = Literal["take_back", "end", "pause"]
AwayChoice = Literal["stand_in", "wait", "end"]


class ClockTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clock of a table.

    "move" and "days" give every move so many seconds; with "game" all moves of a seat share them.
    """

    kind: ClockKind
    seconds: float
    increment: float = 0.0  # "game": seconds that a seat gains with each move
    # when time is up: a bot stands in, or the seat loses and a bot plays it to the end
    flag: Flag = "stand_in"
    returns: bool = True  # whether the person may take over from the bot again; never with "game"


# ---------------------------------------------------------------- bases


def _tag(name: str) -> str:
    """The tag of a message: its class name in snake case, without "Now"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removesuffix("Now")).lower()


class FromBrowser(msgspec.Struct, tag_field="do", tag=_tag, forbid_unknown_fields=True):
    """Base of all messages from browser to server."""


class AnyCommand(FromBrowser):
    """Base of all commands. The answer has the same `id`."""

    id: int


class AnySeatCommand(AnyCommand):
    """Base of commands for one of my seats."""

    seat: int


class AnyMessage(msgspec.Struct, tag_field="is", tag=_tag):
    """Base of all messages from server to browser."""


# ---------------------------------------------------------------- from browser to server


class Watch(FromBrowser):
    """The first message on a socket, sent again to look through another seat or at another pace.

    `after`: the last known event, or -1.
    """

    version: int
    after: int = -1
    seat: int | None = None
    pace: Pace = "normal"


class Move(AnySeatCommand):
    """Make a move.

    `after`: the last event known when it was made; the move is refused if there is a newer one.
    """

    after: int
    move: str


class CheckLegality(AnySeatCommand):
    """Ask whether a move is legal, and why not. Changes nothing."""

    move: str


class TakeBack(AnySeatCommand):
    """Take back my last move, if nothing followed it or only moves of bots."""

    after: int


class StandIn(AnySeatCommand):
    """Let a bot of this level play for an absent person until they return."""

    level: str


class StartGame(AnyCommand):
    """Start the game without waiting for more people: bots take the free seats. For the host."""


class LeaveTable(AnyCommand):
    """Leave a table before its game begins: my seats become free."""


class CancelTable(AnyCommand):
    """Delete a table before its game begins. For the host."""


class Resign(AnyCommand):
    """Resign: I can no longer win, and bots play my seats to the end."""


class Rematch(AnyCommand):
    """Start another game with the same seats, once this one is over."""

    commitment: str = ""  # to a share in its dice


class CommitShare(AnySeatCommand):
    """Commit to a share of the dice, by its digest."""

    commitment: str


class RevealShare(AnySeatCommand):
    """Tell one's share, when it is its turn: 32 bytes in hexadecimal digits."""

    share: str


class Hint(AnySeatCommand):
    """Ask the coach for a move. `after`: the last known event. The answer is Advice."""

    after: int


class CheckMove(AnySeatCommand):
    """Ask the coach whether a move loses more than `threshold` of the chance to win.

    The answer is Advice, which is empty if it does not.
    """

    after: int
    move: str
    threshold: float = 0.05


class ConsentToCoach(AnySeatCommand):
    """Agree or disagree to a coach, which may be asked once all persons agree."""

    agrees: bool


class Propose(AnySeatCommand):
    """Ask all other persons to let me take back my last move, to end the game with the present
    scores, or to pause it. `after`: the last known event.
    """

    what: Proposed
    after: int


class Respond(AnySeatCommand):
    """Agree to a proposal or decline it; its proposer withdraws it by declining."""

    number: int  # of the proposal
    agrees: bool


class Resume(AnySeatCommand):
    """Resume a paused game."""


class ReplaceBot(AnySeatCommand):
    """Play again after a bot took over because my time was up."""


class VoteOnAbsence(AnySeatCommand):
    """Vote on a person who has to move and has been away for long; a majority of those present
    decides.
    """

    about: int  # the seat of the absent person
    choice: AwayChoice
    level: str = ""  # of the bot that stands in


class Say(AnySeatCommand):
    """Say one of the phrases, or a text if the table has free chat."""

    phrase: str = ""  # by its key
    text: str = ""


class ReportChat(AnyCommand):
    """Report a chat line to the host."""

    number: int  # of the line


class PageVisibility(AnyCommand):
    """Whether this page is visible; people who see the table get no push notification.

    Pages start as visible.
    """

    visible: bool


class Ping(AnyCommand):
    """Ask whether the server is alive."""


PlayCommand = Watch | Move | CheckLegality | TakeBack | StandIn | CommitShare | RevealShare
CoachCommand = Hint | CheckMove | ConsentToCoach
TableCommand = StartGame | LeaveTable | CancelTable | Resign | Rematch | PageVisibility | Ping
CompanyCommand = Propose | Respond | Resume | ReplaceBot | VoteOnAbsence | Say | ReportChat
Command = PlayCommand | CoachCommand | TableCommand | CompanyCommand


# ---------------------------------------------------------------- from server to browser


class SeatNow(msgspec.Struct, omit_defaults=True):
    name: str
    kind: str  # "person", "bot", or "free" while nobody has taken it
    level: str = ""  # of a bot
    away: bool = False  # a person without an open page
    stand_in: str = ""  # level of the bot that plays for an absent person
    waking: int = 0  # estimated seconds until a searching bot is compiled
    # a bot that has less time than its level allows, as many games are played at once
    hurried: bool = False
    gender: str = ""  # "she" or "he" for a bot, by its name; "" if unknown
    open: bool = False  # free for anybody with the address of the table
    resigned: bool = False  # its person has resigned, and `stand_in` plays on
    figure: str = ""  # chosen by the person, like the colour; not a piece of the game
    colour: str = ""


class LessonPage(msgspec.Struct):
    """A step of a lesson: its text and what it points at."""

    text: Told
    # targets such as "move left" (data-move="left"), "seat 1" or "field d5 + field e5"; the first
    # one present counts
    at: list[str]
    see: list[str]  # targets that must stay visible as well
    move: str  # the move that is expected; "" if the page is only read


class LessonNow(msgspec.Struct):
    """The progress of a lesson.

    The last page waits for a move unless the lesson is over; there are no pages while others play.
    """

    passed: int  # steps before these
    steps: int  # in all
    pages: list[LessonPage]
    over: bool


class View(msgspec.Struct, omit_defaults=True):
    """A position as a seat or a spectator may see it."""

    position: OwnPosition
    actors: list[int]
    moves: list[str]  # my legal moves; only the lowest if there are very many
    scores: list[int]
    winners: list[int]
    over: bool
    scene: OwnScene  # what the rules say about the things on the table
    secret: bool = False  # it contains unrevealed choices
    more: bool = False  # there are further legal moves (higher offers)
    can_take_back: bool = False  # other persons are asked first, unless it is an unrevealed choice
    # early end: "agreed" by all, "no_result", "left" as only one player remained, or "called" when
    # the round of an event ended
    ended: str = ""
    lost: list[int] = []  # seats that can no longer win, as they resigned or ran out of time
    asked: Told | None = None  # what I have to do, if it is my turn and the game has words for it
    lesson: LessonNow | None = None  # in a lesson, whose dice and other moves are scripted


class LogLine(msgspec.Struct, omit_defaults=True):
    """An event in words."""

    seq: int
    seat: int | None  # null: dice and cards
    told: list[Told]
    taken_back: bool = False  # this event takes back the seat's last move


class ShareNow(msgspec.Struct):
    """One person's share of the dice."""

    seat: int
    commitment: str  # SHA-256 digest of the share; "" until it arrives
    opened: bool = False  # the server knows the share
    missing: bool = False  # not revealed in time; the dice do without it
    share: str = ""  # once the game is over


class DicePromise(msgspec.Struct):
    """What makes the dice provably fair: the digest of the server's share and the persons' shares;
    everything once the game is over.
    """

    digest: str  # "" in a lesson, whose dice are scripted
    seed: str = ""  # once the game is over
    # the seed is made of shares; otherwise the server alone drew it, and the digest is that of the
    # seed
    together: bool = False
    closed: bool = False  # no more commitments; shares are revealed in the order of the list
    turn: int = NOBODY  # whose share is to be revealed now
    shares: list[ShareNow] = []
    share: str = ""  # the server's, once the game is over


class Draw(msgspec.Struct):
    """A die or card that came up.

    Of the numbers below `of`, those in `low` ≤ n < `high` give it.
    """

    seq: int
    text: str
    low: int
    high: int
    of: int


class Branch(msgspec.Struct, omit_defaults=True):
    """The origin of a table with a start position of its own: after some events of another table,
    or, if `table` is "", a position.
    """

    table: str = ""
    step: int = 0
    # number of events skipped before the requested step, to begin before hidden choices
    back: int = 0


class DieShown(msgspec.Struct):
    """The printed board or cards of a table, which no rulebook lists."""

    name: str  # of a custom box; '' for ours
    text: str  # the data file


class Coaching(msgspec.Struct):
    """The coach of a table: who has agreed to it, and how many hints and warnings each seat has
    had.
    """

    open: bool  # it may be asked
    persons: list[int]  # seats of persons; if there are several, all must agree
    agreed: list[int]
    hints: list[int]  # by seat


class ClocksNow(msgspec.Struct):
    """The clocks of a table at this moment."""

    terms: ClockTerms
    left: list[float]  # by seat: seconds
    running: list[int]  # the seats whose clocks run


class ProposalNow(msgspec.Struct):
    """A proposal of one person to the others."""

    number: int
    what: Proposed
    seat: int  # who asks
    agreed: list[int]
    missing: list[int]  # who has not answered yet, one seat each
    lapses_in: float  # seconds


class AwayNow(msgspec.Struct):
    """A person who has to move and is away; the others decide about it."""

    seat: int
    decide_in: float  # seconds until the others can decide; 0 if they can
    voices: list[int]  # who decides, one seat each
    votes: dict[int, AwayChoice]


class TimingNow(AnyMessage):
    """Clocks, proposals and absences, whenever any of it changes."""

    clocks: ClocksNow | None = None
    paused: bool = False
    proposal: ProposalNow | None = None
    away: list[AwayNow] = []
    out: list[int] = []  # seats that a bot plays to the end, as their time was up


class ChatLine(msgspec.Struct, omit_defaults=True):
    """A line of chat."""

    number: int
    seat: int
    phrase: str = ""  # a key, shown in the language of the reader
    text: str = ""  # or free text
    at: float = 0.0  # when, in seconds since 1970
    name: str = ""  # of the speaker at that time, as seats may change hands


class ChatSettings(msgspec.Struct):
    """The chat of a table."""

    free: bool  # people may write free text
    phrases: list[str]  # keys; those that begin with talk.face. are faces
    said: list[ChatLine]  # recent lines


class TableNow(AnyMessage):
    """The answer to Watch, with everything.

    Sent again to all when the game begins; before that there is no view.
    """

    version: int
    table: str
    game: str
    box: OwnBox | None  # what never changes in a game: arches, rate cards, …
    seats: list[SeatNow]
    mine: list[int]
    seat: int  # the seat of the view, NOBODY for a spectator's
    seq: int  # of the last event
    lines: list[LogLine]  # those after the event that Watch named
    view: View | None
    dice: DicePromise
    rematch: str = ""  # the table of the rematch
    old: bool = False  # played by older rules: shown as to a spectator
    printed: DieShown | None = None  # null if the rulebook has it all
    branch: Branch | None = None  # its origin, if it has a start position of its own
    coach: Coaching | None = None  # null if there is none: in lessons and at old tables
    # null in lessons, at old tables, and before a game without a clock has begun
    life: TimingNow | None = None
    host: int = NOBODY  # seat of the host
    fill: str = ""  # level of the bots that take open seats; "" for the default
    talk: ChatSettings | None = None  # null if there is nobody to talk to
    rated: bool = False  # counts for ratings: no coach, no take-backs, running out of time loses
    event: str = ""  # the event it belongs to
    public: bool = False  # listed in the lobby


class OldTable(AnyMessage, tag="old"):
    """The answer to Watch for a game by older rules that cannot be replayed: only its log, and
    nothing follows.
    """

    game: str
    rules: int  # the version it was played by
    names: list[str]
    lines: list[LogLine]
    over: bool
    scores: list[int]
    winners: list[int]


class BriefView(msgspec.Struct, omit_defaults=True):
    """An event that others followed at once, as the difference to the last of them.

    Nobody could move in between.
    """

    seq: int
    seat: int | None
    move: str | None
    told: list[Told]
    facts: list[OwnFact]
    position: dict[str, Any]  # fields of the position that differ from the final one
    scores: list[int]
    scene: OwnScene | None = None  # parts of the scene that differ from the final one
    taken_back: bool = False


class Event(AnyMessage, omit_defaults=True):
    """Something has happened."""

    seq: int
    seat: int | None
    move: str | None  # what was played or came up; null if I may not know it
    told: list[Told]
    facts: list[OwnFact]  # its effects: how Omar walked, who paid whom, …
    view: View
    taken_back: bool = False  # this event takes back the seat's last move, which had this text
    # events just before it, in order: a move whose dice and cards came up at once
    passed: list[BriefView] = []


class Seats(AnyMessage):
    """Somebody sat down, left or came back."""

    seats: list[SeatNow]
    mine: list[int]


class CoachNow(AnyMessage):
    """Consent to the coach or the number of hints has changed."""

    coach: Coaching | None


class ChatMessage(AnyMessage):
    """A new line of chat."""

    saying: ChatLine


class Spoken(msgspec.Struct, omit_defaults=True):
    """The one sentence about a decision; its places are drawn on the board.

    Hint, warning, analysis and puzzle speak alike; the numbers stand behind a fold.
    """

    sentence: Told | None = None  # null: no reason holds
    further: Told | None = None  # a second reason, of another cause
    equal: bool = False  # the moves compared are equally good
    key: str = ""  # of the reason


class AdvisedMove(msgspec.Struct):
    """A move as the coach judges it."""

    move: str
    name: Told  # in a few words; its places are where it goes
    win: float  # the chance to win; meaningless alone
    score: float  # the final score expected
    share: float  # of a secret choice: how often to make it
    loss: float  # what it gives away of the chance to win; alone, of the score
    error: float  # the standard error of that
    reasons: list[Told]  # numbers about it
    told: list[Told]  # its effects


class Advice(AnyMessage):
    """The answer to Hint and CheckMove."""

    id: int
    seq: int  # the last event before the move
    # best first: two, or for a secret choice all worth making; none if a move gets no warning
    moves: list[AdvisedMove]
    asked: AdvisedMove | None  # the move that is warned of
    mixed: bool  # a secret choice: each move has its share
    exact: bool
    rough: bool  # by a weaker bot, as the better ones are not ready yet
    spoken: Spoken | None = None  # why the first move is better than the next, or the one asked


class DiceNow(AnyMessage):
    """A commitment or share has arrived or was left out, before the game begins."""

    dice: DicePromise


class Result(AnyMessage):
    """After the last event, or after TableNow of a finished game: the sources of everybody's
    points, and all about the dice.
    """

    sources: list[dict[str, int]]  # by seat: points by source
    dice: DicePromise
    draws: list[Draw]


class RematchReady(AnyMessage):
    """The rematch is at another table, with the same seats."""

    table: str


class Invitee(msgspec.Struct):
    """A person invited to a table, by the name they had where the inviter met them."""

    name: str
    state: Literal["asked", "declined", "here"]


class InvitedNow(AnyMessage):
    """To the host of a table that has not begun: somebody was invited, has come, or declined."""

    invited: list[Invitee]


class InvitedElsewhere(AnyMessage):
    """Somebody wants to play with me at another table; `again`: a rematch, where my seat is
    reserved.
    """

    table: str
    game: str
    by: str  # their name at that table
    again: bool


class Announcement(AnyMessage):
    """The host's announcement to everybody; empty when it is over."""

    text: str


class Pong(AnyMessage):
    """The answer to Ping."""

    id: int


class Done(AnyMessage):
    """A command was carried out and stored."""

    id: int
    seq: int


class Refused(AnyMessage):
    """A command was refused and has changed nothing."""

    id: int | None  # null if the command could not be read
    reason: Told
    clause: str | None = None


class Answer(AnyMessage):
    """The answer to CheckLegality."""

    id: int
    legal: bool
    reason: Told | None = None
    clause: str | None = None


TableMessage = TableNow | OldTable | Event | Seats | DiceNow | TimingNow | Result
CompanyMessage = CoachNow | Advice | ChatMessage | RematchReady | InvitedNow | InvitedElsewhere
AnswerMessage = Done | Refused | Answer | Pong
Message = TableMessage | CompanyMessage | AnswerMessage | Announcement
