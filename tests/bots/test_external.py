"""External bots, with real programs: good ones and every kind of bad one."""

import gc
import itertools
import json
import random
import re
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import souk
from souk.bots import external as pipe
from souk.bots.bot import Choice
from souk.bots.external import ExternalBot, external_bot
from tests.support.processes import exists

ROOT = Path(__file__).parents[2]

# Common start of all programs: `ask()` reads the next request, `play()` answers its first move.
PRELUDE = """
import json, os, signal, sys, time
def hear():
    return json.loads(sys.stdin.readline() or '{"type": "bye"}')
def say(**message):
    print(json.dumps(message), flush=True)
def ask():
    message = hear()
    if message["type"] == "bye":
        sys.exit()
    return message
def play(question, **more):
    say(**{"type": "move", "id": question["id"], "move": question["moves"][0]} | more)
def serve():
    while True:
        play(ask())
"""
HELLO = 'ask(); say(type="ready", name="A test")\n'

Make = Callable[..., ExternalBot]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes bots from source text and closes them at the end."""
    made: list[ExternalBot] = []

    def from_text(body: str, seconds: float = 20.0, start: str = HELLO) -> ExternalBot:
        script = tmp_path / f"program{len(made)}.py"
        script.write_text(PRELUDE + start + body)
        made.append(ExternalBot(shlex.join([sys.executable, "-S", str(script)]), seconds))
        return made[-1]

    yield from_text
    for bot in made:
        bot.close()


@pytest.fixture
def pos() -> souk.Position:
    return souk.game("suleika").start(players=3)


def own(choice: Choice) -> str:
    """The move of a choice that needed no fallback."""
    assert choice.fallback == ""
    return choice.move


def lost(bot: ExternalBot, pos: souk.Position, why: str) -> str:
    """Expect a fallback with this one-line reason."""
    choice = bot.choose(pos, 0)
    assert choice.move in pos.moves(0)
    assert re.search(why, choice.fallback), choice.fallback
    assert choice.fallback.startswith(bot.name)
    assert choice.fallback.isprintable()
    return choice.fallback


def running(bot: ExternalBot) -> int:
    assert bot._program is not None
    return bot._program.pid


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


# ---------------------------------------------------------------- good programs


def documented_bot(folder: Path) -> ExternalBot:
    page = (ROOT / "docs" / "program" / "pipe-bots.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    script = folder / "simple.py"
    script.write_text(code, encoding="utf-8")
    return ExternalBot(shlex.join([sys.executable, "-S", str(script)]), 20.0)


@pytest.mark.parametrize("name", ["suleika", "basari", "basari-cards", "bazaar"])
def test_the_documented_bot_plays_whole_games(name: str, tmp_path: Path) -> None:
    rng = random.Random(1)
    game = souk.game(name)
    pos = game.start(players=3)
    chosen = 0
    with documented_bot(tmp_path) as bot:
        while not pos.over:
            if not pos.actors:
                pos.draw(rng)
                continue
            seat = rng.choice(pos.actors)
            if seat == 1:
                move = own(bot.choose(pos, seat))
                chosen += 1
            else:
                code = game.rules.random_move(
                    pos.state, seat, rng.getrandbits(64), [0] * game.widest
                )
                move = game.notation.move_text(pos.state, code)
            pos.play(seat, move)
        assert chosen > 5
        assert bot.title == "Simple Sim"


def test_what_a_program_may_answer(make: Make, pos: souk.Position) -> None:
    bot = make(
        """
