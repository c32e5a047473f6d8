#!/usr/bin/env python3
"""Checks that files ask a statement by name (`s.carried()`, `s.set_callee(n)`), not by its raw members.

What `attribute_`, `axis_` and `number_` mean depends on the operation. That is said in statement.hpp and fields.hpp; besides
them a few files take statements as they stand.
"""
import re
import sys

import include_order

KNOWN = [
    "include/stg/ir/statement.hpp",
    "include/stg/ir/fields.hpp",
    "include/stg/codegen/cpu/form_words.hpp",  # packs statements of units
    "include/stg/codegen/agreement.hpp",  # where members lie
    "src/runtime/gdb_printers.py",  # sees members alone
]
RAW = re.compile(r"\b(?:attribute|axis)_(?!\w)|(?:\.|->)number_(?!\w)")


def findings(root):
    for folder in ("include", "src"):
        for file in sorted((root / folder).rglob("*")):
            name = file.relative_to(root).as_posix()
            if name in KNOWN or file.suffix not in (*include_order.SOURCES, ".inc", ".py"):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
                for raw in RAW.findall(line):
                    yield f"{name}:{number}: {raw.lstrip('.->')} of a statement; ask for its meaning by name, as statement.hpp says it"


def main(arguments=None):
    return include_order.run(__doc__, findings, arguments)


if __name__ == "__main__":
    sys.exit(main())
