"""What a browser and the server say to each other at a table: every message, with its fields. `web/src/protocol.ts` is written from this; what is said over HTTP
of the lobby is in `souk.table.lobby_protocol`, of study in `souk.table.study_protocol`.

A table is played over one socket (`/api/tables/{table}/socket`): `Watch` first, then the others.
Texts that a person reads are messages with a key (see `souk.core.message`), so that the browser says them in its language.
"""

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from souk.core.facts import Fact

VERSION = 5  # of this protocol; a page of another version is asked to load itself again
NOBODY = -1  # a spectator's seat

Pace = Literal["relaxed", "normal", "fast", "instant"]  # how much time bots leave for looking on
Told = Annotated[
    list[Any], "A message as JSON: [key, values], and [key, values, places] where it is about places on the table."
]


# ---------------------------------------------------------------- what is a game's own


class Own(NamedTuple):
    """Marks a part of a message that is a game's own: the type of it is in the game's room."""

    part: str


class AnyPosition(msgspec.Struct):
    """What every position says, as `to_json` gives it; the game's own fields come besides."""

    game: str
    players: int
    options: dict[str, Any]
    phase: str
    turn: int | None


OwnPosition = Annotated[AnyPosition, Own("position")]  # the game's notation.py
OwnBox = Annotated[msgspec.Struct, Own("box")]  # scene.py
OwnScene = Annotated[msgspec.Struct, Own("scene")]  # scene.py
OwnFact = Annotated[Fact, Own("fact")]  # facts.py


# ---------------------------------------------------------------- time


ClockKind = Literal["move", "game", "days"]
Flag = Literal["stand_in", "lose"]
Proposed = Literal["take_back", "end", "pause"]
AwayChoice = Literal["stand_in", "wait", "end"]


class ClockTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clock of a table. By the move and by days every move has so many seconds; by the game all of a seat's moves share them."""

    kind: ClockKind
    seconds: float
    increment: float = 0.0  # by the game: seconds that a seat gains with each move
    flag: Flag = "stand_in"  # when the time is up: a bot stands in, or the game is lost for that seat and a bot plays it to the end
    returns: bool = True  # the person may come back in the bot's place; never by the game, of which no time is left


# ---------------------------------------------------------------- the table, from browser to server


class Watch(msgspec.Struct, tag_field="do", tag="watch", forbid_unknown_fields=True):
    """The first message on a socket, and again to look through another of one's seats, or at another pace. `after`: the last event already
    known, -1 for none."""

    version: int
    after: int = -1
    seat: int | None = None
    pace: Pace = "normal"


class Move(msgspec.Struct, tag_field="do", tag="move", forbid_unknown_fields=True):
    """Make a move. `after`: the last event that was known when it was made; refused where somebody was faster."""

    id: int
    after: int
    seat: int
    move: str


class Ask(msgspec.Struct, tag_field="do", tag="ask", forbid_unknown_fields=True):
    """Whether a move would be allowed, and why not. Changes nothing."""

    id: int
    seat: int
    move: str


class TakeBack(msgspec.Struct, tag_field="do", tag="take_back", forbid_unknown_fields=True):
    """Take one's last move back, where nothing has followed it: or, where all others are bots, nothing but what bots did about it."""

    id: int
    after: int
    seat: int


class StandIn(msgspec.Struct, tag_field="do", tag="stand_in", forbid_unknown_fields=True):
    """Let a bot of this level play for a person who is away, until they return."""

    id: int
    seat: int
    level: str


class Start(msgspec.Struct, tag_field="do", tag="start", forbid_unknown_fields=True):
    """Begin with those who are there: bots take the seats nobody took. For whoever made the table."""

    id: int


class GetUp(msgspec.Struct, tag_field="do", tag="leave", forbid_unknown_fields=True):
    """Get up from a table that has not begun: my seats are free again."""

    id: int


class Cancel(msgspec.Struct, tag_field="do", tag="cancel", forbid_unknown_fields=True):
    """Take away a table that has not begun. For whoever made it."""

    id: int


class Resign(msgspec.Struct, tag_field="do", tag="resign", forbid_unknown_fields=True):
    """Give up a game that has begun: I cannot win any more, and bots play on for my seats, for good."""

    id: int


