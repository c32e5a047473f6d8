#!/usr/bin/env python3
"""Checks the catalogue of mistakes: what a compiler says about each NAME.fail.cpp, and that NAME.pass.cpp compiles.

A failing file names its sentence on one of its first lines and marks the user's offending line:

    // build error: stg: matmul .* is 8 wide
    auto y = matmul(v(x), W);  // <- here

A third line `// names: er` asks for a word that the compiler is to print beside the sentence: as one, or, where it would
print numbers, letter by letter.

Demanded of the failing file: a non-zero exit code; the sentence in exactly one `error:` line, and no other error
(unless it says `// allows: further errors`); the marked line's file:line in the output; at most 40 lines of output;
every `stg: ` sentence in the house style. Demanded of its twin: exit code 0 and not one warning.
"""
import argparse
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
HEAD_LINES = 10  # where `// build error:` may stand

SENTENCE = re.compile(r"stg: .*")


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


def is_error(line):
    return re.search(r"\berror: ", line) is not None


class Compiler:
    """One compiler with its flags and, when the cases share a header, that header precompiled."""

    def __init__(self, path, includes, precompile, workspace):
        self.command = [path, "-std=c++20", "-Wall", "-Wextra", "-fdiagnostics-color=never"]
        self.command += [f"-I{directory}" for directory in includes]
        self.prelude = []
        if precompile:
            self.command.append("-Wno-psabi")  # g++ forgets a header's diagnostic pragmas when it precompiles it
            self.prelude = self.precompiled(precompile, Path(workspace))

    def precompiled(self, header, workspace):
        source = workspace / "prelude.hpp"
        source.write_text(f"#include <{header}>\n")
        is_clang = "clang" in subprocess.run(self.command + ["--version"], capture_output=True, text=True).stdout
        if is_clang:  # what the header itself instantiates, once rather than with every case
            self.command.append("-fpch-instantiate-templates")
        output = workspace / ("prelude.pch" if is_clang else "prelude.hpp.gch")
        run = subprocess.run(self.command + ["-x", "c++-header", str(source), "-o", str(output)],
                             capture_output=True, text=True)
        if run.returncode != 0 or run.stderr:
            raise SystemExit(f"errors: <{header}> itself does not compile cleanly:\n{run.stderr}")
        return ["-include-pch", str(output)] if is_clang else ["-include", str(source)]

    def check(self, source):
        """Exit code and output of compiling `source` without producing code."""
        run = subprocess.run(self.command + self.prelude + ["-fsyntax-only", str(source)], capture_output=True,
                             text=True, errors="replace", env={**os.environ, "LC_ALL": "C"})
        return run.returncode, run.stdout + run.stderr


def check_fail(compiler, source):
    lines = source.read_text().splitlines()
    expected = [m.group(1).strip() for m in (re.match(r"// build error: (.*)", l) for l in lines[:HEAD_LINES]) if m]
    marked = [number for number, line in enumerate(lines, 1) if line.rstrip().endswith("// <- here")]
    if len(expected) != 1 or not expected[0].startswith("stg: "):
        return ["needs one line `// build error: stg: <sentence>` at its top"], ""
    if len(marked) != 1:
        return [f"needs exactly one line that ends with `// <- here`, has {len(marked)}"], ""
    try:
        sentence = re.compile(expected[0])
    except re.error as problem:
        return [f"the sentence is not a regular expression: {problem}"], ""

    code, output = compiler.check(source)
    if code == 0:
        return ["compiles, and must not"], output
    findings = []
    errors = [line for line in output.splitlines() if is_error(line)]
    ours = [line for line in errors if any(sentence.match(text) for text in sentences(line))]
    further = [line for line in errors if line not in ours]
    if not ours:
        findings.append(f"no error says: {expected[0]}")
    if len(ours) > 1:
        findings.append(f"{len(ours)} errors say the sentence, expected one")
    if further and not any(line.startswith("// allows: further errors") for line in lines[:HEAD_LINES]):
        findings += [f"further error: {line.strip()}" for line in further]
    if not re.search(rf"{re.escape(source.name)}:{marked[0]}\b", output):
        findings.append(f"does not name the user's line {source.name}:{marked[0]}")
    for word in [m.group(1).strip() for m in (re.match(r"// names: (.*)", l) for l in lines[:HEAD_LINES]) if m]:
        letters = "name<" + ", ".join(f"'{letter}'" for letter in word) + ">"
        if f'{{"{word}"}}' not in output and letters not in output:
            findings.append(f"does not name {word}")
    if len(output.splitlines()) > MAX_OUTPUT_LINES:
        findings.append(f"{len(output.splitlines())} lines of output, more than {MAX_OUTPUT_LINES}")
    for line in errors:
        for text in sentences(line):
            findings += style_findings(text)
    return findings, output


def check_pass(compiler, source):
    code, output = compiler.check(source)
    if code != 0:
        return ["does not compile, and must"], output
    return (["compiles with warnings"], output) if output.strip() else ([], output)


def joined(sources):
    """The files as one: each in a namespace of its own, with its own line numbers, below the headers of all."""
    headers, bodies = [], []
    for number, source in enumerate(sources):
        lines = source.read_text().splitlines()
        headers += [line for line in lines if line.startswith("#include") and line not in headers]
        body = ["" if line.startswith("#include") else line for line in lines]
        bodies += [f"namespace twin_{number} {{", f'#line 1 "{source}"', *body, "}"]
    return "\n".join(headers + bodies) + "\n"


def check_passes(compiler, sources, workspace):
    """Findings and output for each of the files: all in one go, and one by one where that is not clean."""
    if len(sources) > 1:
        with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=workspace) as together:
            together.write(joined(sources))
            together.flush()
            code, output = compiler.check(Path(together.name))
        if code == 0 and not output.strip():
            return [(source, ([], "")) for source in sources]
    return [(source, check_pass(compiler, source)) for source in sources]


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
        twins = [twin for _, twin in cases]
        parts = [twins[k::options.jobs] for k in range(options.jobs) if twins[k::options.jobs]]
        with ThreadPoolExecutor(options.jobs) as pool:
            passed = pool.map(lambda part: check_passes(compiler, part, workspace), parts)
            failed = pool.map(lambda case: (case[0], check_fail(compiler, case[0])), cases)
            for source, (found, output) in [*(result for part in passed for result in part), *failed]:
                findings += [f"{source.relative_to(options.directory)}: {finding}" for finding in found]
                if found or (options.show and source.name.endswith(".fail.cpp")):
                    print(f"---- {source.name}\n{output}")
    for finding in findings:
        print(f"FAILED {finding}")
    print(f"{len(cases)} cases with {options.compiler} in {time.monotonic() - started:.1f} s, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
