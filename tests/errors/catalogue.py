#!/usr/bin/env python3
"""Writes docs/errors.md, the catalogue of mistakes, from the cases beside it; with --check says whether it is current.

A case contributes the description on the first line of CASE.fail.cpp, what was written, the sentence of its
`// build error:` line, and the lines in which CASE.pass.cpp differs; one that stands for several operations, as the
first of them has it, and their list.
"""
import argparse
import difflib
import re
import sys
from pathlib import Path

import check

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent.parent / "docs" / "errors.md"

# folder, title, what its mistakes have in common
SECTIONS = [
    ("unread", "Features that were not read",
     "A symbol is a name. `v(x)` is the vertex's own value, `e.src(x)` and `e.dst(x)` are those at the ends of an edge, "
     "`e(w)` is the edge's own."),
    ("space", "Vertices and edges", "A value belongs to a vertex, to an edge or to the whole graph."),
    ("direction", "In-edges and out-edges",
     "An edge view sees edges from the vertex that owns them; values of two views meet only after an aggregate."),
    ("kinds", "Vertex sets and relations",
     "A program over several kinds of vertices reads each set through its own vertex: [kinds.md](kinds.md)."),
    ("aggregate", "Aggregates", "`sum`, `mean`, `max`, `min` and `softmax` without an axis go over a vertex's edges."),
    ("shape", "Shapes that do not broadcast", "Feature axes are matched from the right; an extent of 1 stretches."),
    ("axis", "Feature axes", "Everything that decides a shape is a template argument and is checked."),
    ("dense", "Dense products", "`matmul(x, W)` takes a vertex value and a parameter."),
    ("sparse", "Sparse features",
     "A sparse feature is no value: dropout and a number per vertex leave it sparse, and its product is dense."),
    ("scalar", "Scalar types", "Operands share a scalar type; `cast<f32>(x)` changes it."),
    ("control", "Control flow", "A lambda is called once, during compilation, when no number is known."),
    ("symbol", "Symbols", "Declarations at namespace scope."),
    ("scan", "Scans",
     "A step that is repeated, with the values that it carries: [time.md](time.md)."),
    ("layers", "Layers",
     "A layer takes the vertex, or edges, then values, then parameters or functions in their place: [layers.md](layers.md)."),
    ("messages", "Messages",
     "What ranks tell each other by hand: [distributed.md](distributed.md#messages-by-hand)."),
    ("blocks", "Blocks",
     "What a program asks of a whole graph is not in a sample of it: [batches.md](batches.md#blocks-hop-by-hop)."),
    ("sampling", "Samplers", "A sampler takes its options by name, and seeds of 32 bits: [batches.md](batches.md)."),
    ("program", "Programs", "What `stg::compile` takes."),
    ("examine", "Passes of your own",
     "`stg::compile<model, pass>()` runs what a function makes of the program: [programs.md](programs.md)."),
    ("rewrite", "Rewrite rules",
     "`stg::rewrite_rule(pattern, replacement)` takes two lambdas of the language: [programs.md](programs.md)."),
    ("own_operation", "Operations of your own",
     "`stg::elementwise` makes an operation of a function of numbers: [differentiate.md](differentiate.md#an-operation-of-your-own)."),
    ("gradient", "Gradients", "What `stg::value_and_grad` and `stg::compile_for_training` take."),
    ("parameters", "Parameters", "`stg::parameters` takes the run-time extents of a program's parameters, by name."),
    ("optimizer", "Optimisers", "An optimiser trains a set of parameters with the gradients of all of them."),
    ("place", "Places", "A program runs on the CPU, or on a GPU where its file has kernels for one."),
    ("dropped", "Results that nobody has",
     "No function changes what it is given. A compiler warns where a result is dropped; `-Werror=unused-result` makes it an error."),
    ("temporary", "What has no name",
     "Edges, degrees, entries and batches are looked at where they lie: what they belong to has a name, and lives as long. "
     "Rows, values and shapes of what has none are given whole."),
    ("elsewhere", "As other libraries call it",
     "What PyTorch, PyTorch Geometric and NumPy call otherwise, or take in another order: each says what to write."),
    ("binding", "Bindings", "A call binds every input once, by name. The message names the input."),
]

