"""Writes a copy of the library's headers that holds every mutant, and the list of them."""
import dataclasses
import json
import re
import shutil
import sys
from pathlib import Path

from breaking import (SHARED_GRADIENT, SHARED_SHAPE, SINGLE, VERDICTS, Breaker, broken_conditions, broken_gradient, broken_shape,
                      broken_verdict, function, structs)

NO_GRADIENT = "gradient(Adjoint&) {}"
# Their rules are no structs': analysis/verify.hpp and pass/scan_gradient.hpp.
SCANS = ("arguments", "bind", "scan", "scan_gradient", "result", "own_gradient")


class Headers:
    """The texts of the files, with edits that are made from the back so that places stay what they are."""

    def __init__(self, root):
        self.root = Path(root)
        self.texts, self.edits = {}, {}

    def text(self, file):
        if file not in self.texts:
            self.texts[file] = (self.root / file).read_text(encoding="utf-8")
        return self.texts[file]

    def place(self, file, at):
        return f"{file}:{self.text(file).count(chr(10), 0, at) + 1}"

    def edit(self, file, start, end, text):
        self.edits.setdefault(file, []).append((start, end, text))

    def write(self, target):
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.root, target)
        shutil.copy(Path(__file__).parent / "mutation.hpp", target)
        for file, edits in self.edits.items():
            text = self.text(file)
            for start, end, written in sorted(edits, reverse=True):
                text = text[:start] + written + text[end:]
            (Path(target) / file).write_text(text.replace("#pragma once\n", "#pragma once\n#include <stg/mutation.hpp>\n", 1),
                                             encoding="utf-8")


def words(headers):
    """The operations in the order of their list."""
    lines = re.search(r"#define STG_OPERATIONS\(word\)(.*?[^\\])\n", headers.text("ir/opcode.hpp"), re.DOTALL).group(1)
    return re.findall(r"word\((\w+)\)", lines)


def chain(known, name):
    """A struct and what it is made of, as far as it is known: from the operation to the template at its root."""
    found = []
    while name in known:
        found.append(known[name])
        name = known[name].base
    return found


def says(of, what):
    """What the first of a chain says of itself, static constexpr … what = …; None where that is 0, as of all by default."""
    for struct in of:
        match = re.search(rf"\b{what} = (\w+|\([^;]*\)[^;]*);", struct.body)
        if match:
            return None if match.group(1) == "0" else match.group(1)
    return None