class Rematch(msgspec.Struct, tag_field="do", tag="rematch", forbid_unknown_fields=True):
    """Another game with the same seats, once this one is over."""

    id: int
    commitment: str = ""  # to a share in its dice


class Commit(msgspec.Struct, tag_field="do", tag="commit", forbid_unknown_fields=True):
    """Have a share in the dice of a table that has not begun: this is its SHA-256 digest."""

    id: int
    seat: int
    commitment: str


class Open(msgspec.Struct, tag_field="do", tag="open", forbid_unknown_fields=True):
    """Tell one's share, when it is its turn: 32 bytes in hexadecimal digits."""

    id: int
    seat: int
    share: str


class Hint(msgspec.Struct, tag_field="do", tag="hint", forbid_unknown_fields=True):
    """Ask the coach what I could do now. `after`: the last event that was known. The answer is Advice."""

    id: int
    after: int
    seat: int


class Weigh(msgspec.Struct, tag_field="do", tag="weigh", forbid_unknown_fields=True):
    """Ask the coach whether a move gives away more than so much of the chance to win. Nothing is told where it does not. The answer is Advice."""

    id: int
    after: int
    seat: int
    move: str
    threshold: float = 0.05


class Agree(msgspec.Struct, tag_field="do", tag="agree", forbid_unknown_fields=True):
    """Where several persons play: let a coach be asked, once all of them agree; or no longer."""

    id: int
    seat: int
    agrees: bool


class Propose(msgspec.Struct, tag_field="do", tag="propose", forbid_unknown_fields=True):
    """Ask all other persons at the table: to let me take my last move back, to end the game with the scores as they are, or to pause it. `after`: the last event that was known."""

    id: int
    seat: int
    what: Proposed
    after: int


class Respond(msgspec.Struct, tag_field="do", tag="respond", forbid_unknown_fields=True):
    """Agree to what is asked, or decline it; whoever has asked withdraws it by declining."""

    id: int
    seat: int
    number: int  # of the proposal
    agrees: bool


class Resume(msgspec.Struct, tag_field="do", tag="resume", forbid_unknown_fields=True):
    """Go on with a game that is paused."""

    id: int
    seat: int


class ComeBack(msgspec.Struct, tag_field="do", tag="come_back", forbid_unknown_fields=True):
    """Play on oneself, where a bot stands in since one's time was up."""

    id: int
    seat: int


class DecideAway(msgspec.Struct, tag_field="do", tag="decide_away", forbid_unknown_fields=True):
    """Say what is to be done about somebody who is to move and has been away for long: what more than half of those present want is done."""

    id: int
    seat: int  # mine
    about: int  # the seat of whoever is away
    choice: AwayChoice
    level: str = ""  # of the bot that stands in


class Say(msgspec.Struct, tag_field="do", tag="say", forbid_unknown_fields=True):
    """Say something to the table: one of its phrases, or a text where it has free talk."""

    id: int
    seat: int
    phrase: str = ""  # by its key
    text: str = ""


class ReportSaying(msgspec.Struct, tag_field="do", tag="report", forbid_unknown_fields=True):
    """Let the host know of something that somebody said."""

    id: int
    number: int


class Sight(msgspec.Struct, tag_field="do", tag="sight", forbid_unknown_fields=True):
    """Whether this page is in sight: who has a table before them is not called to it. A page is, until it says otherwise."""

    id: int
    visible: bool


class Ping(msgspec.Struct, tag_field="do", tag="ping", forbid_unknown_fields=True):
    """Whether the server is still there."""

    id: int


PlayCommand = Watch | Move | Ask | TakeBack | StandIn | Commit | Open | Hint | Weigh | Agree
SeatCommand = Start | GetUp | Cancel | Resign | Rematch
CompanyCommand = Propose | Respond | Resume | ComeBack | DecideAway | Say | ReportSaying
Command = PlayCommand | SeatCommand | CompanyCommand | Sight | Ping


# ---------------------------------------------------------------- the table, from server to browser


