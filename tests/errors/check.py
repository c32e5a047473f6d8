#!/usr/bin/env python3
"""Checks the catalogue of mistakes: what a compiler says about each CASE.fail.cpp, and that CASE.pass.cpp compiles.

A failing file names its sentence on one of its first lines and marks the user's offending line:

    // build error: stg: matmul .* is 8 wide
    auto y = matmul(v(x), W);  // <- here

A third line `// names: er` asks for a word that the compiler is to print beside the sentence: as one, or, where it would
print numbers, letter by letter.

One that stands for several operations lists them, and says NAME wherever theirs belong, in its twin as well:

    // build error: stg: NAME takes a real value
    // each NAME: exp sin one_hot<7>      `unary` and `binary`: all whose structs have a formula
    auto y = NAME(v(label));  // <- here

Where no function of the library can be called, so that none can say anything, the file names what compilers are to show below
their own error, the sentence beside the declaration that comes closest:

    // shown: stg: slice takes its bounds as constants

Then each `error:` is to be at the marked line.

A line `// flags: -std=c++17` adds flags to the failing file alone, which is then compiled by itself.

A line `// instead of: is_too_long` names what would be thrown in constant evaluation without the sentence (coverage.py).
These lines, the first of which describes the case, are its head; each is whole, so no other comment stands among them.

Demanded of the failing file: a non-zero exit code; the sentence in exactly one `error:` line, and no other error
(unless it says `// allows: further errors`); the marked line's file:line in the output; at most 40 lines of output, for
each error; every `stg: ` sentence in the house style. Demanded of its twin: exit code 0 and not one warning.

Many files are compiled as one, each in a namespace of its own. Whatever is not as it should be there is compiled alone,
and that decides.
"""
import argparse
import functools
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MAX_OUTPUT_LINES = 40
MAX_SENTENCE = 110
PASSES = 100  # files that compile are compiled together
FAILS = 40  # files that do not

SENTENCE = re.compile(r"stg: .*")
BUILD_ERROR = re.compile(r"// build error: (.*)")
SHOWN = re.compile(r"// shown: (.*)")
EACH = re.compile(r"// each NAME: (.*)")
INSTEAD = re.compile(r"// instead of: (.*)")
FLAGS = re.compile(r"// flags: (.*)")
HEAD = re.compile(r"// (build error|shown|each NAME|names|allows|instead of|flags): ")


def sentences(line):
    """The `stg: ` sentence of an error line, without the quotes and backslashes that clang puts around it."""
    found = SENTENCE.search(line)
    if not found:
        return []
    text = found.group(0).rstrip()
    if line[: found.start()].endswith('"') and text.endswith('"'):
        text = text[:-1].replace('\\"', '"')
    return [text]


def style_findings(sentence):
    findings = []
    words = sentence[len("stg: "):]
    if words[:1].isupper() or not words.strip():
        findings.append(f"sentence does not start in lower case: {sentence}")
    if len(sentence) > MAX_SENTENCE:
        findings.append(f"sentence has {len(sentence)} characters, more than {MAX_SENTENCE}: {sentence}")
    return findings


def head(lines):
    """The comment lines that a file begins with."""
    return lines[:next((number for number, line in enumerate(lines) if not line.startswith("//")), len(lines))]


def head_findings(lines):
    """What of a failing file's head would be lost: what stands below it, and the end of a line that was wrapped."""
    top = head(lines)
    lost = [f"its head has a line that says nothing, the end of the one before: {line}"
            for line in top[1:] if not HEAD.match(line)]
    return lost + [f"stands below the file's head: {line}" for line in lines[len(top):] if HEAD.match(line)]


def is_error(line):
    return re.search(r"\berror: ", line) is not None