def break_all(root):
    """(headers with their edits, mutants, complaints)"""
    headers, breaker = Headers(root), Breaker()
    known, complaints = {}, []
    for file in sorted(path.relative_to(root).as_posix() for path in (Path(root) / "op").glob("*.hpp")):
        known.update(structs(file, headers.text(file)))
    codes = words(headers)
    chains = {code: chain(known, code) for code in codes}
    arities = {code: next((s.arity for s in chains[code] if s.arity), 1) for code in codes}

    def begin(owner, kind, file, at, shared=(), code="Code"):
        breaker.owner, breaker.kind, breaker.place = owner, kind, headers.place(file, at)
        breaker.codes, breaker.code = tuple(shared), code

    # shape rules: of a struct itself, or of a template for each operation that it serves
    serves = {}
    for code in codes:
        for struct in chains[code]:
            if "void infer(" not in struct.body:
                continue
            serves.setdefault(struct.name, []).append(code)
            if "::infer(p, s);" not in struct.body:  # it does not go on with its base's
                break
    for name, served in serves.items():
        struct = known[name]
        start, end = function(struct.body, "infer")
        body = struct.body[start:end]
        template = name not in codes
        begin(name, "shape", struct.file, struct.start + start, served if template else ())
        loop = re.search(r"for \(int k = 1; k < Arity", body)
        if loop is None:
            written = broken_shape(body, breaker)
        else:  # what is asked of further operands is asked where there are some
            written = broken_shape(body[:loop.start()], breaker)
            breaker.codes = tuple(code for code in served if arities[code] > 1)
            written += broken_shape(body[loop.start():], breaker)
        headers.edit(struct.file, struct.start + start, struct.start + end, written)

    sources = tuple(code for code in codes if any(s.base == "source" for s in chains[code]) and code != "input")

    def of_sources(condition):
        if condition.startswith("random &&"):
            return ("keep_mask",)
        if condition.startswith("s.code == opcode::degree &&"):
            return ("degree",)
        return tuple(code for code in sources if code != "keep_mask" or not condition.startswith("!random"))

    for file, names in SHARED_SHAPE.items():
        text = headers.text(file)
        for name in names:
            start, end = function(text, name)
            begin(name, "shape", file, start, code="s.code")
            narrower = of_sources if name == "source" else lambda condition: None
            written = broken_verdict(text[start:end], breaker, narrower)
            if name == "common_domain":
                written = written.replace("throw", f"if ({breaker.on('no check that spaces agree')}) return a;\n  throw")
            if name == "broadcast":
                written = broken_shape(written, breaker)
            headers.edit(file, start, end, written)

    for struct in known.values():
        served = tuple(code for code in codes if struct in chains[code] and struct is not chains[code][0])
        for name in VERDICTS:
            body = function(struct.body, name)
            if body is None:
                continue
            start, end = body
            begin(struct.name, "shape", struct.file, struct.start + start, served)
            headers.edit(struct.file, struct.start + start, struct.start + end,
                         broken_verdict(struct.body[start:end], breaker, lambda condition: None))

    # gradient rules
    for code in codes:
        struct = chains[code][0]
        body = function(struct.body, "gradient")
        if body is None:
            continue
        start, end = body
        if struct.body[start:end].strip():
            begin(code, "gradient", struct.file, struct.start + start)
            headers.edit(struct.file, struct.start + start, struct.start + end,
                         broken_gradient(struct.body[start:end], arities[code], breaker))
    for file, names in SHARED_GRADIENT.items():
        for name in names:
            start, end = function(headers.text(file), name)
            begin(name, "gradient", file, start)
            headers.edit(file, start, end, broken_conditions(headers.text(file)[start:end], breaker))

    # that there is no gradient is a rule too, where the result is a real number
    turns = []
    for code in codes:
        struct = chains[code][0]
        begin(code, "gradient", struct.file, struct.start, (code,), f"ir::opcode::{code}")
        if says(chains[code], "refused_operands"):
            turns.append(f"if ({breaker.on('no operand is refused')}) i.refused_operands = 0;")
        if says(chains[code], "passive_operands"):
            turns.append(f"if ({breaker.on('no operand is passive')}) i.passive_operands = 0;")
        if says(chains[code], "differentiable") == "false" and NO_GRADIENT.replace("}", "") in struct.body:
            if any(s.name in ("comparison", "aggregation") for s in chains[code]):
                continue  # of truth values and of labels
            on = breaker.on("a gradient that is not there")
            at = struct.start + struct.body.index(NO_GRADIENT)
            turns.append(f"if ({on}) i.differentiable = true;")
            headers.edit(struct.file, at, at + len(NO_GRADIENT),
                         f"gradient(Adjoint& d) {{ if ({on}) d.add(0, d.cotangent()); }}")
    line = "constexpr const info& info_of(ir::opcode code) { return detail::infos[static_cast<int>(code)]; }"
    at = headers.text("op/list.hpp").find(line)
    if turns and at < 0:
        complaints.append("op/list.hpp: info_of is written otherwise than headers.py knows")
    elif turns:
        headers.edit("op/list.hpp", at, at + len(line), """inline const info& turned(ir::opcode code) {
  static info table[ir::opcode_count];
  info& i = table[static_cast<int>(code)];
  i = detail::infos[static_cast<int>(code)];
  """ + "\n  ".join(turn.replace("on(", "on(", 1).replace("ir::opcode::", "ir::opcode::").replace(
            "if (", "if (code == " + re.search(r"ir::opcode::\w+", turn).group(0) + " && ", 1) for turn in turns) + """
  return i;
}
constexpr const info& info_of(ir::opcode code) {
  return std::is_constant_evaluated() ? detail::infos[static_cast<int>(code)] : turned(code);
}""")

    for file, what, broken, name in SINGLE:
        at = headers.text(file).find(what)
        if at < 0 or headers.text(file).count(what) != 1:
            complaints.append(f"{file}: not found once: {what}")
            continue
        owner, rest = name.split(" ", 1)
        kind, called = rest.split(": ", 1)
        begin(owner, kind, file, at)
        headers.edit(file, at, at + len(what), broken.replace("ON", breaker.on(called)))

    with_rules = [code for code in codes if code not in SCANS]
    complaints += [f"{code} has no shape rule that is broken" for code in with_rules
                   if not any(m.owner == code and m.kind == "shape" for m in breaker.mutants)]
    complaints += [f"{code} has no gradient rule that is broken" for code in with_rules
                   if not any(m.owner == code and m.kind == "gradient" for m in breaker.mutants)
                   and not (says(chains[code], "differentiable") == "false" and says(chains[code], "refused_operands") is None)]
    seen = {}
    for mutant in breaker.mutants:
        name = f"{mutant.owner} {mutant.kind}: {mutant.what}"
        seen[name] = seen.get(name, 0) + 1
        mutant.name = name if seen[name] == 1 else f"{name} ({seen[name]})"
        if mutant.code:
            mutant.code = str(codes.index(mutant.code))
    return headers, breaker.mutants, complaints


def main():
    if len(sys.argv) != 4:
        print("headers.py include/stg COPY/stg mutants.json", file=sys.stderr)
        return 2
    headers, mutants, complaints = break_all(Path(sys.argv[1]))
    headers.write(Path(sys.argv[2]))
    Path(sys.argv[3]).write_text(json.dumps([dataclasses.asdict(mutant) for mutant in mutants], indent=1), encoding="utf-8")
    for complaint in complaints:
        print(f"mutation: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
