#!/usr/bin/env python3
"""Checks that functions of the runtime and of the code generators fit on a screen.

A function under src/ or include/stg/codegen has MOST lines at most, from the first line of its declaration to its closing
brace, as clang-format lays it out. Lambdas and local structs count with the function that they stand in.
"""
import re
import sys

import include_order

MOST = 60
FOLDERS = ["src", "include/stg/codegen"]

# What holds no code, and what would be taken for a boundary or a brace of code.
IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
                     flags=re.S | re.M)
# Calls of macros that no semicolon ends.
MACROS = re.compile(r"\A(?:[A-Z][A-Z0-9_]*\([^;]*?\)\n\s*)+")
# Before a brace, but for these and a template's parameters: a scope that is no function's.
NO_FUNCTION = re.compile(r"(?:(?:inline|export) )?(?:namespace|class|struct|union|enum|extern)\b|.*=\s*$", flags=re.S)


def without_template(head):
    """The text of a declaration behind its template parameters."""
    while head.startswith("template"):
        depth = 0
        for at, letter in enumerate(head):
            depth += (letter == "<") - (letter == ">" and head[at - 1] != "-")
            if letter == ">" and depth == 0:
                break
        head = head[at + 1:].lstrip()
    return head


def functions(text):
    """(line, declaration, lines) of the functions that stand in no other."""
    text = IGNORED.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    scopes = []  # what each open brace is: True of a function
    begin = 0  # of the declaration at hand
    inside = parentheses = 0  # functions and parentheses that are open
    for at, letter in enumerate(text):
        parentheses += (letter == "(") - (letter == ")")
        if letter == "{":
            head = MACROS.sub("", text[begin:at].strip())
            is_list = parentheses > 0 or text[at - 1] not in " \n"  # an initialiser
            is_function = not is_list and not inside and "(" in head and not NO_FUNCTION.match(without_template(head))
            if is_function:
                started, declared = text.rindex(head, begin, at), head
            scopes.append((is_function, is_list))
            inside += is_function
            if not is_list:
                begin = at + 1
        elif letter == "}" and scopes:
            was_function, was_list = scopes.pop()
            if was_function:
                inside -= 1
                yield text.count("\n", 0, started) + 1, declared, text.count("\n", started, at) + 1
            if not was_list:
                begin = at + 1
        elif letter == ";" and parentheses == 0:
            begin = at + 1


def findings(root):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.[ch]pp")):
            for line, declared, lines in functions(file.read_text(encoding="utf-8")):
                if lines > MOST:
                    name = re.search(r"[\w~:]*\W*(?=\()", without_template(declared))[0]
                    yield f"{file.relative_to(root).as_posix()}:{line}: {name} has {lines} lines, more than {MOST}"


def main(arguments=None):
    return include_order.run(__doc__, findings, arguments)


if __name__ == "__main__":
    sys.exit(main())