class Compiler:
    """One compiler with its flags and, when the cases share a header, that header precompiled."""

    def __init__(self, path, includes, precompile, workspace):
        self.command = [path, "-std=c++20", "-Wall", "-Wextra", "-fdiagnostics-color=never"]
        self.command += [f"-I{directory}" for directory in includes]
        self.prelude = []
        if self.is_clang():
            self.command.append("-ferror-limit=0")
        if precompile:
            self.command.append("-Wno-psabi")  # g++ forgets a header's diagnostic pragmas when it precompiles it
            self.prelude = self.precompiled(precompile, Path(workspace))

    def is_clang(self):
        return "clang" in subprocess.run(self.command + ["--version"], capture_output=True, text=True).stdout

    def precompiled(self, header, workspace):
        source = workspace / "prelude.hpp"
        source.write_text(f"#include <{header}>\n")
        is_clang = self.is_clang()
        if is_clang:  # what the header itself instantiates, once rather than with every case
            self.command.append("-fpch-instantiate-templates")
        output = workspace / ("prelude.pch" if is_clang else "prelude.hpp.gch")
        run = subprocess.run(self.command + ["-x", "c++-header", str(source), "-o", str(output)],
                             capture_output=True, text=True)
        if run.returncode != 0 or run.stderr:
            raise SystemExit(f"errors: <{header}> itself does not compile cleanly:\n{run.stderr}")
        return ["-include-pch", str(output)] if is_clang else ["-include", str(source)]

    def check(self, source, flags=()):
        """Exit code and output of compiling `source` without producing code; with flags of its own, no header is ready."""
        command = self.command + (list(flags) or self.prelude) + ["-fsyntax-only", str(source)]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", env={**os.environ, "LC_ALL": "C"})
        return run.returncode, run.stdout + run.stderr


class Source:
    """A file of a case as one operation has it: the file itself where it names none."""

    def __init__(self, path, name="", number=0):
        self.path, self.name = path, name
        self.label = f"{path}@{number}" if name else str(path)  # what diagnostics call it
        self.lines = path.read_text().splitlines()
        self.expected = [m.group(1).strip() for m in map(BUILD_ERROR.match, head(self.lines)) if m]
        self.flags = [word for m in map(FLAGS.match, head(self.lines)) if m for word in m.group(1).split()]
        self.shown = [m.group(1).strip() for m in map(SHOWN.match, head(self.lines)) if m]
        if name:
            spelled = re.escape((re.match(r"\w+", name) or re.match(".*", name)).group())
            self.expected = [re.sub(r"\bNAME\b", lambda _: spelled, sentence) for sentence in self.expected]
            self.lines = [line if line.startswith("//") else re.sub(r"\bNAME\b", lambda _: name, line)
                          for line in self.lines]

    def findings(self, findings):
        return [f"for {self.name}: {finding}" if self.name else finding for finding in findings]

    @staticmethod
    def of(path, names):
        return [Source(path, name, number) for number, name in enumerate(names)] if names else [Source(path)]


OPERATIONS = Path(__file__).resolve().parent.parent.parent / "include" / "stg" / "op"
FORMULA = re.compile(r"^struct (\w+) : pointwise<ir::opcode::\1, ([12])> \{\n(?:  .*\n)*?  (?:static long double exact|STG_EVALUATES_AS_MATH)\(", re.M)


@functools.lru_cache
def with_formulas():
    """What `unary` and `binary` stand for: the functions whose structs have a formula, by how many values they take."""
    found = {"unary": [], "binary": []}
    for file in sorted(OPERATIONS.glob("*.hpp")):
        for name, arity in FORMULA.findall(file.read_text()):
            found["unary" if arity == "1" else "binary"].append(name)
    return found


def names_of(fail):
    """The operations that a failing file stands for, none where it does not say."""
    lines = head(fail.read_text().splitlines())
    words = [word for line in map(EACH.match, lines) if line for word in line.group(1).split()]
    return [name for word in words for name in with_formulas().get(word, [word])]


def joined(sources):
    """The sources as one file: each in a namespace of its own, with its own line numbers, below the headers of all."""
    headers, bodies = [], []
    for number, source in enumerate(sources):
        headers += [line for line in source.lines if line.startswith("#include") and line not in headers]
        body = ["" if line.startswith("#include") else line for line in source.lines]
        bodies += [f"namespace case_{number} {{", f'#line 1 "{source.label}"', *body, "}"]
    return "\n".join(headers + bodies) + "\n"