question = ask()
good = {"move": " LEFT ", "share": 0.75, "win": 0.5, "score": 31}
bad = [7, {}, {**good, "move": "fly"}, {**good, "share": 2}, {**good, "win": None}]
bad.append({**good, "score": 10**400})
play(question, move="Left", considered=[good, *bad], mood="sunny")
serve()
"""
    )
    before = pos.copy()
    choice = bot.choose(pos, 0)
    assert own(choice) == "left"
    assert [(c.move, c.share, c.win, c.score) for c in choice.considered] == [
        ("left", 0.75, 0.5, 31.0)
    ]
    assert pos == before
    assert bot.title == "A test"
    for _ in range(pipe.RESTARTS + 2):
        bot.close()
        assert own(bot.choose(pos, 0)) == "left"  # it can be asked again after that


def test_questions_in_full(make: Make, pos: souk.Position, tmp_path: Path) -> None:
    log = tmp_path / "log"
    bot = make(
        f"log = open({str(log)!r}, 'w', buffering=1)\n"
        "while True:\n q = ask(); print(json.dumps(q), file=log); play(q)"
    )
    bot.choose(pos, 0)
    bot.choose(pos, 0)
    first, second = map(json.loads, log.read_text().splitlines())
    assert first == {
        "type": "choose",
        "id": 1,
        "seat": 0,
        "seconds": 20.0,
        "moves": ["back", "left", "right", "straight"],
        "more": False,
        "position": pos.to_json(0),
    }
    assert second == first | {"id": 2}


def test_long_lists_of_moves_are_cut(make: Make, tmp_path: Path) -> None:
    pos = haggle_with_many_gems()
    seat = pos.actors[0]
    bot = make(
        "q = ask(); assert q['more'] and len(q['moves']) == 500; "
        "play(q, move='offer 6r6y6g6b'); serve()"
    )
    assert own(bot.choose(pos, seat)) == "offer 6r6y6g6b"


def haggle_with_many_gems() -> souk.Position:
    """Basari, two seats about to haggle for points, with 6 gems of each colour."""
    rng = random.Random(3)
    pos = souk.game("basari").start(players=3)
    while pos.to_json()["phase"] != "haggle":
        if not pos.actors:
            pos.draw(rng)
        elif pos.to_json()["phase"] == "choose":
            pos.play(pos.actors[0], "dice" if pos.actors[0] == 2 else "points")
        else:
            pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
    data = pos.to_json()
    total = [sum(column) for column in zip(data["supply"], *data["gems"], strict=True)]
    data["gems"] = (
        [[6, 6, 6, 6], [0, 0, 0, 0], [0, 0, 0, 0]]
        if data["haggle"]["turn"] == 0
        else [[0] * 4, [6] * 4, [0] * 4]
    )
    data["supply"] = [n - 6 for n in total]
    return souk.game("basari").from_json(data)


def test_a_line_may_come_in_pieces(make: Make, pos: souk.Position) -> None:
    bot = make(
        """
q = ask()
text = json.dumps({"type": "move", "id": q["id"], "move": "left"})
for letter in text + "\\r\\n":
    sys.stdout.write(letter); sys.stdout.flush(); time.sleep(0.002)