class SeatNow(msgspec.Struct, omit_defaults=True):
    name: str
    kind: str  # "person", "bot", or "free" while a link has not been used
    level: str = ""  # of a bot
    away: bool = False  # a person who is not connected
    stand_in: str = ""  # the level of the bot that plays for them meanwhile
    waking: int = 0  # about how many seconds until a bot can move: one that searches waits for the compiler, once
    hurried: bool = False  # a bot that thinks for a shorter time than its level has, as many games are played at once
    gender: str = ""  # "she" or "he", of a bot by its name; "" where nobody knows
    open: bool = False  # free, for whoever opens the table's address
    resigned: bool = False  # its person has, and `stand_in` plays on
    figure: str = ""  # that its person has chosen for themselves, and their colour: none of the game's
    colour: str = ""


class LessonPage(msgspec.Struct):
    """A step of a lesson: what is said, and what it is about."""

    text: Told
    at: list[
        str
    ]  # marks such as "move left" (data-move="left"), "seat 1", "field d5 + field e5": the first that is on the page counts
    see: list[str]  # marks of what must stay in sight besides
    move: str  # that is waited for; "" where it is read and passed on


class LessonNow(msgspec.Struct):
    """Where a lesson stands. Of its pages the last waits for a move, unless the lesson is over; there are none while others play."""

    passed: int  # steps before these
    steps: int  # in all
    pages: list[LessonPage]
    over: bool


class View(msgspec.Struct, omit_defaults=True):
    """A position as one seat, or a spectator, may see it."""

    position: OwnPosition
    actors: list[int]
    moves: list[str]  # my legal moves; the lowest few where there are very many
    scores: list[int]
    winners: list[int]
    over: bool
    scene: OwnScene  # what the rules say about what lies on the table
    secret: bool = False  # it holds choices that are not revealed yet
    more: bool = False  # there are further legal moves (higher offers)
    can_take_back: bool = (
        False  # where other persons play too: they have to be asked, unless it is a choice that is not revealed
    )
    ended: str = ""  # before its end: "agreed" by all, with "no_result", "left" as nobody else could win any more, or "called" as the round of an event was
    lost: list[int] = []  # seats that cannot win any more, as they resigned or their time was up
    asked: Told | None = None  # what I am to do, where it is for me to move and the game has words for it
    lesson: LessonNow | None = (
        None  # for whoever learns the game here; its dice and the other seats' moves are known beforehand
    )


class LogLine(msgspec.Struct, omit_defaults=True):
    """An event in words, for the log."""

    seq: int
    seat: int | None  # None: dice and cards
    told: list[Told]
    taken_back: bool = False  # this event takes back the seat's last move before it


class ShareNow(msgspec.Struct):
    """What one person's browser gives to the dice."""

    seat: int
    commitment: str  # the SHA-256 digest of its share; "" while it is still to come
    opened: bool = False  # the server knows the share
    missing: bool = False  # it was not told in time: the dice do without
    share: str = ""  # once the game is over


class DicePromise(msgspec.Struct):
    """What makes the dice provably fair: the digest of the server's share, what the persons give, and once the game is over all of it."""

    digest: str  # "" in a lesson, whose dice are known beforehand
    seed: str = ""  # once the game is over
    together: bool = False  # the seed is made of shares; else the server alone drew it, and the digest is the seed's
    closed: bool = (
        False  # everybody is there: no commitment is added, and shares are opened in the order in which they are listed
    )
    turn: int = NOBODY  # whose share is to be opened now
    shares: list[ShareNow] = []
    share: str = ""  # the server's, once the game is over


class Draw(msgspec.Struct):
    """A die or card that came up. Of the numbers below `of`, those from `low` up to, but not including, `high` give it."""

    seq: int
    text: str
    low: int
    high: int
    of: int


class Branch(msgspec.Struct, omit_defaults=True):
    """Where a table began that did not begin as its game does: after so many events of another, or, where that is "", at some position."""

    table: str = ""
    step: int = 0
    back: int = 0  # so many events before the step that was asked for: choices were hidden then, and are made anew


class Printed(msgspec.Struct):
    """Where it comes from what is printed on the board or the cards of a table, which no rulebook lists."""

    name: str  # of somebody's own box; "" for ours
    text: str  # the data file


