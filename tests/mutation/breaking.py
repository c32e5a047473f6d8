"""Finds the rules of operations in the headers and writes them so that each can be broken at run time.

Where a rule is broken the text asks a switch, `stg::mutation::on(number)`, which is off in constant evaluation: one copy of
the headers holds every mutant, and one program compiled from it is each of them in turn. A rule that many operations inherit
from a template is broken for each of them by itself: on(number, Code).
"""
import re
from dataclasses import dataclass, field

# What holds rules besides the structs of op/: shared parts of shape rules, and what `verify` asks of operands.
SHARED_SHAPE = {
    "op/operation.hpp": ["common_domain"],
    "op/sparse.hpp": ["masks"],
    "op/shape_rules.hpp": ["choosing", "reduced_axes", "same_but_for_axis", "fits", "adds_up", "same_number_of_elements"],
    "ir/shape.hpp": ["broadcast"],
    "analysis/verify.hpp": ["source", "statement", "input"],
    "analysis/verify_operands.hpp": ["lives_in", "broadcasting", "product"],
}
# What a struct says of its operands, and of a shape that its statements bring.
VERDICTS = ("wrong_operands", "wrong_shape")
SHARED_GRADIENT = {"pass/value.hpp": ["sum_to"]}
# Parts of rules that are not written as one: (file, text, how it is broken with ON, what that is called).
SINGLE = [
    ("pass/scan_gradient.hpp", "sum = sum == ir::no_value ? d : added(q, sum, d);",
     "sum = sum == ir::no_value || ON ? d : added(q, sum, d);", "adjoint gradient: a second use replaces the first"),
    ("pass/autodiff.hpp", "return broadcast(value{&q, g}, q[r].where, q[r].dims);",
     "return ON ? value{&q, g} : broadcast(value{&q, g}, q[r].where, q[r].dims);",
     "autodiff gradient: it keeps the shape in which it was summed"),
    ("pass/rule_context.hpp", "return sum / apply(ir::opcode::max, degree, one());",
     "return ON ? sum : sum / apply(ir::opcode::max, degree, one());", "mean_of gradient: a sum"),
    ("pass/rule_context.hpp", "return gather(ir::owner_gather(s.side()), x, operand(0).where().set);",
     "return gather(ON ? ir::neighbour_gather(s.side()) : ir::owner_gather(s.side()), x, operand(0).where().set);",
     "gather_owner gradient: from the edge's other end"),
    ("op/statistics.hpp", "apart(c.operand(0) - c.gather_owner(mean)),",
     "apart(ON ? c.operand(0) : c.operand(0) - c.gather_owner(mean)),", "distance gradient: from 0"),
]
OTHER = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh", "prod_owned": "sum_owned"}
LEFT_OUT = ("exp", "log", "rsqrt", "mean_of")
SWAPPED = ("pow", "training", "reduced_matmul")


@dataclass
class Struct:
    name: str
    base: str
    arity: int  # 0: the base knows
    body: str
    start: int  # of the body in its file
    file: str
    line: int


@dataclass
class Mutant:
    number: int
    code: str  # the operation that it is for, where several share the rule; else empty
    owner: str  # the operation or the function that is broken
    kind: str  # gradient or shape
    what: str
    place: str
    name: str = ""


@dataclass
class Breaker:
    """Writes switches into text and keeps what each of them breaks."""
    mutants: list = field(default_factory=list)
    number: int = 0
    owner: str = ""
    kind: str = ""
    place: str = ""
    codes: tuple = ()  # who shares the rule
    code: str = ""  # how the rule calls the operation that it is asked for

    def on(self, what, codes=None):
        self.number += 1
        codes = self.codes if codes is None else codes
        for code in codes or ("",):
            self.mutants.append(Mutant(self.number, code, code or self.owner, self.kind, " ".join(what.split()), self.place))
        return f"::stg::mutation::on({self.number}, {self.code})" if codes else f"::stg::mutation::on({self.number})"


