#!/usr/bin/env python3
"""Checks that a type has one definition in all of the library.

Two classes, structs, unions or enums of one name and namespace in two files of src/ or include/ are one type to the linker: it
keeps one of their constructors for both. Types of an unnamed namespace and specialisations are their file's own.
"""
import re
import sys

import function_length
import include_order

FOLDERS = ["include", "src"]

NAMESPACE = re.compile(r"(?:inline )?namespace(?: ([\w:]+))?$")
TYPE = re.compile(r"(?:class|struct|union|enum(?: class)?)(?: alignas\([^)]*\)| \[\[.*?\]\])* (\w+)(?: final)?(?: :(?!:).*)?$", flags=re.S)


def definitions(text):
    """(line, name with its namespaces) of the types that stand in a namespace with a name, or in none."""
    text = function_length.IGNORED.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    scopes = []  # each open brace's namespace; None of one that is no namespace or has no name
    begin = 0
    for at, letter in enumerate(text):
        if letter == "{":
            head = function_length.without_template(function_length.MACROS.sub("", text[begin:at].strip()))
            space = NAMESPACE.match(head)
            defined = TYPE.match(head)
            if defined and None not in scopes:
                yield text.count("\n", 0, at) + 1, "::".join([*scopes, defined[1]])
            scopes.append(space[1] if space else None)
        elif letter == "}" and scopes:
            scopes.pop()
        if letter in "{};":
            begin = at + 1


def findings(root):
    first = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.[ch]pp")):
            for line, name in definitions(file.read_text(encoding="utf-8")):
                here = f"{file.relative_to(root).as_posix()}:{line}"
                if name in first:
                    yield f"{here}: {name} is defined at {first[name]} too; give one of them another name, or an unnamed namespace"
                first.setdefault(name, here)


def main(arguments=None):
    return include_order.run(__doc__, findings, arguments)


if __name__ == "__main__":
    sys.exit(main())
