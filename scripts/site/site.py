#!/usr/bin/env python3
"""Makes the site of docs/: pages, a reference made of the headers' comments, a gallery, and search, for reading without
a network and without a server.

README.md and docs/ are copied into OUT/pages in the form that MkDocs reads; what they link to besides, a header or a
folder, becomes a page too, so that no link leads out of the site. MkDocs builds OUT/html with Debian's Material theme.
Then every link of it is followed (check.py).
usage: site.py OUT
"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import check
import offline
import reference

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FENCE = re.compile(r"^(\s*)```(.*)$")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(`+)(?:(?!\1).)+\1")
ITEM = re.compile(r"^\s*(?:[*-]|\d+\.) ")
HEADING = re.compile(r"^(#+) (.*)$")
WORDS = {".hpp": "cpp", ".cpp": "cpp", ".cu": "cpp", ".py": "python", ".sh": "sh", ".txt": "text", ".json": "json"}


def slug(heading):
    """A heading as GitHub names it, which links in the pages go by."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def title_of(page):
    """What a page is called in a line: its heading, up to a colon."""
    heading = next(line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("# "))
    return heading[2:].partition(":")[0]


class Site:
    """Pages by the file that they are made of, and where they lie in the site."""

    def __init__(self, out):
        self.out, self.place, self.waiting = out, {}, []

    def page_of(self, path):
        """Where the page of a file or a folder lies; made when it is first asked for."""
        path = path / "README.md" if path.is_dir() and (path / "README.md").exists() else path
        if path not in self.place:
            inside = path.relative_to(ROOT)
            if inside == Path("README.md"):
                place = "index.md"
            elif inside.parts[0] == "docs" and path.suffix == ".md":
                place = inside.name
            else:
                place = "sources/" + str(inside.with_suffix("") if path.suffix == ".md" else inside).replace(".", "_") + ".md"
            self.place[path] = place
            self.waiting.append(path)
        return self.place[path]

    def link(self, target, source, place):
        """A link of the page of `source`, which lies at `place`, as it is in the site."""
        name, hash_, anchor = target.partition("#")
        if "://" in target or not name:
            return target
        path = (source.parent / name).resolve()
        if not path.exists():
            return target
        return "../" * place.count("/") + self.page_of(path) + hash_ + anchor

    def markdown(self, source, place):
        """A page in the form that MkDocs reads."""
        lines, fenced, in_list, seen = [], False, False, {}
        for line in source.read_text(encoding="utf-8").splitlines():
            fence = FENCE.match(line)
            if fence:
                fenced = not fenced
                line = f"{fence.group(1)}```{fence.group(2).split()[0] if fenced and fence.group(2) else ''}"
            elif not fenced:
                if ITEM.match(line):
                    if lines and lines[-1].strip() and not in_list:
                        lines.append("")
                    in_list = True
                elif not line.strip() or not line.startswith(" ") and lines and not lines[-1].strip():
                    in_list = in_list and not line.strip()
                if line.startswith("|"):
                    line = CODE.sub(lambda code: code.group(0).replace(r"\|", "|"), line)
                heading = HEADING.match(line)
                if heading and heading.group(1) != "#":  # of a page's own, MkDocs would show it in the navigation
                    name = slug(heading.group(2))
                    seen[name] = seen.get(name, -1) + 1
                    line += f" {{ #{name + (f'-{seen[name]}' if seen[name] else '')} }}"
                line = self.linked(line, source, place)
            lines.append(line)
        return "\n".join(lines) + "\n"

    def linked(self, line, source, place):
        """The line with its links as they are in the site; a page that is called by its file is called by its title."""
        def one(link):
            path = (source.parent / link.group(2).partition("#")[0]).resolve()
            text = title_of(path) if link.group(1).endswith(".md") and path.suffix == ".md" and path.exists() else link.group(1)
            return f"[{text}]({self.link(link.group(2), source, place)})"

        def change(text):
            return LINK.sub(one, text)

        # the text of a link may be code: hide code, whatever it holds, while links are looked for
        kept = []
        hidden = CODE.sub(lambda code: kept.append(code.group(0)) or f"\0{len(kept) - 1}\0", line)
        return re.sub("\0(\\d+)\0", lambda m: kept[int(m.group(1))], change(hidden))

    def listing(self, source, place):
        """The page of a file of code, or of a folder that says nothing of itself."""
        title = source.relative_to(ROOT)
        if source.is_dir():
            names = sorted(p for p in source.iterdir() if not p.name.startswith("."))
            return f"# {title}\n\n" + "\n".join(f"* [{p.name}]({self.link(p.name, source / '_', place)})" for p in names) + "\n"
        text = source.read_text(encoding="utf-8")
        return f"# {title}\n\n~~~~{WORDS.get(source.suffix, 'text')}\n{text}~~~~\n"

    def write(self, place, text):
        path = self.out / "pages" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write_waiting(self):
        while self.waiting:
            source = self.waiting.pop()
            make = self.markdown if source.suffix == ".md" else self.listing
            self.write(self.place[source], make(source, self.place[source]))

    def navigation(self):
        """Pages in the order of the README, in its groups: the way is its numbered list."""
        text = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Pages")[2].partition("\n## ")[0]
        groups = {"The way": [], "To look up": [], "How fast": [], "Inside": []}
        group = None
        for line in text.splitlines():
            group = next((name for name in groups if line.startswith(name)), group)
            for _, target in LINK.findall(line):
                if group and target.startswith("docs/") and target.endswith(".md"):
                    entry = {title_of(ROOT / target): self.page_of(ROOT / target)}
                    if all(entry not in pages for pages in groups.values()):
                        groups[group].append(entry)
        return groups


