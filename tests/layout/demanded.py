#!/usr/bin/env python3
"""Checks that what was added to the library is proven as its like is.

A pass of pipeline.hpp has a static test of its header's name, and an entry in the list of passes that are changed on
purpose. A function of data/ that reads what somebody else wrote is called by a fuzzer and named on a page. A layer or a cell
is compared with a reference, stands on docs/layers.md and has a row in docs/layers_sheet.md; it is written in what every user
has and op/for_layers.hpp: what it takes of `detail` is its own folder's. A sampler is called by a fuzzer, has a row in
docs/batches.md, and a twin for graphs of several kinds.
"""
import re
import sys

import include_order

# Readers that read nothing themselves, and by which they do.
BY_OTHERS = {
    "load_node_classification": "read_node_classification, once the folder is found",
}
# Headers of nn/ that have no layer, and what else of nn/ is none: parts of layers, and what layers give.
NO_LAYERS = {"ends", "filters", "gates", "other_names", "propagate", "sequential", "transform"}
PARTS = {
    "across_relations", "attention_over", "basis_matrix", "batch_normalised", "evolved", "evolved_with_memory", "hgt_relation",
    "mean_log_degree", "mean_over", "modulation", "next", "st_conv_state", "top_rows", "tower", "two_lstm_states",
}
# Layers whose row is another's.
IN_ROW_OF = {"global_max_pool": "global_mean_pool", "global_sum_pool": "global_mean_pool"}
# Samplers of one kind of vertices that have no twin, and why.
WITHOUT_TWIN = {
    "cluster_sampler": "METIS cuts one graph",
    "subgraph_sampler": "GraphSAINT's normalisation is published for one vertex set",
}


def passes_without_test(root):
    """Headers of pass/ that pipeline.hpp includes and no file of tests/static/pass/ is named after."""
    text = (root / "include/stg/pipeline.hpp").read_text(encoding="utf-8")
    for name in re.findall(r"#include <stg/pass/(\w+)\.hpp>", text):
        if not (root / "tests/static/pass" / f"{name}.cpp").exists():
            yield f"include/stg/pass/{name}.hpp:1: no static test: tests/static/pass/{name}.cpp"


def passes_never_changed(root):
    """Headers of pass/ that pipeline.hpp includes and the mutation stage leaves alone."""
    listed = (root / "tests/mutation/passes.py").read_text(encoding="utf-8")
    names = set(re.findall(r'"(\w+)"', "".join(re.findall(r"^PASSES = \((.*?)\)$", listed, flags=re.S | re.M))))
    for name in re.findall(r"#include <stg/pass/(\w+)\.hpp>", (root / "include/stg/pipeline.hpp").read_text(encoding="utf-8")):
        if name not in names:
            yield f"include/stg/pass/{name}.hpp:1: tests/mutation/passes.py does not list it"


# What a layer says of a result of several values, and asks of its first argument where a call is none of its own.
SAID_BY_LAYERS = {"has_several", "is_place"}


def readers_without_fuzzer(root):
    """Public functions of data/ called read_…, map_… or load_… that no fuzzer calls."""
    fuzzed = "\n".join(file.read_text(encoding="utf-8") for file in sorted((root / "tests/fuzz").glob("*.cpp")))
    for header in sorted((root / "include/stg/data").glob("*.hpp")):
        for number, line in enumerate(without_details(header).split("\n"), 1):
            declared = re.match(r"(?!\s*//)(?:template <.*> )?[\w:<>, ]+ ((?:read|map|load)_\w+)\(", line)
            if declared and declared[1] not in BY_OTHERS and not re.search(rf"\b{declared[1]}\b[(<]", fuzzed):
                yield f"{header.relative_to(root).as_posix()}:{number}: no fuzzer of tests/fuzz/ calls {declared[1]}"


def without_details(file):
    """A header's text, its namespaces called detail left empty; lines keep their numbers."""
    return re.sub(r"^namespace (?:stg::nn::)?detail \{.*?^\}  // namespace (?:stg::nn::)?detail",
                  lambda m: "\n" * m.group().count("\n"), file.read_text(encoding="utf-8"), flags=re.S | re.M)


def read_all(root, *patterns):
    files = sorted(file for pattern in patterns for file in root.glob(pattern))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def is_named(name, text):
    return re.search(rf"\b{name}\b", text) is not None


def has_row(name, text):
    """Whether the first column of a table begins with the name, as `gru` or `layer_norm(x, all_vertices)`."""
    return re.search(rf"^\| `{name}\b", text, flags=re.M) is not None