def blocks(output):
    """The lines of each error or warning: what leads to it, itself, and what explains it."""
    found, is_said = [], True
    for line in output.splitlines():
        leads = line.startswith("In file included from") or re.match(r"\S+: (In|At) ", line) is not None
        says = is_error(line) or ": warning: " in line
        if is_said and (leads or says):
            found.append([])
            is_said = False
        if not found:
            found.append([])
        found[-1].append(line)
        is_said = is_said or says
    return found


def judge(source, code, output):
    """What is wrong with what the compiler says about a failing source."""
    lines, expected, top = source.lines, source.expected or source.shown, head(source.lines)
    if head_findings(lines):
        return head_findings(lines)
    marked = [number for number, line in enumerate(lines, 1) if line.rstrip().endswith("// <- here")]
    if len(source.expected + source.shown) != 1 or not expected[0].startswith("stg: "):
        return ["needs one line `// build error: stg: <sentence>` at its top"]
    if len(marked) != 1:
        return [f"needs exactly one line that ends with `// <- here`, has {len(marked)}"]
    try:
        sentence = re.compile(expected[0])
    except re.error as problem:
        return [f"the sentence is not a regular expression: {problem}"]

    if code == 0:
        return ["compiles, and must not"]
    findings = []
    errors = [line for line in output if is_error(line)]
    if source.shown:
        ours = [line for line in errors if line.startswith(f"{source.label}:{marked[0]}:")]
        shown = [text for line in output if not is_error(line) for text in sentences(line) if sentence.match(text)]
        if not shown:
            findings.append(f"nothing shows: {expected[0]}")
        for text in shown:
            findings += style_findings(text)
    else:
        ours = [line for line in errors if any(sentence.match(text) for text in sentences(line))]
        if not ours:
            findings.append(f"no error says: {expected[0]}")
        if len(ours) > 1:
            findings.append(f"{len(ours)} errors say the sentence, expected one")
    further = [line for line in errors if line not in ours]
    allowed = source.shown or any(line.startswith("// allows: further errors") for line in top)
    if further and (source.shown or not allowed):
        findings += [f"further error: {line.strip()}" for line in further]
    if not any(f"{source.label}:{marked[0]}:" in line or f"{source.label}:{marked[0]}," in line for line in output):
        findings.append(f"does not name the user's line {source.path.name}:{marked[0]}")
    for word in [m.group(1).strip() for m in (re.match(r"// names: (.*)", l) for l in top) if m]:
        letters = "name<" + ", ".join(f"'{letter}'" for letter in word) + ">"
        if not any(f'{{"{word}"}}' in line or letters in line for line in output):
            findings.append(f"does not name {word}")
    if len(output) > MAX_OUTPUT_LINES * (len(errors) if allowed and errors else 1):
        findings.append(f"{len(output)} lines of output, more than {MAX_OUTPUT_LINES}")
    for line in errors:
        for text in sentences(line):
            findings += style_findings(text)
    return findings


def check_alone(compiler, source, must_compile, workspace):
    """Findings and output for one source, compiled by itself."""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=workspace) as file:
        file.write(f'#line 1 "{source.label}"\n' + "\n".join(source.lines) + "\n")
        file.flush()
        code, output = compiler.check(Path(file.name), source.flags)
    if not must_compile:
        return source.findings(judge(source, code, output.splitlines())), output
    if code != 0:
        return source.findings(["does not compile, and must"]), output
    return (source.findings(["compiles with warnings"]), output) if output.strip() else ([], output)