def closed(text, at):
    """Where the bracket that opens at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    raise ValueError(f"a bracket is not closed: {text[at:at + 40]}")


def arguments(text):
    """What stands between commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return parts + [text[start:].strip()]


def structs(file, text):
    """The structs of operations, and the templates that they are made of."""
    found = {}
    for match in re.finditer(r"struct (\w+) : (\w+)(?:<([^{]*)>)? \{", text):
        end = closed(text, match.end() - 1)
        arity = re.search(r", (\d)$", match.group(3) or "")
        found[match.group(1)] = Struct(match.group(1), match.group(2), int(arity.group(1)) if arity else 0,
                                       text[match.end():end], match.end(), file, text.count("\n", 0, match.start()) + 1)
    return found


def function(text, name):
    """(start, end) of the body of the first function of this name; None where there is none."""
    match = re.search(rf"[\w>] {name}\((?:[^()]|\([^()]*\))*\)(?: const)? \{{", text)
    if match is None:
        return None
    return match.end(), closed(text, match.end() - 1)


def each_call(text, names, write):
    """text with every call of one of the names written anew: write(name, arguments, what follows)."""
    out, at = [], 0
    pattern = re.compile(rf"\bd\.({'|'.join(names)})\(")
    while (match := pattern.search(text, at)) is not None:
        end = closed(text, match.end() - 1)
        written = write(match.group(1), text[match.end():end], text[end + 1:])
        out += [text[at:match.start()], text[match.start():end + 1] if written is None else written]
        at = end + 1
    return "".join(out) + text[at:]


def broken_calls(text, arity, breaker):
    """Calls of the language with an operand, a branch, a number or the function itself exchanged."""

    def call(name, given, after):
        if name == "operand":
            other = {"0": "1", "1": "0", "2": "0"}[given]
            plain = arity < 2 or after.startswith((".type", ".dims"))
            return None if plain else f"d.operand({breaker.on(f'operand {other} for {given}')} ? {other} : {given})"
        if name == "result":
            plain = after.startswith(".type")
            return None if plain else f"({breaker.on('operand 0 for the result')} ? d.operand(0) : d.result())"
        if name in ("zero", "one"):
            number = int(name == "one")
            return f"d.number({breaker.on(f'{1 - number} for {number}')} ? {1 - number} : {number})"
        inner = broken_calls(given, arity, breaker)
        parts = arguments(inner)
        plain = f"d.{name}({inner})"
        if name == "number":
            return f"d.number(({inner}) * ({breaker.on(f'twice the number {given}')} ? 2 : 1))"
        if name == "select":
            return f"({breaker.on(f'the other branch of {given}')} ? d.select({parts[0]}, {parts[2]}, {parts[1]}) : {plain})"
        if name in SWAPPED:
            return f"({breaker.on(f'{name} with its operands swapped')} ? d.{name}({parts[1]}, {parts[0]}) : {plain})"
        if name in LEFT_OUT:
            return f"({breaker.on(f'{name} is left out')} ? {inner} : {plain})"
        return f"({breaker.on(f'{OTHER[name]} for {name}')} ? d.{OTHER[name]}({inner}) : {plain})"

    return each_call(text, ("operand", "result", "zero", "one", "number", "select", *SWAPPED, *LEFT_OUT, *OTHER), call)


def broken_value(text, arity, breaker):
    """An expression of a gradient rule with each of its parts broken."""
    text = broken_calls(text, arity, breaker)
    text = re.sub(r"\b(true|false)\b", lambda m: f"({breaker.on(f'not {m.group(1)}')} != {m.group(1)})", text)
    text = re.sub(r"!transposed", lambda m: f"({breaker.on('the other transposition')} == transposed)", text)
    text = re.sub(r"\btransposed(\s*)\?", lambda m: f"({breaker.on('the other transposition')} != transposed) ?", text)
    text = re.sub(r"ir::direction::(in|out)\b", lambda m: f"({breaker.on('the other direction')} ? ir::direction::"
                  f"{'in' if m.group(1) == 'out' else 'out'} : {m.group(0)})", text)
    return re.sub(r"ir::extent\(((?:[^()]|\(\))*)\)",
                  lambda m: f"ir::extent({m.group(1)} + ({breaker.on('it begins one further')} ? 1 : 0))", text)


