#!/usr/bin/env python3
"""Checks that operations which move elements describe themselves: few files of the library name each of them.

These are the structs of op/ that say `moves`. Three files suffice: the struct's own, the builder of pass/value.hpp, and
ir/fields.hpp for the names of its fields. Backends, checks and formulas ask op::info for the movement (op/movement.hpp).
"""
import re
import sys

import include_order

MOST = 3


def moving_operations(root):
    """(operation, header) of each struct that says how it moves elements."""
    for header in sorted((root / "include/stg/op").glob("*.hpp")):
        text = header.read_text(encoding="utf-8")
        for struct in re.finditer(r"^struct (\w+) : .*?^\};", text, flags=re.S | re.M):
            if re.search(r"\bmoves = op::movement::", struct[0]):
                yield struct[1], header


def names(text, operation):
    """Whether a source names an operation by its word in the list."""
    code = re.sub(r"//.*", "", text)
    bare = re.search(r"using enum (?:ir::)?opcode;", code) and re.search(rf"(?:case|==|!=) {operation}\b", code)
    return bool(bare or re.search(rf"\bopcode::{operation}\b", code))


def findings(root):
    texts = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8")
             for folder in ("include", "src") for file in sorted((root / folder).rglob("*.*pp"))}
    for operation, header in moving_operations(root):
        files = [file for file, text in texts.items() if names(text, operation)]
        if len(files) > MOST:
            yield f"{header.relative_to(root).as_posix()}:1: {len(files)} files name {operation}: {', '.join(files)}"


def main(arguments=None):
    return include_order.run(__doc__, findings, arguments)


if __name__ == "__main__":
    sys.exit(main())
