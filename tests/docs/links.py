#!/usr/bin/env python3
"""Checks that pages lead where they say: files and headings that Markdown links to exist, and README.md lists every page.
The way of a user is the README and the pages of its numbered list: each ends with a link to the next one, and all of
them together are short enough to be read. The reading order is a numbered list of a few files, each of the library.

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


FILE = re.compile(r"^(\d+)\. \[`([^`]*)`\]\(([^)\s]+)\): \S", re.MULTILINE)
MOST_FILES = 20


def mistakes_of_the_reading_order(root, most_files=MOST_FILES):
    """A numbered line that names no file of the library, a file that stands twice, too many files."""
    _, _, order = (root / "README.md").read_text(encoding="utf-8").partition("\n## Reading order")
    order = order.partition("\n## ")[0]
    files, found = FILE.findall(order), []
    lines = re.findall(r"^\d+\..*$", order, re.MULTILINE)
    if not lines:
        found.append("README.md: ## Reading order has no numbered list of files")
    if len(files) != len(lines) or len({link for _, _, link in files}) != len(files):
        found.append("README.md: each line of the reading order is '1. [`file`](file): ...', with a file of its own")
    for number, (said, name, link) in enumerate(files, 1):
        if name != link or int(said) != number or not (root / link).is_file():
            found.append(f"README.md: {said}. {name} of the reading order is no file, or has another number")
    if len(lines) > most_files:
        found.append(f"README.md: the reading order has {len(lines)} files; a reader takes {most_files} at most")
    return found


if __name__ == "__main__":
    root = Path(sys.argv[1])
    folders = [f for f in root.iterdir() if f.is_dir() and f.name != "build" and not f.name.startswith(".")]
    pages = [root / "README.md", *sorted(page for folder in folders for page in folder.rglob("*.md"))]
    findings = [f"{page.relative_to(root)}: {link} leads nowhere" for page in pages for link in broken(page)]
    findings += [f"README.md: docs/{name} is not listed" for name in unlisted(root)]
    findings += mistakes_of_the_way(root)
    findings += mistakes_of_the_reading_order(root)
    print("\n".join(findings))
    sys.exit(bool(findings))
