#!/usr/bin/env python3
"""Feeds include_order.py, demanded.py, function_length.py, members.py, named_operations.py and one_definition.py small trees that
break one rule each, and expects them to say so."""
import contextlib
import io
import sys
import tempfile
from pathlib import Path

import demanded
import function_length
import include_order
import members
import named_operations
import one_definition

JOB = "// Says what it is for.\n#pragma once\n#include <stg/base/standard.hpp>\n"

# what is wrong, the file, its text, and what the checker must say (None: nothing)
CASES = [
    ("nothing", "include/stg/op/list.hpp", JOB + "#include <stg/dsl/expr.hpp>\n#include <vector>\n", None),
    ("own folder", "include/stg/ir/program.hpp", JOB + "#include <stg/ir/shape.hpp>\n", None),
    ("a layer below", "include/stg/ir/shape.hpp", JOB + "#include <stg/dsl/expr.hpp>\n", ":4: <stg/dsl/expr.hpp> stands below ir"),
    ("with blanks and quotes", "include/stg/ir/shape.hpp", JOB + ' # include "stg/op/list.hpp"\n', "stands below ir"),
    ("compile.hpp below op", "include/stg/op/list.hpp", JOB + "#include <stg/compile.hpp>\n", "stands below op"),
    ("the umbrella", "include/stg/nn/gcn.hpp", JOB + "#include <stg/stg.hpp>\n", "is the umbrella"),
    ("the umbrella includes", "include/stg/stg.hpp", JOB + "#include <stg/data/npy.hpp>\n", None),
    ("what every program reads", "include/stg/stg.hpp", JOB + "#include <cmath>\n", "<cmath> is dear"),
    ("what nvcc reads", "include/stg/stg.hpp", JOB + "#ifdef __CUDACC__\n#include <cmath>\n#endif\n", None),
    ("what readers of data read", "include/stg/data/npy.hpp", JOB + "#include <cmath>\n", None),
    ("an opt-in header", "include/stg/nn/gcn.hpp", JOB + "#include <stg/eigen.hpp>\n", "for users to include"),
    ("an opt-in header includes", "include/stg/eigen.hpp", JOB + "#include <stg/runtime/tensor.hpp>\n#include <Eigen/Core>\n", None),
    ("a closed layer", "include/stg/pass/cse.hpp", JOB + "#include <stg/dsl/expr.hpp>\n", "is closed to pass"),
    ("codegen below data", "include/stg/data/npy.hpp", JOB + "#include <stg/codegen/run.hpp>\n", "stands below data"),
    ("data in a layer", "include/stg/nn/gcn.hpp", JOB + "#include <stg/data/npy.hpp>\n", None),
    ("rules in a layer", "include/stg/nn/gcn.hpp", JOB + "#include <stg/rules/sums.hpp>\n", "is closed to nn"),
    ("training below tensor", "src/runtime/tensor/tensor.cpp", '#include "../training/held_values.hpp"\n', "training is closed to src/runtime/tensor"),
    ("no layer", "include/stg/misc/list.hpp", JOB, "in no layer"),
    ("a third party", "include/stg/ir/shape.hpp", JOB + "#include <Eigen/Core>\n", "only in tests/"),
    ("Hana in a kernel", "include/stg/codegen/cpu/sweep.hpp", JOB + "#include <boost/hana/tuple.hpp>\n", "only in include/stg/dsl"),
    ("Hana in a model", "include/stg/nn/deep.hpp", JOB + "#include <boost/hana/tuple.hpp>\n", None),
    ("OpenMP", "src/runtime/graph/graph.cpp", "#include <omp.h>\n", "only in src/runtime/threads/parallel.cpp"),
    ("no job", "include/stg/ir/shape.hpp", "#pragma once\n#include <stg/base/standard.hpp>\n", "first line"),
    ("no guard", "include/stg/ir/shape.hpp", "// Job.\n#include <stg/base/standard.hpp>\n", "#pragma once is missing"),
    ("older C++ unsaid", "include/stg/ir/shape.hpp", "// Job.\n#pragma once\n#include <vector>\n", "says so under older C++"),
    ("a tab", "src/runtime/graph/graph.cpp", "// Job.\n\tint x;\n", ":2: tab"),
    ("trailing blanks", "examples/01_gcn.cpp", "// Job. \n", ":1: trailing blanks"),
    ("no README", "src/codegen/run.cpp", "// Job.\n", "src/codegen:1: no README.md"),
    ("no last newline", "tests/run/a_test.cpp", "// Job.", "does not end"),
]


