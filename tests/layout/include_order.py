#!/usr/bin/env python3
"""Checks the one direction of the library's layout, and the look of every source file.

A header under include/stg includes only what stands in or above its own folder in ORDER, a folder of src/ only the neighbours
that NEIGHBOURS allows. Third-party headers appear only where THIRD_PARTY allows. What stg.hpp reads includes none of DEAR. Every header begins with a one-line `//` comment that says its job, then `#pragma once`.
No source file holds a tab, trailing blanks or a missing last newline. Every folder of the library has a README.
"""
import argparse
import re
import sys
from pathlib import Path

# The layers, lowest first: a folder of include/stg, or a header that stands in it directly.
ORDER = ["base", "ir", "dsl", "op", "analysis", "pass", "examine", "pipeline.hpp", "differentiate.hpp", "compile.hpp", "gradient.hpp",
         "rewrite.hpp", "rules", "runtime", "data", "sampling", "distributed", "codegen", "call", "door", "schedule", "nn", "stg.hpp"]

# Narrower than ORDER: a layer, and layers above it in the list that it must still not know.
RULES = ["rewrite.hpp", "rules"]  # for users to include
PROGRAMS = ["dsl", "op", "analysis", "pass", "examine", "pipeline.hpp", "differentiate.hpp", "compile.hpp", "gradient.hpp"] + RULES
NEVER = {
    "analysis": ["dsl"],  # what passes ask knows programs, never expressions
    "pass": ["dsl"],  # and so do they
    "examine": ["dsl"],  # and what looks at them
    "runtime": PROGRAMS,  # compiled once in src/, for every program
    "data": PROGRAMS,  # readers know tensors and graphs
    "sampling": PROGRAMS,  # and so do samplers
    "distributed": PROGRAMS,  # and cuts
    "codegen": RULES,
    "call": RULES,
    "door": RULES,
    "nn": RULES,
}

# Folders of src/ that include only themselves and some of their neighbours.
NEIGHBOURS = {
    "src/runtime/tensor": ["memory"],
}

# Wider than ORDER: (header, what it may include all the same), each with its reason.
EXCEPTIONS = {}

# Headers that a user adds to stg.hpp by hand: they stand above all layers but the umbrella, and nobody includes them.
OPT_IN = ["arrow.hpp", "bench.hpp", "c_library.hpp", "dlpack.hpp", "eigen.hpp", "elementwise.hpp", "examine.hpp", "python.hpp", "rules.hpp", "ranks_on_gpu.hpp", "run_log.hpp", "saved_model.hpp", "schedule.hpp",
          "snapshots_on_gpu.hpp", "timeline.hpp"]

# Third-party headers and the places that may include them.
THIRD_PARTY = {
    "Eigen/": ["tests/", "include/stg/eigen.hpp"],
    "thrust/": ["src/", "include/stg/runtime/graph_build.hpp", "include/stg/runtime/snapshot_build.hpp",
                "include/stg/snapshots_on_gpu.hpp", "tests/run/support/thrust_snapshots.hpp"],
    "cub/": ["src/"],
    "boost/context/": ["tests/emulator/"],
    "boost/": ["include/stg/dsl/outputs.hpp", "include/stg/runtime/named_values.hpp", "include/stg/call/results.hpp",
               "include/stg/nn/", "tests/", "examples/"],  # no kernel and no pass sees Hana
    "mpi.h": ["src/distributed/mpi_ranks.cpp", "src/distributed/partition_on_ranks.cpp"],
    "ptscotch.h": ["src/distributed/partition_on_ranks.cpp"],
    "omp.h": ["src/runtime/threads/parallel.cpp"],
    "cuda_runtime": ["src/runtime/cuda/toolkit.cpp"],
    "cublas": ["src/runtime/cuda/product_library.hpp"],
    "nvtx3/": ["src/runtime/cuda/toolkit.cpp"],
    "cusparse": ["bench/gpu/"],
    "CLI/": ["examples/common/", "src/command_line/"],
    "nlohmann/": ["src/runtime/data/json.cpp", "tests/run/overlap_test.cpp", "tests/run/timeline_test.cpp"],  # no header of stg: its users need no JSON library
    "metis.h": ["src/sampling/partition.cpp"],
    "zlib.h": ["src/io/", "tests/fuzz/packed.cpp"],
    "hdf5.h": ["src/hdf5/", "tests/run/hdf5_test.cpp", "tests/fuzz/hdf5.cpp"],
    "zip.h": ["src/io/npz.cpp", "src/io/npz_write.cpp"],
    "gtest/": ["tests/"],
    "gmock/": ["tests/"],
    "rapidcheck": ["tests/proof/"],
    "benchmark/": ["bench/", "include/stg/bench.hpp", "examples/04_microbenchmark.cpp", "tests/run/bench_program_test.cpp"],
}

# Standard headers that every program would pay for, a twentieth to a tenth of what stg.hpp takes each.
DEAR = ["algorithm", "chrono", "cmath", "functional", "iostream", "map", "mutex", "random", "regex", "sstream", "thread",
        "unordered_map"]

SOURCES = [".hpp", ".cpp", ".cu", ".cuh"]
FOLDERS = ["include", "src", "tests", "examples", "bench"]
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')