HEAD = """# The catalogue of mistakes

<!-- Written by tests/errors/catalogue.py from the cases in tests/errors/. Change those and run it again. -->

Every mistake here is a compile error whose sentence starts with `stg:`; g++ and clang++ name the marked line next to
it. Where no function of the library can be called, the error is "no matching function" or "deleted function", and the sentence
stands below it. Each one is a pair of files in `tests/errors/`, one that must not compile and its twin that must.
"""


def literal(pattern, source):
    """The sentence behind a regular expression without wildcards, but for an end that differs from name to name."""
    if pattern.endswith(".*"):
        return literal(pattern[:-2], source) + " …"
    sentence = re.sub(r"\\(\W)", r"\1", pattern)
    if re.search(r"(?<!\\)[.^$*+?{}\[\]|()]", pattern) or re.search(r"\\\w", pattern):
        raise SystemExit(f"catalogue: {source}: its sentence is not a literal text, escape it: {pattern}")
    return sentence


def body(source):
    """The lines of a case after its include, without the line that only asks for compilation."""
    lines = source.lines
    start = next(i for i, line in enumerate(lines) if line.startswith("#include"))
    lines = [line for line in lines[start + 1:] if line != "auto compiled = stg::compile<model>();"]
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def dedented(lines):
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[indent:] for line in lines]


def case(fail):
    names = check.names_of(fail)
    source, *likewise = check.Source.of(fail, names)
    lines = source.lines
    what = lines[0].removeprefix("// ")
    pattern = (source.expected + source.shown + [""])[0]
    where = "" if source.expected else "below the compiler's own words: "
    wrong, right = body(source), body(check.Source.of(fail.with_name(fail.name.replace(".fail.", ".pass.")), names)[0])
    plain = [re.sub(r"\s*// <- here$", "", line) for line in wrong]
    changed = [line[2:] for line in difflib.ndiff(plain, right) if line.startswith("+ ")]
    if not what.startswith("// build") and lines[0].startswith("// ") and pattern and changed:
        others = ["Likewise " + ", ".join(f"`{other.name}`" for other in likewise) + ".", ""] if likewise else []
        return "\n".join(["", f"**{what.removesuffix('.')}** ({fail.parent.name}/{fail.name[:-len('.fail.cpp')]})", "",
                          "```cpp", *wrong, "```", "", f"> {where}`{literal(pattern, fail.name)}`", "", "Write:", "",
                          "```cpp", *dedented(changed), "```", "", *others])
    raise SystemExit(f"catalogue: {fail.name}: needs a description, a sentence, and a twin that differs in a line")


def catalogue(directory):
    folders = {path.parent.name for path in directory.rglob("*.fail.cpp")}
    unknown = folders - {folder for folder, _, _ in SECTIONS}
    if unknown:
        raise SystemExit(f"catalogue: no section for {', '.join(sorted(unknown))}; name it in SECTIONS")
    sections = [(title, about, sorted((directory / folder).glob("*.fail.cpp"))) for folder, title, about in SECTIONS]
    sections = [section for section in sections if section[2]]
    text = HEAD + "\n"
    for title, _, cases in sections:
        text += f"* [{title}](#{re.sub(r'[^a-z -]', '', title.lower()).replace(' ', '-')}): {len(cases)}\n"
    for title, about, cases in sections:
        text += f"\n## {title}\n\n{about}\n" + "".join(case(fail) for fail in cases)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when docs/errors.md is not current")
    check = parser.parse_args().check
    text = catalogue(HERE)
    if not check:
        OUTPUT.parent.mkdir(exist_ok=True)
        OUTPUT.write_text(text)
        return 0
    old = OUTPUT.read_text() if OUTPUT.exists() else ""
    if old == text:
        return 0
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), "docs/errors.md", "the cases"))
    print("FAILED docs/errors.md is not what the cases say; run tests/errors/catalogue.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