PIPELINE = {"include/stg/pipeline.hpp": "#include <stg/pass/sink.hpp>  // sink\n", "tests/static/pass/sink.cpp": "",
            "tests/mutation/passes.py": 'PASSES = ("dce",\n          "order", "sink")\n',
            "include/stg/data/npy.hpp": "///   t = read_npy(file)\ntemplate <class T> tensor<T> read_npy(const std::string& path);\n",
            "tests/fuzz/readers.cpp": "may_refuse([&] { read_npy<float>(path); });\nlayer_sampler s(g, {8});\n",
            "docs/data.md": "`read_npy` reads arrays.\n",
            "include/stg/nn/recurrent/sequence.hpp": "/// A cell.\ntemplate <class W> struct gru {\n",
            "tests/run/support/cells.hpp": "auto cell = nn::gru{W};\n", "docs/layers.md": "**gru**: an equation.\n",
            "docs/layers_sheet.md": "| `gru` | GRU | yes |\n",
            "include/stg/sampling/layer_sampler.hpp": "class layer_sampler final : public sampler {\n",
            "include/stg/sampling/graphs_layer_sampler.hpp": "class graphs_layer_sampler {\n",
            "tests/fuzz/kinds.cpp": "graphs_layer_sampler s(g, {8});\n",
            "docs/batches.md": "| `layer_sampler(g)` | draws |\n| `graphs_layer_sampler(g)` | draws |\n"}

DETAIL = "namespace detail {\nint part();\n}  // namespace detail\n"

# what is wrong, the file that is another, its text (None: it is not there), and what demanded.py must say (None: nothing)
DEMANDS = [
    ("nothing", "tests/static/pass/dce.cpp", "", None),
    ("a pass without a test", "tests/static/pass/sink.cpp", None, "pass/sink.hpp:1: no static test"),
    ("a pass that is never changed", "tests/mutation/passes.py", 'PASSES = ("dce",\n          "order")\n', "does not list it"),
    ("a reader without a fuzzer", "tests/fuzz/readers.cpp", "read_npy_as<float>(path);\nlayer_sampler s(g);\n", "npy.hpp:2: no fuzzer"),
    ("a reader without a page", "docs/data.md", None, "npy.hpp:2: no page"),
    ("a cell without a reference", "tests/run/support/cells.hpp", "auto cell = nn::lstm{W};\n", "sequence.hpp:2: no reference"),
    ("a cell without its equation", "docs/layers.md", "", "docs/layers.md does not have gru"),
    ("a cell without a row", "docs/layers_sheet.md", "| `lstm` | as gru | yes |\n", "gives gru no row"),
    ("a part of a layer", "include/stg/nn/conv.hpp", "template <class A> struct tower {\n", None),
    ("a sampler without a fuzzer", "tests/fuzz/kinds.cpp", "#include <graphs_layer_sampler.hpp>  // graphs_layer_sampler\n", "no fuzzer"),
    ("a sampler without a row", "docs/batches.md", "| `layer_sampler(g)` | not graphs_layer_sampler |\n", "no row of graphs_layer_sampler"),
    ("a sampler without its twin", "include/stg/sampling/graphs_layer_sampler.hpp", None, "no graphs_layer_sampler does"),
    ("a layer's own detail", "include/stg/nn/conv.hpp", DETAIL + "auto f() { return nn::detail::part(); }\n", None),
    ("a detail that no layer has", "include/stg/nn/conv.hpp", DETAIL + "auto f() { return detail::pointwise(); }\n", "conv.hpp:4: a layer"),
    ("the library's detail", "include/stg/nn/conv.hpp", DETAIL + "auto f() { return stg::detail::part(); }\n", "conv.hpp:4: a layer"),
]

# what is wrong, the file, its text, and what members.py must say (None: nothing)
MEMBERS = [
    ("a name", "include/stg/pass/dce.hpp", "s.set_callee(at[s.callee()]);\n", None),
    ("a raw member", "include/stg/pass/dce.hpp", "ir::statement s;\ns.attribute_ = at[s.callee()];\n", "dce.hpp:2: attribute_ of"),
    ("one of a pointer", "src/call/cost.cpp", "return s->number_;\n", "cost.cpp:1: number_ of"),
    ("where members are known", "include/stg/ir/fields.hpp", "s.axis_ = 0;\n", None),
    ("a class's own number", "src/runtime/data/text_lines.hpp", "++number_;\n", None),
]


def lines(n):
    """So many lines of a body, with a brace that is none."""
    return "  f('{', 1'000);\n" * n