def layer(name):
    """The layer of a header named from the include root: `stg/ir/shape.hpp` is in `ir`, `stg/stg.hpp` in `stg.hpp`."""
    return name.split("/")[1]


def known(name):
    return layer(name) in ORDER or layer(name) in OPT_IN


def may_include(header, included):
    """What is wrong with `header` including `included`, or nothing; both as in an #include."""
    if included in EXCEPTIONS.get(header, []):
        return None
    if layer(included) in OPT_IN:
        return "is for users to include, not for the library"
    if layer(included) == "stg.hpp":
        return "is the umbrella, never included by the library itself"
    if not known(included):
        return "is in no layer of ORDER"
    if layer(header) in OPT_IN:
        return None
    if ORDER.index(layer(included)) > ORDER.index(layer(header)):
        return f"stands below {layer(header)}"
    if layer(included) in NEVER.get(layer(header), []):
        return f"is closed to {layer(header)}"
    return None


def library_header_findings(name, lines):
    """Findings in a header under include/, `name` as in an #include."""
    if not known(name):
        yield 1, f"{layer(name)} is in no layer of ORDER"
        return
    for number, line in enumerate(lines, 1):
        include = INCLUDE.match(line)
        if include and include.group(1).startswith("stg/"):
            problem = may_include(name, include.group(1))
            if problem:
                yield number, f"<{include.group(1)}> {problem}"


def includes_of_host(file):
    """(line, header) of what a header includes where it is not compiled by nvcc, which includes most of DEAR anyway."""
    of_nvcc = False
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("#if"):
            of_nvcc = line in ("#ifdef __CUDACC__", "#if defined(__CUDACC__)")
        elif line.startswith(("#endif", "#else")):
            of_nvcc = False
        include = INCLUDE.match(line)
        if include and not of_nvcc:
            yield number, include.group(1)


def dear_findings(root):
    """What stg.hpp reads that includes a dear header."""
    seen, waiting = set(), ["stg/stg.hpp"]
    while waiting:
        now = waiting.pop()
        file = root / "include" / now
        if now in seen or not file.exists():
            continue
        seen.add(now)
        for number, header in includes_of_host(file):
            if header in DEAR:
                yield f"include/{now}:{number}: <{header}> is dear, and stg.hpp reads it"
            elif header.startswith("stg/"):
                waiting.append(header)


def source_findings(path, text):
    """Findings in any source file, `path` from the repository's root."""
    lines = text.split("\n")
    if path.endswith((".hpp", ".cuh")):
        if not re.match(r"// \S", lines[0]):
            yield 1, "the first line is not a `//` comment that says the file's job"
        if "#pragma once" not in lines:
            yield 1, "#pragma once is missing"
    if text and not text.endswith("\n"):
        yield len(lines), "the last line does not end"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield number, "tab"
        if line != line.rstrip():
            yield number, "trailing blanks"
        include = INCLUDE.match(line)
        if include:
            neighbour = re.match(r"\.\./(\w+)/", include.group(1))
            folder = path.rpartition("/")[0]
            if neighbour and folder in NEIGHBOURS and neighbour.group(1) not in NEIGHBOURS[folder]:
                yield number, f"{neighbour.group(1)} is closed to {folder}"
            for prefix, places in THIRD_PARTY.items():
                if include.group(1).startswith(prefix) and not any(path.startswith(place) for place in places):
                    yield number, f"<{include.group(1)}> may be included only in {', '.join(places)}"


def begins_with_standard(text):
    """Whether a header of stg reaches base/standard.hpp before anything else of stg's: it includes others, or that one."""
    return "#include <stg/" in text


def folders_without_readme(root):
    """Folders below include/stg and src that hold sources, but no README.md that begins with a title."""
    for folder in sorted({path.parent for top in ("include/stg", "src") for path in (root / top).rglob("*") if path.suffix in SOURCES}):
        readme = folder / "README.md"
        if not readme.exists() or not readme.read_text(encoding="utf-8").startswith("# "):
            yield folder.relative_to(root).as_posix()


def findings(root):
    for folder in folders_without_readme(root):
        yield f"{folder}:1: no README.md says what lives here, what it may include and where to start"
    yield from dear_findings(root)
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in SOURCES)
    for file in files:
        path = file.relative_to(root).as_posix()
        text = file.read_bytes().decode("utf-8", errors="replace")
        found = list(source_findings(path, text))
        if path.startswith("include/") and path != "include/stg/base/standard.hpp" and not begins_with_standard(text):
            found.append((1, "includes no header of stg's; let it include <stg/base/standard.hpp>, which says so under older C++"))
        if path.startswith("include/"):
            found += library_header_findings(path[len("include/"):], text.split("\n"))
        for number, problem in found:
            yield f"{path}:{number}: {problem}"


def run(doc, find, arguments):
    """Prints what find(root) finds wrong, of the repository or of --root. 1 where that is something, else 0."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2])
    found = list(find(parser.parse_args(arguments).root))
    for finding in found:
        print(finding)
    print(f"{len(found)} findings")
    return 1 if found else 0


def main(arguments=None):
    return run(__doc__, findings, arguments)


if __name__ == "__main__":
    sys.exit(main())
