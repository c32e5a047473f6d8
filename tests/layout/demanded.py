#!/usr/bin/env python3
"""Checks that what was added to the library is proven as its like is.

A pass of pipeline.hpp has a static test of its header's name, and an entry in the list of passes that are changed on
purpose. A function of data/ that reads what somebody else wrote is called by a fuzzer. A layer is written in what every user
has and op/for_layers.hpp: what it takes of `detail` is its own folder's.
"""
import re
import sys

import include_order

# Readers that read nothing themselves, and by which they do.
BY_OTHERS = {
    "load_node_classification": "read_node_classification, once the folder is found",
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
        text = re.sub(r"namespace detail \{.*?\n\}  // namespace detail", lambda m: "\n" * m.group().count("\n"),
                      header.read_text(encoding="utf-8"), flags=re.S)
        for number, line in enumerate(text.split("\n"), 1):
            declared = re.match(r"(?!\s*//)(?:template <.*> )?[\w:<>, ]+ ((?:read|map|load)_\w+)\(", line)
            if declared and declared[1] not in BY_OTHERS and not re.search(rf"\b{declared[1]}\b[(<]", fuzzed):
                yield f"{header.relative_to(root).as_posix()}:{number}: no fuzzer of tests/fuzz/ calls {declared[1]}"


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
    yield from details_in_layers(root)


def main(arguments=None):
    return include_order.run(__doc__, findings, arguments)


if __name__ == "__main__":
    sys.exit(main())