# what is wrong, the file, its text, and what function_length.py must say (None: nothing)
LENGTHS = [
    ("a function that fits", "src/codegen/run.cpp", "void run() {\n" + lines(58) + "}\n", None),
    ("a long function", "src/codegen/run.cpp", "\nvoid run() {\n" + lines(59) + "}\n", ":2: run has 61 lines"),
    ("with its declaration", "src/codegen/run.cpp", "template <class T>\nvoid run(T x = {},\n         int n) {\n" + lines(57) + "}\n", ":1: run has 61 lines"),
    ("a constructor", "include/stg/codegen/frame.hpp", "struct frame {\n  frame()\n      : a{1}, b{} {\n" + lines(58) + "  }\n};\n", ":2: frame has 61 lines"),
    ("behind macros", "src/codegen/run.cpp", "STG_LAYOUT(a, b)\n" * 60 + "int run() {\n" + lines(59) + "}\n", ":61: run has 61 lines"),
    ("two functions", "src/codegen/run.cpp", ("void run() {\n" + lines(50) + "}\n") * 2, None),
    ("a long class", "src/codegen/run.cpp", "template <class T> class a : b<f(1)> {\n" + "  void f() {}\n" * 70 + "};\n", None),
    ("a long table", "src/codegen/run.cpp", "int table[f(2)] = {\n" + "  1,\n" * 70 + "};\n", None),
    ("a long function of a pass", "include/stg/pass/cse.hpp", "void run() {\n" + lines(70) + "}\n", None),
]

# what is wrong, the file beside one that defines stg::detail::row, its text, and what one_definition.py must say
ROW = {"include/stg/runtime/row.hpp": "namespace stg::detail {\nstruct row {\n  int at;\n};\n}  // namespace stg::detail\n"}
ONE_DEFINITION = [
    ("a type of two files", "src/sampling/row.hpp", "namespace stg {\nnamespace detail {\nclass row final : public base {\n};\n}\n}\n",
     "src/sampling/row.hpp:3: stg::detail::row is defined at include/stg/runtime/row.hpp:2 too"),
    ("a template", "src/sampling/row.hpp", "namespace stg::detail {\ntemplate <class T> struct row {\n};\n}\n", "stg::detail::row is defined"),
    ("another namespace", "src/sampling/row.hpp", "namespace stg {\nstruct row {};\n}\n", None),
    ("an unnamed namespace", "src/sampling/row.cpp", "namespace stg::detail {\nnamespace {\nstruct row {};\n}\n}\n", None),
    ("a part of a class", "src/sampling/row.cpp", "namespace stg::detail {\nstruct table {\n  struct row {};\n};\n}\n", None),
    ("a declaration", "src/sampling/row.cpp", "namespace stg::detail {\nstruct row;\nint f(row& r) { return r.at; }\n}\n", None),
    ("a specialisation", "src/sampling/row.cpp", "namespace stg::detail {\ntemplate <> struct row<int> {};\n}\n", None),
]


def judged_wrongly(what, files, run, expected):
    """Whether run, called with a folder of the files, does not say what is expected; if so, it is told."""
    with tempfile.TemporaryDirectory(prefix="stg_self_test_") as folder:
        for path, text in files.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = run(["--root", folder])
    found = said.getvalue().splitlines()[:-1]
    right = (code, found) == (0, []) if expected is None else code == 1 and len(found) == 1 and expected in found[0]
    if not right:
        print(f"FAILED {what}: expected {expected}; said was\n{said.getvalue()}")
    return not right

FLIP = "struct flip : operation<ir::opcode::flip, category::feature, 1> {\n  static constexpr op::movement moves = op::movement::swap;\n};\n"
NAMED = {f"include/stg/pass/{k}.hpp": "if (s.code == ir::opcode::flip) return;  // opcode::flip\n" for k in ("a", "b")}

# what is wrong, further files, and what named_operations.py must say (None: nothing)
NAMES = [
    ("named by three", {"src/codegen/run.cpp": "// opcode::flip\nif (s.code == ir::opcode::flipped) return;\n"}, None),
    ("named by four", {"src/codegen/run.cpp": "case ir::opcode::flip:\n"}, "op/flip.hpp:1: 4 files name flip"),
    ("named by a bare word", {"src/codegen/run.cpp": "using enum ir::opcode;\ncase flip:\n"}, "4 files name flip"),
]


def main():
    wrong = 0
    for what, path, text, expected in CASES:
        readme = {} if what == "no README" else {str(Path(path).parent / "README.md"): "# a folder\n"}
        wrong += judged_wrongly(what, {path: text, **readme}, include_order.main, expected)
    for what, path, text, expected in DEMANDS:
        files = {**PIPELINE, path: text}
        wrong += judged_wrongly(what, {p: t for p, t in files.items() if t is not None}, demanded.main, expected)
    for what, path, text, expected in LENGTHS:
        wrong += judged_wrongly(what, {path: text}, function_length.main, expected)
    for what, path, text, expected in MEMBERS:
        wrong += judged_wrongly(what, {path: text}, members.main, expected)
    for what, path, text, expected in ONE_DEFINITION:
        wrong += judged_wrongly(what, {**ROW, path: text}, one_definition.main, expected)
    for what, files, expected in NAMES:
        wrong += judged_wrongly(what, {"include/stg/op/flip.hpp": FLIP, **NAMED, **files}, named_operations.main, expected)
    print(f"{len(CASES) + len(DEMANDS) + len(LENGTHS) + len(MEMBERS) + len(ONE_DEFINITION) + len(NAMES)} cases, {wrong} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