def broken_gradient(body, arity, breaker):
    """A gradient rule: each term is left out, negated and doubled, and the parts of every expression are broken."""
    out, at = [], 0
    for match in re.finditer(r"\bd\.add\(", body):
        end = closed(body, match.end() - 1)
        operand, term = body[match.end():end].split(",", 1)
        out.append(broken_value(body[at:match.start()], arity, breaker))
        gone = breaker.on(f"no term for operand {operand}")
        minus, twice = (breaker.on(f"{how} the term for operand {operand}") for how in ("minus", "twice"))
        value = broken_value(term.strip(), arity, breaker)
        # no `if`, which an `else` behind the term would belong to
        out.append(f"{gone} ? void() : d.add({operand}, ::stg::mutation::scaled({minus}, {twice}, {value}))")
        at = end + 1
    return "".join(out) + broken_value(body[at:], arity, breaker)


def broken_conditions(body, breaker, narrower=lambda condition: None):
    """Every `if` of a rule: what it guards is not done; where it guards a result, it is done otherwise."""
    out, at = [], 0
    for match in re.finditer(r"\bif \(", body):
        end = closed(body, match.end() - 1)
        condition, then = body[match.end():end], body[end + 1:].lstrip()
        out.append(body[at:match.end()])
        at = end
        if then.startswith("return true"):  # not to be decided: taken on trust
            out.append(condition)
        elif then.startswith("s."):
            out.append(f"{breaker.on(f'not if {condition}')} != static_cast<bool>({condition})")
        else:
            first, asked = condition.split("; ", 1) if "; " in condition else ("", condition)
            out.append((first and first + "; ") +
                       f"!{breaker.on(f'no check of {asked}', narrower(asked))} && ({asked})")
    return "".join(out) + body[at:]


def broken_shape(body, breaker):
    """A shape rule: checks are skipped; space, scalar type, shape and extents come out as others."""
    body = broken_conditions(body, breaker)
    body = re.sub(r"\b(s\.(?:where|type|dims)) = ([^;]*);",
                  lambda m: f"{m.group(1)} = ::stg::mutation::other({breaker.on(f'another {m.group(1)[2:]} than {m.group(2)}')}, "
                  f"{m.group(2)});", body)
    body = re.sub(r"\b((?:s|r)\.dims\.axes\[[^;=]*\]) = ([^;]*);",
                  lambda m: f"{m.group(1)} = ::stg::mutation::other({breaker.on(f'another extent than {m.group(2)}')}, "
                  f"{m.group(2)});", body)
    body = re.sub(r"\bs\.dims\.push\((.*)\);",
                  lambda m: f"s.dims.push(::stg::mutation::other({breaker.on(f'another extent than {m.group(1)}')}, "
                  f"{m.group(1)}));", body)
    return re.sub(r"\btransposed \?", lambda m: f"({breaker.on('the other transposition')} != transposed) ?", body)


def broken_verdict(body, breaker, narrower):
    """A rule that finds: what it looks at is taken to be right."""
    body = broken_conditions(body, breaker, narrower)

    def holds(match):
        return f"{match.group(1)}{breaker.on(f'no check of {match.group(2)}')} || ({match.group(2)}){match.group(3)}"

    body = re.sub(r"(return )([^;?{}]*?)(\s*\?\s*rule::none)", holds, body)
    body = re.sub(r"(return )([^;?{}]*?)\s*\?(\s*rule::\w+\s*:\s*choosing)",
                  lambda m: f"return !{breaker.on(f'no check of {m.group(2)}')} && ({m.group(2)}) ?{m.group(3)}", body)
    body = re.sub(r"((?:\bok|r\.ok|\bagree) = )([^;]*)(;)",
                  lambda m: m.group(0) if m.group(2) == "true" else holds(m), body)
    return re.sub(r"(return )([^;?{}:]*(?:==|<=|!=|fits\()[^;?{}]*)(;)", holds, body)
