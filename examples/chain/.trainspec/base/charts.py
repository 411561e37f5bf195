"""Line charts as inline SVG, which any browser shows without a script."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 360, 170  # of a chart, in the units of its text
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 8, 20  # room for the axes
COLORS = 8  # as many has the style sheet; more lines begin again
SMOOTHED = 200  # points from which on a line is drawn as a mean over its neighbours
STRIPES = 100  # at most so many places tell their values under the pointer

Point = tuple[float, float]  # step, value


class Line(NamedTuple):
    """One line of a chart; values that are no number leave a gap."""

    label: str
    points: list[Point]
    dashed: bool = False


class Frame(NamedTuple):
    """The part of the plane that a chart shows."""

    left: float
    right: float
    low: float
    high: float

    def x(self, step: float) -> float:
        """The place of a step."""
        return LEFT + (step - self.left) / (self.right - self.left) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """The place of a value."""
        return TOP + (self.high - value) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)


def chart(title: str, note: str, lines: Sequence[Line], *, share: bool = False) -> str:
    """A figure with its legend; a `share` is shown from 0 to 1."""
    drawn = [Line(line.label, finite(line.points), line.dashed) for line in lines]
    values = [value for line in drawn for _, value in line.points]
    steps = [step for line in lines for step, _ in line.points]
    if not values:
        return figure(title, note, "", '<p class="note">no value is a number</p>')
    low, high = (0.0, 1.0) if share else limits(values)
    frame = Frame(min(steps), max(max(steps), min(steps) + 1), low, high)
    body = [
        *axes(frame),
        *(mark for number, line in enumerate(drawn) for mark in curve(line, number, frame)),
        *stripes(drawn, frame),
    ]
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
    return figure(title, note, legend(drawn), svg + "".join(body) + "</svg>")


def figure(title: str, note: str, legend: str, body: str) -> str:
    """A chart with what stands around it."""
    said = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<figure><figcaption>{escape(title)}</figcaption>{legend}{body}{said}</figure>"


def legend(lines: Sequence[Line]) -> str:
    """The name of each line with its last value."""
    keys = [
        f'<span><i class="c{number % COLORS}{" dashed" if line.dashed else ""}"></i>'
        f"{escape(line.label)} <b>{short(line.points[-1][1])}</b></span>"
        for number, line in enumerate(lines)
        if line.points
    ]
    return f'<p class="legend">{"".join(keys)}</p>'


def axes(frame: Frame) -> Iterable[str]:
    """Lines at round values with their numbers, and the first and the last step."""
    for value in ticks(frame.low, frame.high):
        y = frame.y(value)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 5}" y="{y + 3.5:.1f}" text-anchor="end">{short(value)}</text>'
    bottom = HEIGHT - 5
    yield f'<text x="{LEFT}" y="{bottom}">{frame.left:g}</text>'
    yield (f'<text x="{WIDTH - RIGHT}" y="{bottom}" text-anchor="end">step {frame.right:g}</text>')


def curve(line: Line, number: int, frame: Frame) -> Iterable[str]:
    """A line, or a dot where it has one point; a long one is faint behind its smoothed course."""
    color = f"c{number % COLORS}{' dashed' if line.dashed else ''}"
    places = [(frame.x(step), frame.y(value)) for step, value in line.points]
    if len(places) == 1:
        yield f'<circle class="{color}" cx="{places[0][0]:.1f}" cy="{places[0][1]:.1f}" r="3"/>'
    elif len(places) >= SMOOTHED:
        yield f'<path class="{color} faint" d="{path(places)}"/>'
        yield f'<path class="{color}" d="{path(smoothed(places))}"/>'
    elif places:
        yield f'<path class="{color}" d="{path(places)}"/>'


def path(places: Sequence[Point]) -> str:
    """A path through places."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def smoothed(places: Sequence[Point]) -> list[Point]:
    """Each place with the mean height of those around it, a twentieth of the line to either side."""
    reach = len(places) // 20
    windows = [places[max(0, at - reach) : at + reach + 1] for at in range(len(places))]
    return [
        (place[0], sum(y for _, y in window) / len(window))
        for place, window in zip(places, windows, strict=True)
    ]


def stripes(lines: Sequence[Line], frame: Frame) -> Iterable[str]:
    """Fields that tell a step and its values when the pointer rests there."""
    at_step: dict[float, list[str]] = {}
    for line in lines:
        for step, value in line.points:
            at_step.setdefault(step, []).append(f"{line.label} {short(value)}")
    steps = sorted(at_step)[:: -(-len(at_step) // STRIPES)]
    width = (WIDTH - LEFT - RIGHT) / len(steps)
    for step in steps:
        said = escape("\n".join([f"step {step:g}", *at_step[step]]))
        yield (
            f'<rect class="stripe" x="{frame.x(step) - width / 2:.1f}" y="{TOP}" '
            f'width="{width:.1f}" height="{HEIGHT - TOP - BOTTOM}"><title>{said}</title></rect>'
        )


def finite(points: Iterable[Point]) -> list[Point]:
    """The points that can be drawn."""
    return [(step, value) for step, value in points if math.isfinite(value)]


def limits(values: Sequence[float]) -> tuple[float, float]:
    """The lowest and the highest value, with some room, and more where they are the same."""
    low, high = min(values), max(values)
    room = 0.06 * (high - low) or abs(high) / 2 or 1.0
    return (0.0 if 0 <= low < 0.5 * high else low - room), high + room


def ticks(low: float, high: float) -> list[float]:
    """Two to six round values from low to high."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step)
    return [step * number for number in range(first, math.floor(high / step) + 1)]


def short(value: float) -> str:
    """A number in few characters."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
