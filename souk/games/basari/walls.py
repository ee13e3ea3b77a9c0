"""What never moves in the house, as SVG: the court, the bays and roofs round it, as in the
browser's `walls.ts`.
"""

from souk.drawing.svg_document import MARK
from souk.games.basari.house import Bay, House

# Room for a garden behind the cloth, or before it.
BROAD, SMALL, DEEP = 1.2, 420, 1.25


def walls(house: House) -> str:
    parts = [_ground, _shadows, _garden, _arcade, _base]
    return "".join(part(house) for part in parts)


def _n(value: float) -> str:
    return f"{value:.1f}"


def _use(name: str, x: float, y: float, width: float, height: float) -> str:
    box = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    return f'<use href="#{MARK}{name}" {box}/>'


def _rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    box = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    return f'<rect {box} fill="{fill}" {more}/>'


def _ellipse(x: float, y: float, rx: float, ry: float, fill: str, more: str = "") -> str:
    form = f'cx="{_n(x)}" cy="{_n(y)}" rx="{_n(rx)}" ry="{_n(ry)}"'
    return f'<ellipse {form} fill="{fill}" {more}/>'


def _path(d: str, fill: str, more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}" {more}/>'


def _gradient(name: str) -> str:
    return f"url(#{MARK}house-{name})"


def _outline(*points: tuple[float, float]) -> str:
    return f"M{'L'.join(f'{_n(x)} {_n(y)}' for x, y in points)}z"


# ---------------------------------------------------------------- the court


def _ground(house: House) -> str:
    joints, tiles = _paving(house)
    court, shape = house.court, _floor(house)
    x, y = court.x + court.width / 2, court.y + court.height * 0.52
    pool = _ellipse(x, y, court.width * 0.6, court.height * 0.58, _gradient("pool"))
    grout = 'stroke="var(--court-grout)" stroke-width="1.1" stroke-opacity=".4"'
    return (
        f'<clipPath id="{MARK}house-court"><path d="{shape}"/></clipPath>'
        + _path(shape, _gradient("floor"))
        + f'<g clip-path="url(#{MARK}house-court)">'
        + _path(joints, "none", grout)
        + _path(tiles, "var(--court-tile)", 'fill-opacity=".3"')
        + pool
        + "</g>"
    )


def _floor(house: House) -> str:
    """The outline of the paved court."""
    top, bottom, middle = house.tops[1] - 4, _near_edge(house), house.width / 2
    reach = house.columns / 2 - 0.6
    far, near = house.half(top) * reach, house.half(bottom) * reach
    return _outline(
        (middle - far, top), (middle + far, top), (middle + near, bottom), (middle - near, bottom)
    )


def _near_edge(house: House) -> float:
    return house.tops[-1] + house.heights[-1] * 0.5


def _paving(house: House) -> tuple[str, str]:
    """The joints of its flagstones, and the small tiles between them; both come towards us."""
    lines, y, step = list[float](), house.tops[1] - 4, house.heights[1] * 0.27
    while y < _near_edge(house):
        lines.append(y)
        y += step
        step *= 1.035
    joints, tiles = "", ""
    for line in range(len(lines) - 2):
        for column in range(-house.columns, house.columns):
            if (line + column) % 2 == 0:
                joints += _diamond(house, lines, line, column, 1)
            if line % 2 == 0 and column % 2 == 0 and (line + column) % 4 == 0:
                tiles += _diamond(house, lines, line, column, 0.34)
    return joints, tiles


def _diamond(house: House, lines: list[float], line: int, column: int, size: float) -> str:
    far, here, near = lines[line : line + 3]

    def across(k: float, y: float) -> float:
        return house.width / 2 + k * house.half(y) / 2

    up, down = (
        (across(column, far), across(column, near)) if size == 1 else (across(column, here),) * 2
    )
    return _outline(
        (up, here + (far - here) * size),
        (across(column + size, here), here),
        (down, here + (near - here) * size),
        (across(column - size, here), here),
    )


def _shadows(house: House) -> str:
    """The arcades throw their shade on the court."""
    middle, reach, deep = house.width / 2, house.columns / 2 - 1, house.widths[0] * 0.3
    first = house.widths[1] * reach
    out = _rect(middle - first, house.tops[1], 2 * first, deep, _gradient("down"))
    for row in range(1, house.rows - 1):
        inner, high = house.widths[row] * reach, house.heights[row] + 1
        top = house.tops[row]
        out += _rect(middle - inner, top, deep, high, _gradient("right"))
        out += _rect(middle + inner - deep * 0.6, top, deep * 0.6, high, _gradient("left"))
    return out


