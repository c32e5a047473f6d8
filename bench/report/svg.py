"""Drawing as SVG text: elements, and axes that are linear or logarithmic. Standard library only."""
import math
from html import escape

INK, MUTED, GRID = "#1f2430", "#667085", "#e4e7ec"
FONT = "font-family='system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif'"
CHARACTER = 0.6  # width of an average character, in font sizes: for room, not for typesetting


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(name, content="", **attributes):
    written = "".join(f" {key.replace('_', '-')}='{escape(str(value), quote=True)}'" for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(x, y, content, size=12, anchor="start", colour=INK, degrees=0):
    turned = {"transform": f"rotate({number(degrees)} {number(x)} {number(y)})"} if degrees else {}
    return element("text", escape(content), x=number(x), y=number(y), font_size=size, text_anchor=anchor, fill=colour, **turned)


def line(x1, y1, x2, y2, colour=GRID, width=1, dash=None):
    extra = {"stroke_dasharray": dash} if dash else {}
    return element("line", x1=number(x1), y1=number(y1), x2=number(x2), y2=number(y2), stroke=colour, stroke_width=width,
                   **extra)


def bar(x, y, width, height, colour, title=""):
    label = element("title", escape(title)) if title else ""
    return element("rect", label, x=number(x), y=number(y), width=number(max(width, 0.5)), height=number(height), rx=2,
                   fill=colour)


def dot(x, y, colour, title="", hollow=False):
    label = element("title", escape(title)) if title else ""
    fill = {"fill": "white", "stroke": colour, "stroke_width": 2} if hollow else {"fill": colour}
    return element("circle", label, cx=number(x), cy=number(y), r=5, **fill)


def text_width(content, size):
    return len(content) * size * CHARACTER


def picture(width, height, parts, label):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {number(width)} {number(height)}' width='{number(width)}' "
            f"height='{number(height)}' role='img' aria-label='{escape(label, quote=True)}' {FONT}>"
            + "".join(parts) + "</svg>")


class Log:
    """A logarithmic axis from the values `low` to `high`, drawn from `start` to `end`."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value):
        share = (math.log(max(value, 1e-300)) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return self.start + min(max(share, 0), 1) * (self.end - self.start)

    def ticks(self):
        """1, 2 and 5 times powers of ten, or powers of ten alone where that would be many."""
        steps = (1, 2, 5) if math.log10(self.high / self.low) < 2.2 else (1,)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [step * 10.0**power for power in powers for step in steps]
        return [v for v in values if self.low * 0.999 <= v <= self.high * 1.001]


def spread(wanted, gap, low, high):
    """Positions as close to the wanted ones as a distance of `gap` allows, in the same order."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed, last = [0.0] * len(wanted), low - gap
    for i in order:
        last = placed[i] = max(wanted[i], last + gap)
    over = last - high
    for i in reversed(order):  # push back what ran over the end
        if over <= 0:
            break
        placed[i] = min(placed[i], high)
        high = placed[i] - gap
    return placed
