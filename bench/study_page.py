"""The tables of docs/study.md, from what bench/study.py measured."""

from collections.abc import Callable

from grids import Rows, filled


def exact_sums(rows: Rows) -> list[str]:
    headings = "game | games | seats | playouts a decision | largest gap"
    return filled(rows, headings, "{title} | {games} | {seats} | {playouts} | {gap:.1e}")


def fairness(rows: Rows) -> list[str]:
    headings = "game | players | bots | games | mean luck by seat, with 95 % intervals | "
    headings += "luck of a seat, standard deviation | variance of results without luck, of that with it"
    cells = "{title} | {players} | {bot} | {games} | {lucks} | {spread:.1%} | {variance:.1%}"
    return filled([row | {"lucks": _lucks(row["luck"], row["half"])} for row in rows], headings, cells)


def _lucks(luck: list[float], half: list[float]) -> str:
    return "; ".join(f"{mean:+.1%} ± {wide:.1%}" for mean, wide in zip(luck, half, strict=True))


def errors(rows: Rows) -> list[str]:
    headings = "game | players | games | the vizier lost the smallest share of its stakes in | 95 % interval | "
    headings += "share of stakes lost: vizier | apprentice | "
    headings += "the smallest loss a decision in | loss a decision: vizier | apprentice | the vizier won"
    staked = (
        "{staked} | {of_stake[low]:.1%} – {of_stake[high]:.1%} | {of_stake[vizier]:.0%} | {of_stake[apprentice]:.0%}"
    )
    decided = "{decided} | {a_decision[vizier]:.2%} | {a_decision[apprentice]:.2%}"
    more = [
        row
        | {
            "staked": _share(row["of_stake"]["seen"], row["games"]),
            "decided": _share(row["a_decision"]["seen"], row["games"]),
        }
        for row in rows
    ]
    return filled(more, headings, "{title} | {players} | {games} | " + f"{staked} | {decided}" + " | {won:.0%}")


def two_seeds(rows: Rows) -> list[str]:
    headings = "game | games | playouts a decision | called blunders | by both | at least a mistake by the other"
    more = [
        row | {"both": _share(row["agreed"], row["called"]), "other": _share(row["nearly"], row["called"])}
        for row in rows
    ]
    return filled(more, headings, "{title} | {games} | {playouts} | {called} | {both} | {other}")


def _share(part: int, of: int) -> str:
    return f"{part / of:.1%}" if of else "–"


def depths(rows: Rows) -> list[str]:
    headings = (
        "game | decisions | playouts | mean difference of the loss | bias | within two standard errors | correlation"
    )
    cells = "{title} | {decisions} | {playouts} | {difference:.2%} | {bias:+.2%} | {within:.0%} | {together:.2f}"
    return filled(rows, headings, cells)


def times(rows: Rows) -> list[str]:
    headings = "game | players | events | processes | seconds | at most"
    return filled(rows, headings, "{title} | {players} | {events:.0f} | {processes} | {seconds:.1f} | {most:.1f}")


TABLES: dict[str, Callable[[Rows], list[str]]] = {
    "sum": exact_sums,
    "fair": fairness,
    "errors": errors,
    "seeds": two_seeds,
    "depth": depths,
    "time": times,
}
