#!/usr/bin/env python3
"""Checks that pages lead where they say: files and headings that Markdown links to exist, and README.md lists every page.
The way of a user is the README and the pages of its numbered list: each ends with a link to the next one, and all of
them together are short enough to be read.

usage: links.py ROOT
"""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def prose(text):
    """A page without its code, in which brackets are no links."""
    return CODE.sub("", text)


def links(page):
    return LINK.findall(prose(page.read_text(encoding="utf-8")))


def anchors(page):
    """Headings as GitHub names them: lower case, without punctuation, dashes for blanks."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(page.read_text(encoding="utf-8"))}


def broken(page):
    """The links of a page that lead nowhere."""
    found = []
    for link in links(page):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or anchor and anchor not in anchors(target):
            found.append(link)
    return found


def unlisted(root):
    """Pages of docs/ that the README does not lead to."""
    listed = set(links(root / "README.md"))
    return sorted(p.name for p in (root / "docs").glob("*.md") if f"docs/{p.name}" not in listed)


WAY = re.compile(r"^\d+\. \[[^\]]*\]\(([^)\s]+)\)", re.MULTILINE)
NEXT = re.compile(r"^Next: \[[^\]]*\]\(([^)\s]+)\)\.$", re.MULTILINE)
MOST_BYTES_OF_THE_WAY = 150_000


def mistakes_of_the_way(root, most_bytes=MOST_BYTES_OF_THE_WAY):
    """What is wrong with the way: a page that does not lead to the next one, too many bytes."""
    readme = root / "README.md"
    _, _, pages = readme.read_text(encoding="utf-8").partition("\n## Pages")
    way = [root / link for link in WAY.findall(pages.partition("\n## ")[0])]
    if not way:
        return ["README.md: ## Pages has no numbered list, which is the way"]
    found = []
    for page, following in zip(way, [*way[1:], None]):
        led = [(page.parent / link).resolve() for link in NEXT.findall(page.read_text(encoding="utf-8"))]
        if led != ([following.resolve()] if following else []):
            found.append(f"{page.relative_to(root)}: ends with 'Next: [...](...).' to {following.name if following else 'nothing'}")
    size = sum(page.stat().st_size for page in [readme, *way])
    if size > most_bytes:
        found.append(f"README.md: the way has {size} bytes; it is read from end to end, so keep it within {most_bytes}")
    return found


if __name__ == "__main__":
    root = Path(sys.argv[1])
    folders = [f for f in root.iterdir() if f.is_dir() and f.name != "build" and not f.name.startswith(".")]
    pages = [root / "README.md", *sorted(page for folder in folders for page in folder.rglob("*.md"))]
    findings = [f"{page.relative_to(root)}: {link} leads nowhere" for page in pages for link in broken(page)]
    findings += [f"README.md: docs/{name} is not listed" for name in unlisted(root)]
    findings += mistakes_of_the_way(root)
    print("\n".join(findings))
    sys.exit(bool(findings))