def _garden(house: House) -> str:
    """A fountain between two orange trees, behind the cloth or before it."""
    x, y, width, height = house.court
    wide = width >= BROAD * height
    if width <= SMALL if wide else height < DEEP * width:
        return ""
    middle, basin = x + width / 2, min(width * (0.22 if wide else 0.36), height * 0.4)
    top = y + height * 0.01 if wide else y + height * 0.985 - basin * 0.71
    tree = height * 0.22 if wide else basin * 0.8
    trees = "".join(
        _use("house-tree", middle + side * basin - tree * 0.41, top, tree * 0.82, tree)
        for side in (-1, 1)
    )
    return trees + _use("house-fountain", middle - basin / 2, top, basin, basin * 0.71)


# ---------------------------------------------------------------- the arcades


def _arcade(house: House) -> str:
    """All bays, the far ones first; roofs on the far row, blocks that step down at the sides, a
    parapet before us.
    """
    out = ""
    for row in range(house.rows):
        whole = row in (0, house.rows - 1)
        wide = house.widths[row]
        left = house.width / 2 - wide * house.columns / 2
        right = house.width - left
        if whole:
            edge = 'stroke="var(--house-side)" stroke-width=".6"'
            merlons = _merlons(left, right, house.tops[row], house.heights[row] * 0.085)
            out += _path(merlons, "var(--house-wall-low)", edge)
        for number, bay in enumerate(house.bays):
            if bay.y == house.tops[row]:
                out += _wall(house, bay, number)
        for run in [(left, right)] if whole else [(left, left + wide), (right - wide, right)]:
            out += _ledge(house, row, run, whole)
    return out + _lanterns(house)


def _wall(house: House, bay: Bay, number: int) -> str:
    shade = _rect(*bay, "#000", 'fill-opacity=".05"') if number % 2 else ""
    return _use(house.style.bay, *bay) + shade


def _merlons(left: float, right: float, y: float, high: float) -> str:
    """A row of merlons along the edge of a roof."""
    n = max(3, int((right - left) / (high * 1.75) + 0.5))
    step = (right - left) / n
    slope, half, rise = _n(step * 0.34), _n(high * 0.5), _n(high * 0.6)
    merlon = f"{_n(y + 1)}v-{rise}l{slope} -{half}l{slope} {half}v{rise}z"
    return "".join(f"M{_n(left + (k + 0.16) * step)} {merlon}" for k in range(n))


def _ledge(house: House, row: int, run: tuple[float, float], whole: bool) -> str:
    """The edge of a roof; at the sides also the wall that looks into the court."""
    (left, right), y = run, house.tops[row] - 2
    thick = max(3, house.heights[row] * 0.045)
    out = _rect(left - 1.5, y, right - left + 3, thick, "var(--house-ledge)")
    out += _rect(left - 1.5, y, right - left + 3, 1, "#fff", 'fill-opacity=".35"')
    if whole:
        return out
    west = left < house.width / 2
    inner = right if west else left
    slant, bottom = (
        house.widths[row] * (0.075 if west else -0.075),
        house.tops[row] + house.heights[row],
    )
    side = _outline((inner, y), (inner + slant, y + 5), (inner + slant, bottom), (inner, bottom))
    return out + _path(side, "var(--house-side)")


def _lanterns(house: House) -> str:
    """Lamps on the pillars of the far and the near row."""
    out = ""
    for row, every in ((0, 2), (house.rows - 1, 4)):
        wide, high = house.widths[row], house.heights[row]
        size = min(high * 0.26, wide * 0.36)
        for k in range(1, house.columns, every):
            x = house.width / 2 + (k - house.columns / 2) * wide
            y = house.tops[row] + high * 0.19
            glow = _ellipse(
                x, y + size / 2, size * 1.9, size * 1.9, _gradient("glow"), 'opacity=".75"'
            )
            out += glow + _use("lantern", x - size * 0.375, y, size * 0.75, size)
    return out


def _base(house: House) -> str:
    """The step before the house."""
    wide = house.widths[-1] * house.columns
    bottom = house.tops[-1] + house.heights[-1]
    left, high = (house.width - wide) / 2, house.height - bottom
    return _rect(left - 2, bottom - 1, wide + 4, high * 0.6, "var(--house-ledge)") + _rect(
        left - 2, bottom + high * 0.5, wide + 4, high * 0.35, "var(--house-side)"
    )