serve()
"""
    )
    assert own(bot.choose(pos, 0)) == "left"
    assert own(bot.choose(pos, 0)) == "back"


def test_another_game_is_told_to_a_new_program(make: Make, pos: souk.Position) -> None:
    bot = make("serve()", start='game = ask()["game"]; say(type="ready", name=game)\n')
    assert own(bot.choose(pos, 0)) == "back"
    pids = []
    for _ in range(pipe.RESTARTS + 1):  # these are no restarts
        for name in ("bazaar", "suleika"):
            other = souk.game(name).start(players=3)
            while not other.actors:
                other.draw(random.Random(1))
            own(bot.choose(other, other.actors[0]))
            assert bot.title == name
            pids.append(running(bot))
    assert len(set(pids)) == len(pids)
    assert sum(map(exists, pids)) == 1


def test_bots_in_threads_do_not_get_in_each_others_way(make: Make, pos: souk.Position) -> None:
    moves = pos.moves(0)
    bots = [make(f"while True: play(ask(), move={move!r})") for move in moves]
    bots.append(bots[0])  # one is asked by two threads
    found: list[list[str]] = [[] for _ in bots]

    def play(number: int) -> None:
        found[number] = [own(bots[number].choose(pos, 0)) for _ in range(20)]

    threads = [threading.Thread(target=play, args=(number,)) for number in range(len(bots))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[move] * 20 for move in [*moves, moves[0]]]


# ---------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    ("name", "actions"), [("basari", ["dice", "points", "gems"]), ("basari-cards", "ABC")]
)
def test_what_is_sent_does_not_depend_on_hidden_choices(
    make: Make, tmp_path: Path, name: str, actions: list[str]
) -> None:
    log = tmp_path / "log"
    bot = make(
        f"raw = open({str(log)!r}, 'a', buffering=1)\n"
        "while True:\n l = sys.stdin.readline(); raw.write(l); play(json.loads(l))"
    )
    rng = random.Random(1)
    start = souk.game(name).start(players=3)
    while len(start.actors) < 3:
        start.play(
            start.actors[0], start.moves(start.actors[0])[0]
        ) if start.actors else start.draw(rng)
    for first, second in itertools.product(actions, repeat=2):
        pos = start.copy()
        pos.play(0, first)
        pos.play(2, second)
        own(bot.choose(pos, 1))
    lines = [re.sub(r'"id":\d+', "", line) for line in log.read_text().splitlines()]
    assert len(lines) == len(actions) ** 2
    assert len(set(lines)) == 1


# ---------------------------------------------------------------- bad programs


def test_a_program_that_crashes_at_the_start(make: Make, pos: souk.Position) -> None:
    bot = make("", start="sys.exit('no rug today')")
    lost(bot, pos, r'did not say "ready": it exited with status 1 and said .no rug today')
    assert bot._program is None


def test_a_program_that_crashes_in_the_game_is_started_again(
    make: Make, pos: souk.Position, tmp_path: Path
) -> None:
    mark = tmp_path / "crashed"
    bot = make(
        f"""
play(ask())
if not os.path.exists({str(mark)!r}):
    ask()
    open({str(mark)!r}, "w").close()
    raise ValueError("out of\\nthread")
serve()
"""
    )
    own(bot.choose(pos, 0))
    pid = running(bot)
    lost(bot, pos, "it exited with status 1 and said .thread")
    assert not exists(pid)
    for _ in range(3):
        own(bot.choose(pos, 0))


def test_a_program_that_is_killed(make: Make, pos: souk.Position) -> None:
    bot = make("ask(); os.kill(os.getpid(), signal.SIGKILL)")
    lost(bot, pos, "it was killed by signal 9$")


def test_a_program_that_hangs_is_killed_with_all_it_started(
    make: Make, pos: souk.Position, tmp_path: Path
) -> None:
    fcntl = pytest.importorskip("fcntl")
    held = tmp_path / "held"  # locked as long as one of the processes is alive
    bot = make(
        f"""
