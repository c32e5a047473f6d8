#!/usr/bin/env python3
"""The programs of examples/gallery: joined in one source, so that they are compiled once, and run one after the other.

Each is at most 60 lines, begins with a comment that says what it shows, and ends with one that says the last line of
what it prints, which is compared.
usage: gallery.py join FOLDER OUTPUT
       gallery.py run FOLDER PROGRAM    (--write puts what is printed into the files)
"""
import re
import subprocess
import sys
from pathlib import Path

MOST_LINES, PROGRAMS = 60, 25
SAYS = re.compile(r"^// last line: (.*)$", re.MULTILINE)


def programs(folder):
    return sorted(folder.glob("*.cpp"))


def joined(folder):
    """One source: includes first, then each program in a namespace of its name; the argument says which main runs."""
    includes, bodies, calls = [], [], []
    for path in programs(folder):
        lines = path.read_text(encoding="utf-8").splitlines()
        includes += [line.partition("//")[0].rstrip() for line in lines if line.startswith("#include")]
        body = ["" if line.startswith("#include") else line for line in lines]
        body = [line.replace("int main()", "void run()") for line in body]  # only the main of a program returns by itself
        bodies += [f"namespace {path.stem} {{", f'#line 1 "{path}"', *body, f"}}  // namespace {path.stem}"]
        calls.append(f'  if (name == "{path.stem}") return {path.stem}::run(), 0;')
    return "\n".join([*sorted(set(includes)), "#include <string_view>", *bodies, "int main(int, char** words) {",
                      "  const std::string_view name = words[1];", *calls, "  return 2;", "}", ""])


def last_line(program, name):
    done = subprocess.run([program, name], capture_output=True, text=True, timeout=120)
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return f"ends with {done.returncode} and says: {(done.stderr.strip().splitlines() or ['nothing'])[-1]}"
    return lines[-1]


def mistakes(folder, program, write=False):
    found = [] if len(programs(folder)) >= PROGRAMS else [f"there are {len(programs(folder))} programs, not {PROGRAMS}"]
    for path in programs(folder):
        text = path.read_text(encoding="utf-8")
        printed = last_line(program, path.stem)
        said = SAYS.search(text)
        if write:
            text = SAYS.sub("", text).rstrip("\n") + f"\n\n// last line: {printed}\n"
            path.write_text(text, encoding="utf-8")
        elif not said or said.group(1) != printed:
            found.append(f"{path.name}: the last line is '{printed}', and the file says '{said.group(1) if said else ''}'")
        if len(text.splitlines()) > MOST_LINES:
            found.append(f"{path.name}: {len(text.splitlines())} lines; {MOST_LINES} at most, to be read at one look")
        if not text.startswith("// "):
            found.append(f"{path.name}: the first line says what it shows")
    return found


if __name__ == "__main__":
    if sys.argv[1] == "join":
        Path(sys.argv[3]).write_text(joined(Path(sys.argv[2])), encoding="utf-8")
    else:
        findings = mistakes(Path(sys.argv[2]), sys.argv[3], "--write" in sys.argv)
        print("\n".join(findings))
        sys.exit(bool(findings))