def check_together(compiler, sources, must_compile, workspace):
    """(source, findings, output) for each of the sources: all in one go, and alone what is not right there."""
    right = []
    apart = [source for source in sources if source.flags]
    sources = [source for source in sources if not source.flags]
    if len(sources) > 1:
        with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=workspace) as file:
            file.write(joined(sources))
            file.flush()
            code, output = compiler.check(Path(file.name))
        if must_compile:
            right = sources if code == 0 and not output.strip() else []
        else:
            said = {source.label: [] for source in sources}
            for block in blocks(output):
                about = {label for label in said if any(f"{label}:" in line for line in block)}
                for label in about:
                    said[label] += block
            right = [source for source in sources if not judge(source, code, said[source.label])]
            if code and len(right) < len(sources) and os.environ.get("STG_ERRORS_TRACE"):
                for source in sources:
                    if source not in right:
                        print(f"alone: {source.label} {judge(source, code, said[source.label])}", file=sys.stderr)
    return [(source, *(([], "") if source in right else check_alone(compiler, source, must_compile, workspace)))
            for source in sources + apart]


def parts_of(sources, size):
    """The sources in parts of about that size; neighbours, which fail in like ways, go to different parts."""
    count = -(-len(sources) // size)
    return [sources[k::count] for k in range(count)]


def pairs(directory, names):
    """The failing files and their twins by path below `directory`, and a finding for every file without its twin."""
    def cases(end):
        return {path.relative_to(directory).as_posix()[: -len(end)]: path for path in directory.rglob("*" + end)}

    fails, passes = cases(".fail.cpp"), cases(".pass.cpp")
    findings = [f"{case}.fail.cpp has no twin {case}.pass.cpp" for case in sorted(fails.keys() - passes.keys())]
    findings += [f"{case}.pass.cpp has no twin {case}.fail.cpp" for case in sorted(passes.keys() - fails.keys())]
    whole = sorted(fails.keys() & passes.keys())
    chosen = [case for case in whole if not names or case in names or case.split("/")[-1] in names]
    if not chosen and not findings:
        findings.append("there is no such case")
    return [(fails[case], passes[case]) for case in chosen], findings


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[], help="directory of headers")
    parser.add_argument("--precompile", help="header that is compiled once for all cases, such as stg/stg.hpp")
    parser.add_argument("--directory", type=Path, default=Path(__file__).parent)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--tenths", default="0-9", help="of the cases in their order, such as 0-6")
    parser.add_argument("--at-least", type=int, default=1, help="cases, or the check fails")
    parser.add_argument("--together", type=int, default=FAILS, help="failing files that are compiled as one; 1: each alone")
    parser.add_argument("--show", action="store_true", help="print what the compiler says about every failing file")
    parser.add_argument("names", nargs="*", help="cases to check, such as no_name or binding/no_name; all when none is named")
    options = parser.parse_args(arguments)

    started = time.monotonic()
    cases, findings = pairs(options.directory, options.names)
    first, last = map(int, options.tenths.split("-"))
    cases = [case for number, case in enumerate(cases) if first <= number % 10 <= last]
    if len(cases) < options.at_least:
        findings.append(f"{len(cases)} cases, fewer than {options.at_least}")
    with tempfile.TemporaryDirectory(prefix="stg_errors_") as workspace:
        compiler = Compiler(options.compiler, options.include, options.precompile, workspace)
        fails = [source for fail, _ in cases for source in Source.of(fail, names_of(fail))]
        twins = [source for fail, twin in cases for source in Source.of(twin, names_of(fail))]
        work = [(part, is_twin) for sources, is_twin, size in ((twins, True, PASSES), (fails, False, options.together))
                for part in parts_of(sources, size)]
        with ThreadPoolExecutor(options.jobs) as pool:
            done = pool.map(lambda item: check_together(compiler, *item, workspace), work)
            for source, found, output in (result for results in done for result in results):
                findings += [f"{source.path.relative_to(options.directory)}: {finding}" for finding in found]
                if found or (options.show and source.path.name.endswith(".fail.cpp")):
                    print(f"---- {source.label}\n{output}")
    for finding in findings:
        print(f"FAILED {finding}")
    print(f"{len(cases)} cases with {options.compiler} in {time.monotonic() - started:.1f} s, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