class Coaching(msgspec.Struct):
    """The coach of a table: who has agreed to it, where that is needed, and how often each seat was given a hint or a warning."""

    open: bool  # it may be asked
    persons: list[int]  # the seats of persons: where they are several all must agree
    agreed: list[int]
    hints: list[int]  # by seat


class ClocksNow(msgspec.Struct):
    """The clocks of a table at the moment this is said."""

    terms: ClockTerms
    left: list[float]  # by seat: seconds
    running: list[int]  # the seats whose clocks run


class ProposalNow(msgspec.Struct):
    """Something that one person asks of the others."""

    number: int
    what: Proposed
    seat: int  # who asks
    agreed: list[int]
    missing: list[int]  # who has still to answer, each by one seat
    lapses_in: float  # seconds


class AwayNow(msgspec.Struct):
    """Somebody is to move and is away: the others decide about it, from then on."""

    seat: int
    decide_in: float  # seconds; 0 once they can
    voices: list[int]  # who of those present decides, each by one seat
    votes: dict[int, AwayChoice]


class LifeNow(msgspec.Struct, tag_field="is", tag="life"):
    """What concerns time and agreement at a table, whenever any of it has changed."""

    clocks: ClocksNow | None = None
    paused: bool = False
    proposal: ProposalNow | None = None
    away: list[AwayNow] = []
    out: list[int] = []  # seats that a bot plays to the end, as their time was up


class Saying(msgspec.Struct, omit_defaults=True):
    """Something that was said at the table."""

    number: int
    seat: int
    phrase: str = ""  # a key, so that everybody reads it in their own language
    text: str = ""  # or words of one's own
    at: float = 0.0  # when, in seconds since 1970


class Talking(msgspec.Struct):
    """Talk at a table: what can be said, and what has been said of late."""

    free: bool  # people may write what they like
    phrases: list[str]  # keys; those that begin with talk.face. are faces
    said: list[Saying]


class TableNow(msgspec.Struct, tag_field="is", tag="table"):
    """The answer to Watch: all there is to know. Told again to everybody when the game begins; before that there is no view of it."""

    version: int
    table: str
    game: str
    box: OwnBox | None  # what does not change in a game: arches, rate cards, …
    seats: list[SeatNow]
    mine: list[int]
    seat: int  # through whose eyes the view is, NOBODY for a spectator's
    seq: int  # of the last event
    lines: list[LogLine]  # those after the number that Watch named
    view: View | None
    dice: DicePromise
    rematch: str = ""  # the table where it goes on
    old: bool = (
        False  # it was played by other rules than today's: it is shown as to a spectator, and cannot be played on
    )
    printed: Printed | None = None  # None where the rulebook has it all
    branch: Branch | None = None  # where it began, if not as its game does
    coach: Coaching | None = None  # None where there is none: in a lesson, at an old table
    life: LifeNow | None = None  # None in a lesson, at an old table, and before a game without a clock has begun
    host: int = NOBODY  # the seat of whoever made the table
    fill: str = ""  # the level of bots that take open seats which nobody took; "" for the usual
    talk: Talking | None = None  # None where there is nobody to talk to
    rated: bool = False  # it counts for ratings: no coach, nothing is taken back, whoever's time is up has lost
    evening: str = ""  # the event of which it is a table
    public: bool = False  # everybody in the lobby sees it


class OldTable(msgspec.Struct, tag_field="is", tag="old"):
    """The answer to Watch where today's rules cannot read what was played by others: the words that were told, without a board. Nothing follows it."""

    game: str
    rules: int  # the version by which it was played
    names: list[str]
    lines: list[LogLine]
    over: bool
    scores: list[int]
    winners: list[int]


class Passing(msgspec.Struct, omit_defaults=True):
    """Something that other things followed at once. Nobody could move in between: what is said of it beside this is what the last event says."""

    seq: int
    seat: int | None
    move: str | None
    told: list[Told]
    facts: list[OwnFact]
    position: dict[str, Any]  # what of the position was another then than it is in the end
    scores: list[int]
    scene: OwnScene | None = None  # what of the scene was so then, and is not in the end
    taken_back: bool = False