def gallery():
    """The page of examples/gallery: each program, and the last line of what it prints."""
    text = ["# Gallery", "", "Programs of at most 60 lines, each about one thing. They need no files. Below each is the last line of what it",
            "prints; a test runs all of them and compares.", ""]
    for path in sorted((ROOT / "examples" / "gallery").glob("*.cpp")):
        program, _, said = path.read_text(encoding="utf-8").rpartition("\n// last line: ")
        about, _, body = program.partition("\n")
        text += [f"## {path.stem.replace('_', ' ').capitalize()}", "", about.removeprefix("// "), "", "~~~~cpp", body.strip(), "~~~~",
                 "", "~~~~text", said.strip(), "~~~~", ""]
    return "\n".join(text)


def build(out):
    site = Site(out)
    groups = site.navigation()
    site.page_of(ROOT / "README.md")
    for page in sorted((ROOT / "docs").glob("*.md")):
        site.page_of(page)
    site.write_waiting()
    site.write("gallery.md", gallery())
    parts = reference.pages(ROOT)
    for place, text in parts.items():
        site.write(place, text)
    (out / "pages" / "site.css").write_text((HERE / "site.css").read_text(encoding="utf-8"), encoding="utf-8")
    settings = json.loads((HERE / "mkdocs.json").read_text(encoding="utf-8"))
    settings["docs_dir"], settings["site_dir"] = str(out / "pages"), str(out / "html")
    settings["theme"]["custom_dir"] = str(HERE / "overrides")
    settings["nav"] = [{"Start": "index.md"}, {"The way": groups["The way"]}, {"Gallery": "gallery.md"},
                       {"To look up": groups["To look up"]}, {"Reference": list(parts)}, {"How fast": groups["How fast"]},
                       {"Inside": groups["Inside"]}]
    (out / "mkdocs.yml").write_text(json.dumps(settings), encoding="utf-8")  # JSON is YAML
    program = next((p for p in ("/usr/bin/mkdocs", shutil.which("mkdocs")) if p and Path(p).exists()), None)  # Debian's has the theme
    if not program:
        sys.exit("site: mkdocs is not installed; run scripts/install-packages.sh site")
    subprocess.run([program, "build", "--quiet", "--clean", "-f", str(out / "mkdocs.yml")], check=True)
    offline.search(out / "html")
    return check.mistakes(out / "html")


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    findings = build(folder)
    print("\n".join(findings) or f"{folder / 'html' / 'index.html'}")
    sys.exit(bool(findings))
