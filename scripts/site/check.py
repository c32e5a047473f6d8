"""Follows every link of a site that lies in a folder: files and places that are not there, and addresses outside."""
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

OUTSIDE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//|^(?:https?|ftp|mailto):", re.IGNORECASE)


class Page(HTMLParser):
    """What a page links to or loads, and the places in it that links may name."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.links, self.places = set(), {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src", "srcset", "action", "data", "poster") and value is not None:
                self.links.add(value)


def mistakes(folder):
    """A line for each link that leads nowhere or outside. The page 404.html is served from any place, so its links begin
    with a slash, which a folder has not got: it is left out."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).rglob("*.html")) if path.name != "404.html"}
    found = []
    for path, page in pages.items():
        for link in sorted(page.links):
            where = f"{path.relative_to(folder)}: {link}"
            if OUTSIDE.match(link):
                found.append(f"{where} leads outside")
                continue
            if link.startswith(("data:", "javascript:")):
                continue
            name, _, place = link.partition("#")
            target = (path.parent / unquote(name)).resolve() if name else path
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                found.append(f"{where} leads nowhere")
            elif target in pages and unquote(place) not in pages[target].places:
                found.append(f"{where} names a place that is not there")
    for path in sorted(Path(folder).rglob("*.css")):
        found += [f"{path.relative_to(folder)}: {address} is loaded from outside"
                  for address in re.findall(r"url\(\s*['\"]?((?:https?:)?//[^)'\"]+)", path.read_text(encoding="utf-8"))]
    return found