class Event(msgspec.Struct, tag_field="is", tag="event", omit_defaults=True):
    """Something has happened."""

    seq: int
    seat: int | None
    move: str | None  # what was played or came up; None where I may not know it
    told: list[Told]
    facts: list[OwnFact]  # what it did: the way Omar walked, who paid whom, …
    view: View
    taken_back: bool = False  # this event takes back the seat's last move, which had this text
    passed: list[Passing] = []  # what happened just before it, in order: a move whose dice and cards came up at once


class Seats(msgspec.Struct, tag_field="is", tag="seats"):
    """Somebody sat down, left, came back."""

    seats: list[SeatNow]
    mine: list[int]


class CoachNow(msgspec.Struct, tag_field="is", tag="coach"):
    """Somebody has agreed to a coach, or was given a hint."""

    coach: Coaching | None


class SaidAloud(msgspec.Struct, tag_field="is", tag="said"):
    """Somebody says something."""

    saying: Saying


class AdvisedMove(msgspec.Struct):
    """A move that the coach speaks of."""

    move: str
    win: float  # the chance to win; alone it says nothing
    score: float  # the final score expected
    share: float  # of a secret choice: how often to choose it
    loss: float  # what it gives away of the chance to win; alone: of the score
    error: float  # the standard error of that
    reasons: list[Told]  # what speaks for it, or against it
    told: list[Told]  # what it would do


class Advice(msgspec.Struct, tag_field="is", tag="advice"):
    """The answer to Hint and to Weigh, to whoever asked."""

    id: int
    seq: int  # the last event before the move it is about
    moves: list[
        AdvisedMove
    ]  # the best first: two, or of a secret choice all that is worth choosing; none where a move is not warned of
    asked: AdvisedMove | None  # the move that is warned of
    mixed: bool  # a secret choice: each move is to be chosen so often
    exact: bool
    rough: bool  # the first impression of a weaker bot, as the better ones are not awake yet


class DiceNow(msgspec.Struct, tag_field="is", tag="dice"):
    """A table that has not begun: somebody's commitment or share is there, or is left out."""

    dice: DicePromise


class Result(msgspec.Struct, tag_field="is", tag="result"):
    """After the last event, and after TableNow where the game is over: where everybody's points came from, and all about the dice."""

    sources: list[dict[str, int]]  # by seat: the source's name -> points
    dice: DicePromise
    draws: list[Draw]


class NextTable(msgspec.Struct, tag_field="is", tag="rematch"):
    """It goes on at another table; one's seats there are the same."""

    table: str


class Invitee(msgspec.Struct):
    """Somebody who was asked to a table, by the name they had where whoever asks met them."""

    name: str
    state: Literal["asked", "declined", "here"]


class InvitedNow(msgspec.Struct, tag_field="is", tag="invited"):
    """To whoever made a table that has not begun: somebody was asked to it, has come, or would rather not."""

    invited: list[Invitee]


class Wanted(msgspec.Struct, tag_field="is", tag="wanted"):
    """Somebody would like to play with me at another table, which has not begun; `again`: they want a rematch, and my seat is kept."""

    table: str
    game: str
    by: str  # what they are called there
    again: bool


class Announcement(msgspec.Struct, tag_field="is", tag="announcement"):
    """What the host has to say to everybody; empty where that is over."""

    text: str


class Pong(msgspec.Struct, tag_field="is", tag="pong"):
    """The answer to Ping."""

    id: int


class Done(msgspec.Struct, tag_field="is", tag="done"):
    """A command was carried out, and is kept."""

    id: int
    seq: int


class Refused(msgspec.Struct, tag_field="is", tag="refused"):
    """A command was not carried out, and nothing has changed."""

    id: int | None  # None where it could not be read
    reason: Told
    clause: str | None = None


class Answer(msgspec.Struct, tag_field="is", tag="answer"):
    """The answer to Ask."""

    id: int
    legal: bool
    reason: Told | None = None
    clause: str | None = None


TableMessage = TableNow | OldTable | Event | Seats | DiceNow | CoachNow | LifeNow | SaidAloud | Advice | Result
CompanyMessage = NextTable | InvitedNow | Wanted
AnswerMessage = Done | Refused | Answer | Pong
Message = TableMessage | CompanyMessage | AnswerMessage | Announcement