def readers_without_page(root):
    """Public functions of data/ called read_…, map_… or load_… that no page names."""
    pages = read_all(root, "docs/*.md")
    for header in sorted((root / "include/stg/data").glob("*.hpp")):
        for number, line in enumerate(without_details(header).split("\n"), 1):
            declared = re.match(r"(?!\s*//)(?:template <.*> )?[\w:<>, ]+ ((?:read|map|load)_\w+)\(", line)
            if declared and not is_named(declared[1], pages):
                yield f"{header.relative_to(root).as_posix()}:{number}: no page of docs/ names {declared[1]}"


def layers(root):
    """Layers and cells of nn/: the place of each, and its name."""
    for file in sorted((root / "include/stg/nn").rglob("*.hpp")):
        if file.stem in NO_LAYERS:
            continue
        seen = set(PARTS)
        for number, line in enumerate(without_details(file).split("\n"), 1):
            declared = re.match(r"(?:template <.*> )?(?:struct (\w+) \{|constexpr auto (\w+)\()", line)
            name = declared and (declared[1] or declared[2])
            if name and name not in seen:
                seen.add(name)
                yield f"{file.relative_to(root).as_posix()}:{number}", name


def layers_left_out(root):
    """Layers and cells without a reference, a place on the page of layers, or a row in the sheet of them."""
    references = read_all(root, "tests/run/support/*layers.hpp", "tests/run/support/cells.hpp", "tests/run/support/layer_references.hpp",
                          "tests/run/support/references/*.hpp")
    page, sheet = read_all(root, "docs/layers.md"), read_all(root, "docs/layers_sheet.md")
    for place, name in layers(root):
        if not is_named(name, references):
            yield f"{place}: no reference of tests/run/support/ is compared with {name}"
        if not is_named(name, page):
            yield f"{place}: docs/layers.md does not have {name}"
        if not has_row(IN_ROW_OF.get(name, name), sheet):
            yield f"{place}: tests/docs/layers_sheet.cpp gives {name} no row"


def samplers_left_out(root):
    """Samplers that no fuzzer calls, without a row in the table of samplers, or without a twin for graphs of several kinds."""
    fuzzed, page = read_all(root, "tests/fuzz/*.cpp"), read_all(root, "docs/batches.md")
    declared = {}
    for file in sorted((root / "include/stg/sampling").glob("*.hpp")):
        for number, line in enumerate(without_details(file).split("\n"), 1):
            found = re.match(r"class (\w+_sampler)\b(?!;)", line)
            if found and found[1] != "neighbor_sampler":  # the same by another name
                declared[found[1]] = f"{file.relative_to(root).as_posix()}:{number}"
    for name, place in declared.items():
        if not is_named(name, re.sub(r"#include.*", "", fuzzed)):
            yield f"{place}: no fuzzer of tests/fuzz/ calls {name}"
        if not has_row(name, page):
            yield f"{place}: the table of samplers in docs/batches.md has no row of {name}"
        twin = "graphs_sampler" if name == "neighbour_sampler" else f"graphs_{name}"
        if not name.startswith("graphs_") and name not in WITHOUT_TWIN and twin not in declared:
            yield f"{place}: no {twin} does the same for graphs of several kinds"


def own_details(text):
    """What a header of nn/ has in namespaces called detail."""
    return "\n".join(re.findall(r"^namespace (?:stg::nn::)?detail \{.*?^\}  // namespace (?:stg::nn::)?detail", text,
                                flags=re.S | re.M))


def details_in_layers(root):
    """Names of `detail` that a header of nn/ takes, and that no header of nn/ has; but what it says of its own results."""
    texts = {file: file.read_text(encoding="utf-8") for file in sorted((root / "include/stg/nn").rglob("*.hpp"))}
    own = "\n".join(map(own_details, texts.values()))
    for file, text in texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            for qualified, name in re.findall(r"((?:\w+::)*)\bdetail::(\w+)", line.split("//")[0]):
                if name in SAID_BY_LAYERS:
                    continue
                if qualified not in ("", "nn::", "stg::nn::") or not re.search(rf"\b{name}\b", own):
                    yield f"{file.relative_to(root).as_posix()}:{number}: a layer takes {qualified}detail::{name}, which users do not have"


def findings(root):
    yield from passes_without_test(root)
    yield from passes_never_changed(root)
    yield from readers_without_fuzzer(root)
    yield from readers_without_page(root)
    yield from layers_left_out(root)
    yield from samplers_left_out(root)
    yield from details_in_layers(root)


def main(arguments=None):
    return include_order.run(__doc__, findings, arguments)


if __name__ == "__main__":
    sys.exit(main())