import fcntl
play(ask())
lock = open({str(held)!r}, "w"); fcntl.flock(lock, fcntl.LOCK_EX)
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
time.sleep(600)
"""
    )
    own(bot.choose(pos, 0))
    bot.seconds = 0.05
    pid = running(bot)
    lost(bot, pos, "no answer in 0.05 s: it said nothing")
    bot.seconds = 20.0
    own(bot.choose(pos, 0))  # which starts it again
    assert running(bot) != pid
    assert not exists(pid)
    bot.close()
    with held.open() as lock:
        wait_until(lambda: _locked(fcntl, lock.fileno()))


def _locked(fcntl: object, file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True


def test_a_program_that_never_gets_ready(
    make: Make, pos: souk.Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipe, "START", 0.1)
    lost(make("", start="time.sleep(600)"), pos, 'did not say "ready": it said nothing')


@pytest.mark.parametrize(
    "greeting", ["print('Hi!', flush=True)", "say(type='move')", "say(type=['ready'])"]
)
def test_a_program_that_does_not_greet(make: Make, pos: souk.Position, greeting: str) -> None:
    lost(make("serve()", start=greeting + "\n"), pos, 'did not say "ready": it answered')


def test_a_late_answer_is_not_taken_for_the_next(
    make: Make, pos: souk.Position, tmp_path: Path
) -> None:
    """The program is asked again after a late answer."""
    now = tmp_path / "now"
    waiting = f"while not os.path.exists({str(now)!r}):\n    time.sleep(0.01)\n"
    bot = make(
        f"import os\nlate = ask()\n{waiting}play(late, move='left')\nplay(ask(), move='right')"
    )
    bot.seconds = 0.05
    lost(bot, pos, "no answer in 0.05 s")
    bot.seconds = 20.0
    now.touch()
    program = bot._program
    assert program is not None
    wait_until(lambda: not program._inbox.empty())
    assert own(bot.choose(pos, 0)) == "right"
    assert bot._program is program


def test_an_answer_to_an_earlier_question_is_passed_over(make: Make, pos: souk.Position) -> None:
    bot = make(
        "first = ask(); say(type='?'); second = ask(); play(first, move='left'); "
        "play(second, move='right'); serve()"
    )
    lost(bot, pos, "which is not a move for request 1")
    assert own(bot.choose(pos, 0)) == "right"
    assert own(bot.choose(pos, 0)) == "back"


NONSENSE = {
    "text": "print('thinking...', flush=True)",
    "no line": "print(flush=True)",
    "a list": "print('[1, 2]', flush=True)",
    "not a number of JSON": 'print(\'{"type": "move", "id": NaN}\', flush=True)',
    "a deep list": "print('[' * 100000, flush=True)",
    "no text at all": "sys.stdout.buffer.write(b'\\xff\\x00\\n'); sys.stdout.flush()",
    "another type": "play(q, type='resign')",
    "no id": "say(type='move', move='left')",
    "an id to come": "play(q, id=q['id'] + 1)",
    "an id that is true": "play(q, id=True)",
}


@pytest.mark.parametrize("line", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_costs_the_turn_only(make: Make, pos: souk.Position, line: str) -> None:
    bot = make(f"q = ask(); {line}; serve()")
    lost(bot, pos, "it answered")
    pid = running(bot)
    own(bot.choose(pos, 0))
    assert running(bot) == pid


@pytest.mark.parametrize(
    "move", ["'fly'", "'rug c3 c4'", "7", "None", "'\\ud800\\n'", "['left']", "'x' * 5000"]
)
def test_an_illegal_move_costs_the_turn_only(make: Make, pos: souk.Position, move: str) -> None:
    bot = make(f"play(ask(), move={move}); serve()")
    assert len(lost(bot, pos, "it played")) < 400
    own(bot.choose(pos, 0))


def test_half_a_line(make: Make, pos: souk.Position) -> None:
    bot = make(
        """ask(); sys.stdout.write('{"type": "move", '); sys.stdout.flush(); time.sleep(600)""",
        seconds=1,
    )
    lost(bot, pos, "its line has no end")


def test_half_a_line_and_an_end(make: Make, pos: souk.Position) -> None:
    bot = make("""ask(); sys.stdout.write('{"type": "move", '); sys.stdout.flush(); sys.exit(3)""")
    lost(bot, pos, "it exited with status 3")


def test_a_closed_output(make: Make, pos: souk.Position) -> None:
    bot = make("ask(); os.close(1); time.sleep(600)")
    lost(bot, pos, "it closed its output")


def test_a_line_without_end(make: Make, pos: souk.Position) -> None:
    bot = make("ask()\nwhile True: sys.stdout.write('x' * 65536)")
    lost(bot, pos, "a line of more than 1,048,576 bytes")
    assert bot._program is None


def test_a_whole_line_that_is_too_long(make: Make, pos: souk.Position) -> None:
    lost(
        make("play(ask(), comment='x' * (1 << 20)); serve()"),
        pos,
        "a line of more than 1,048,576 bytes",
    )


def test_lines_without_end(make: Make, pos: souk.Position) -> None:
    bot = make("q = ask()\nwhile True: print('x' * 100)")
    lost(bot, pos, "it answered 'xxx")
    lost(bot, pos, "more than 1,000 unrequested lines|it answered 'xxx")


def test_a_program_that_does_not_listen(make: Make, pos: souk.Position) -> None:
    """A full pipe must not block us."""
    bot = make("while True: time.sleep(0.01); say(type='hm')", seconds=5)
    for _ in range(200):
        lost(bot, pos, "which is not a move|unrequested lines")
        if bot._program is None:
            break
    assert bot._number > 1


def test_words_to_people_may_be_many(make: Make, pos: souk.Position) -> None:
    bot = make(
        "sys.stderr.write('x' * 3_000_000 + chr(10) + 'the end'); play(ask()); ask(); sys.exit(5)"
    )
    own(bot.choose(pos, 0))
    lost(bot, pos, "exited with status 5 and said 'the end'")


def test_restarts_come_to_an_end(make: Make, pos: souk.Position, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    bot = make("", start=f"open({str(starts)!r}, 'a').write('x'); sys.exit(9)")
    for _ in range(1 + pipe.RESTARTS):
        lost(bot, pos, "exited with status 9")
    for _ in range(3):
        lost(bot, pos, "started 4 times and will not be restarted; last failure: .* status 9")
    assert starts.read_text() == "xxxx"


# ---------------------------------------------------------------- starting and ending


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"exec: there is no program \./nobody that can be run"):
        external_bot("./nobody --fast")


def test_a_program_that_has_gone(tmp_path: Path, pos: souk.Position) -> None:
    script = tmp_path / "short lived"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    bot = external_bot(shlex.quote(str(script)))
    script.write_bytes(b"\0\0\0\0")
    lost(bot, pos, "short lived cannot be run: ")
    script.unlink()
    lost(bot, pos, "there is no program .*short lived")


def test_names_and_settings(tmp_path: Path) -> None:
    python = shlex.quote(sys.executable)
    assert external_bot(python).seconds == 10
    assert external_bot(python).name == f"exec:{python}"
    assert external_bot(f"{python} a=1:b --fast").seconds == 10
    quick = external_bot(f"seconds=2.5:{python} -c 'a: b=c'")
    assert quick.seconds == 2.5
    assert quick.name == f"exec:seconds=2.5:{python} -c 'a: b=c'"
    assert quick._command == [sys.executable, "-c", "a: b=c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the program is missing"),
        ("  ", "the program is missing"),
        ("seconds=2:", "the program is missing"),
        ("'./mybot", "cannot be read: No closing quotation"),
        ("second=2:sh", r'second: exec has no such setting. Did you mean "seconds"\?'),
        ("seconds=soon:sh", "seconds: must be a number"),
        ("seconds=0:sh", "seconds: must be a number"),
        ("seconds=nan:sh", "seconds: must be a number"),
        ("seconds=inf:sh", "seconds: must be a number"),
    ],
)
def test_names_that_make_no_sense(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        external_bot(text)


def test_the_end_is_told_and_leaves_nothing(make: Make, pos: souk.Position, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = make(f"play(ask()); open({str(heard)!r}, 'w').write(sys.stdin.read())")
    threads = threading.active_count()
    with bot:
        own(bot.choose(pos, 0))
        pid = running(bot)
    assert not exists(pid)
    assert heard.read_text() == '{"type":"bye"}\n'
    assert threading.active_count() == threads
    bot.close()


def test_a_program_that_will_not_end_is_ended(make: Make, pos: souk.Position) -> None:
    bot = make("signal.signal(signal.SIGTERM, signal.SIG_IGN); play(ask()); time.sleep(600)")
    own(bot.choose(pos, 0))
    pid = running(bot)
    bot.close()
    assert not exists(pid)


def test_a_bot_that_is_forgotten_takes_its_program_along(
    tmp_path: Path, pos: souk.Position
) -> None:
    bot = documented_bot(tmp_path)
    own(bot.choose(pos, 0))
    pid = running(bot)
    del bot
    gc.collect()
    assert not exists(pid)
