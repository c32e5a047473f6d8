# How gdb shows tensors, expressions and programs: as stg::ir::to_text prints a program, and as NumPy prints an array.
# The library holds this text (debugger.cpp), so gdb loads it with every program that is linked with it.
import decimal
import re
import struct

import gdb
import gdb.printing


def word(value):
    """The enumerator of a value: in, gather_src, f32."""
    return str(value).rsplit("::", 1)[-1]


def type_of(value):
    """The type without const, typedefs and references."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        kind = kind.target()
    return kind.unqualified().strip_typedefs()


def text_of(value):
    """An stg::text."""
    return bytes(int(value["letters"][i]) & 0xFF for i in range(int(value["length"]))).decode("utf-8", "replace")


def items_of(value):
    """The elements of an stg::sequence, or of an array of a frozen program, which is one longer than what it holds."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
        return [value[i] for i in range(value.type.strip_typedefs().range()[1])]
    return [value["first"][i] for i in range(int(value["size_"]))]


def operation_name(number):
    """The name of a user's operation: 12 letters at most as one number (ir/operation_name.hpp)."""
    letters = ""
    while number > 0:
        number, letter = divmod(number, 38)
        letters += "?abcdefghijklmnopqrstuvwxyz_0123456789"[letter]
    return letters


def number_text(x):
    """The shortest text that reads back as the same number, as std::to_chars writes it."""
    if x != x or x in (float("inf"), float("-inf")):
        return "-nan" if x != x and struct.pack(">d", x)[0] & 0x80 else str(x)
    number = decimal.Decimal(repr(x))
    sign, digits, exponent = number.normalize().as_tuple()
    fixed = format(number.normalize(), "f")
    power = len(digits) + exponent - 1
    spelled = str(digits[0]) + ("." + "".join(map(str, digits[1:])) if len(digits) > 1 else "")
    scientific = "%s%se%s%02d" % ("-" if sign else "", spelled, "-" if power < 0 else "+", abs(power))
    return fixed if len(fixed) <= len(scientific) else scientific


AGGREGATES = ("sum_edges", "max_edges", "prod_edges", "var_edges", "first_max_edge", "top_share_edges", "softmax_edges")
REDUCTIONS = ("reduce_sum", "reduce_max", "reduce_top_share", "softmax_axes")
NUMBERS = {"constant": "", "keep_mask": "p=", "leaky_relu": "slope=", "elu": "alpha="}
EXTENTS = {"extent_value": "", "slice": "from=", "pad": "at=", "put": "of=", "scatter_sum": "of="}
FLAGS = {"matmul": ("attribute_", "transposed"), "detach": ("attribute_", "shift"), "vertex_count": ("axis_", "over_batch"),
         "sum_vertices": ("axis_", "over_batch"), "max_vertices": ("axis_", "over_batch"), "scatter_sum": ("axis_", "over_batch")}
WAYS = ("chosen", "everything", "all_but_edges", "results", "inputs")
NO_NUMBERS = ("keep", "stored", "inlined", "together", "apart", "splits")
WORD = re.compile(r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_./\u0080-\U0010ffff]*")
RESERVED = set("""vertex edge graph f32 f64 i32 bool bf16 f16 real in out trainable sparse nothing where keep entry value extent set
over_batch side relation p site slope alpha axis from at of with transposed shift once backwards step carried output gradient
outputs""".split())


def between(quote, text):
    return quote + "".join("\\x%02x" % ord(c) if ord(c) < 32 or ord(c) == 127 else "\\" + c if c in (quote, "\\") else c
                           for c in text) + quote


def name_text(text):
    """A name as it is where it is a word, else between quotes."""
    return text if WORD.fullmatch(text) and text not in RESERVED else between("'", text)


class Program:
    """A program as lists of gdb's values: an ir::program, or an ir::frozen_program, which is a constant."""

    def __init__(self, value):
        kind = type_of(value)
        frozen = str(kind).startswith("stg::ir::frozen_program")
        for name in ("statements", "inputs", "extents", "outputs", "scopes", "scope_sets", "names", "checks", "kinds", "tags", "decisions"):
            setattr(self, name, items_of(value[name]))
        self.forward_outputs = int(value["forward_outputs"])
        self.traced = not frozen and bool(value["scopes_apart"])
        self.entries = self.entries_that_are_said()

    def entries_that_are_said(self):
        """Of the statements that read an input with a name, the entries that do not follow from their order."""
        by_name, known, said = {}, set(), {}
        for at, s in enumerate(self.statements):
            if word(s["code"]) != "input":
                continue
            entry = int(s["attribute_"])
            name = text_of(self.inputs[entry]["name"])
            if name and by_name.get(name, len(known)) != entry:
                said[at] = " entry=%d" % entry
            known.add(entry)
            by_name.setdefault(name, entry)
        return said

    def where(self, s):
        """vertex, edge or graph, and behind it the vertex set or relation that has a name."""
        return word(s["where"]["kind"]) + self.kind_text(int(s["where"]["set"]))

    def kind_text(self, number):
        return " " + name_text(text_of(self.kinds[number - 1]["name"])) if number > 0 else ""

    def value(self, at):
        return "nothing" if int(at) == -1 else "%%%d" % int(at)

    def polynomial(self, p):
        text = ""
        for i in range(int(p["count"])):
            term = p["terms"][i]
            coefficient, degree = int(term["coefficient"]), int(term["degree"])
            text += "+" if i > 0 and coefficient > 0 else ""
            if degree == 0:
                text += str(coefficient)
                continue
            text += "-" if coefficient == -1 else "" if coefficient == 1 else "%d*" % coefficient
            text += "*".join(name_text(text_of(term["factors"][f])) for f in range(degree))
        return text or "0"

    def extent(self, code):
        return str(int(code)) if int(code) >= 0 else self.polynomial(self.extents[-1 - int(code)])

    def shape(self, dims):
        return "(%s)" % ", ".join(self.extent(dims["axes"][i]["code"]) for i in range(int(dims["rank"])))

    def input_text(self, entry):
        given = self.inputs[entry]
        name = text_of(given["name"])
        return (name_text(name) if name else "#%d" % entry) + "".join(
            " " + mark for mark in ("trainable", "sparse") if given[mark])

    def input_lines(self):
        """Inputs that nothing reads, and what parameters begin with."""
        readers, lines = {}, []
        for at, s in enumerate(self.statements):
            if word(s["code"]) == "input":
                readers.setdefault(int(s["attribute_"]), at)
        for entry, given in enumerate(self.inputs):
            place = self.value(readers[entry]) if entry in readers else "#%d" % entry
            if entry not in readers:
                said = self.input_text(entry)
                lines.append("unread " + place + (said[len(place):] if said.startswith("#") else " " + said))
            begins = given["begins"]
            numbers = [float(begins["first"]), float(begins["second"])]
            if word(begins["how"]) != "by_shape":
                numbers = numbers[: 2 if numbers[1] != 0 else 1 if numbers[0] != 0 else 0]
                lines.append(" ".join(["begins", place, word(begins["how"])] + [number_text(x) for x in numbers]))
        return lines

    def operation(self, s):
        """The operation with its fields, as ir/fields.hpp lists them."""
        code, attribute, axis = word(s["code"]), int(s["attribute_"]), int(s["axis_"])
        said, number = [code], number_text(float(s["number_"]))
        if code == "input":
            said += [self.input_text(attribute)]
        elif code in AGGREGATES or code == "degree":
            said += ["out" if attribute else "in"] + ([self.kind_text(axis).strip()] if code == "degree" and axis > 0 else [])
        elif code in REDUCTIONS:
            said += ["axis=" + ",".join(str(i) for i in range(4) if attribute >> i & 1)]
        elif code in ("scan", "scan_gradient"):
            said += ["once"] if axis >= 2 else ["backwards"] if axis == 1 else []
            said += ["step=%d" % attribute] + (["carried=" + number] if float(s["number_"]) != 0 else [])
            said += ["site=%d" % (axis - 2)] if axis > 2 else []
            said += ["steps=" + self.extent(s["over"]["code"])] if axis < 2 else []
        elif code == "own_gradient":
            said += ["gradient=%d" % attribute, "outputs=" + number]
        elif code == "result":
            said += [str(attribute)]
        elif code == "vertex_count" and attribute > 0:
            said += [self.kind_text(attribute).strip()]
        if code in ("concat", "slice", "pad", "transpose"):
            said += ["axis=%d" % axis]
        if code == "transpose":
            said += ["with=%d" % attribute]
        if code in NUMBERS:
            said += [NUMBERS[code] + number]
        if code == "keep_mask":
            said += ["site=%d" % attribute]
        if code.startswith("elementwise_"):
            said += [operation_name(attribute)]
        if code in EXTENTS:
            said += [EXTENTS[code] + self.extent(attribute)]
        if code in FLAGS and int(s[FLAGS[code][0]]) == 1:
            said += [FLAGS[code][1]]
        return " ".join(said)

    def operands(self, s):
        given = [int(s["operands"][k]) for k in range(3)]
        given = given[: given.index(-1)] if -1 in given else given
        return " (%s)" % ", ".join(map(self.value, given)) if given else ""

    def scopes_of(self, s):
        at, scopes = int(s["scopes"]), []
        while at != 0:
            scopes.insert(0, name_text(text_of(self.scopes[int(self.scope_sets[at - 1]["last"])])))
            at = int(self.scope_sets[at - 1]["others"])
        return scopes

    def words_of(self, at):
        """Names in full, and tags."""
        words = []
        for label in self.names:
            if int(label["at"]) == at:
                words.append(between('"', text_of(label["name"])))
        for tag in self.tags:
            if int(tag["at"]) == at:
                name, axis = text_of(tag["name"]), int(tag["axis"])
                place = {-1: "", -2: "[rows]", -3: "[steps]"}.get(axis, "[%d]" % axis)
                words.append("#" + (name if WORD.fullmatch(name) else between("'", name)) + place)
        return " ".join(words)

    def decision(self, d):
        what, whom, number = word(d["what"]), word(d["whom"]), int(d["number"])
        said = [what] + (["scope", name_text(text_of(self.scopes[int(d["at"])]))] if whom == "scope" else [])
        said += [self.value(d["at"])] if whom in ("value", "pair") else []
        said += [self.value(d["other"])] if whom == "pair" else []
        said += [WAYS[number]] if what == "keep" else []
        return " ".join(said + ([str(number)] if what not in NO_NUMBERS else []))

    def row(self, at):
        s = self.statements[at]
        left = self.value(at).rjust(len(str(max(len(self.statements) - 1, 0))) + 1)
        kind = {"boolean": "bool"}.get(word(s["type"]), word(s["type"]))
        over = int(s["over"]["code"])
        steps = self.extent(over) + " x " if over != 0 and word(s["code"]) not in ("scan", "scan_gradient") else ""
        return [left + " = " + self.operation(s) + self.entries.get(at, "") + self.operands(s), self.where(s), kind, steps + self.shape(s["dims"]),
                " ".join(self.scopes_of(s)), self.words_of(at)]

    def text(self):
        rows = [self.row(at) for at in range(len(self.statements))]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        for check in self.checks:
            labels, mask = int(check["labels"]), int(check["mask"])
            is_mask = word(self.statements[labels]["type"]) == "boolean"
            classes = int(check["classes"]["code"])
            says = " names a vertex" if is_mask else ""
            says += "" if is_mask and classes == 1 else " in [0, %s)" % self.extent(classes)
            lines.append("check " + self.value(labels) + says + ("" if mask == -1 else " where " + self.value(mask)))
        for output in self.outputs:
            name = text_of(output["name"])
            lines.append("output " + self.value(output["at"]) + (" " + name_text(name) if name else ""))
        lines += ["forward_outputs %d" % self.forward_outputs] if self.forward_outputs else []
        lines += [self.decision(d) for d in self.decisions] + ["traced"] * self.traced + self.input_lines()
        for kind in self.kinds:
            source, destination = int(kind["source"]), int(kind["destination"])
            ends = "" if source == -1 else self.kind_text(source) + " ->" + self.kind_text(destination)
            lines.append(("set " if source == -1 else "relation ") + name_text(text_of(kind["name"])) + ends)
        return "\n".join(lines)


class ProgramPrinter:
    def __init__(self, value):
        self.program = Program(value)

    def to_string(self):
        count = len(self.program.statements)
        return "program of %d statement%s\n%s" % (count, "" if count == 1 else "s", self.program.text())


class StatementPrinter:
    """A statement by itself: inputs, scopes and named extents stand in its program."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        s = self.value
        given = [int(s["operands"][k]) for k in range(3) if int(s["operands"][k]) != -1]
        axes = [int(s["dims"]["axes"][i]["code"]) for i in range(int(s["dims"]["rank"]))]
        kind = {"boolean": "bool"}.get(word(s["type"]), word(s["type"]))
        return "%s%s  %s  %s  (%s)" % (
            word(s["code"]), " (%s)" % ", ".join("%%%d" % v for v in given) if given else "",
            word(s["where"]["kind"]) + (" #%d" % s["where"]["set"] if int(s["where"]["set"]) > 0 else ""), kind,
            ", ".join(str(a) if a >= 0 else "extent #%d" % (-1 - a) for a in axes))


class ExpressionPrinter:
    """A value of the language while its lambda is traced: the statement that makes it."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        at = int(self.value["id"])
        program = Program(self.value["trace"].dereference()["program"])
        if not 0 <= at < len(program.statements):
            return "no value"
        return "  ".join(cell for cell in program.row(at) if cell).lstrip()


def extents_of(dimensions):
    return [int(dimensions["extents_"][a]) for a in range(int(dimensions["rank_"]))]


def tuple_text(extents):
    return "(%s%s)" % (", ".join(map(str, extents)), "," if len(extents) == 1 else "")


class DimensionsPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return tuple_text(extents_of(self.value))


class TensorPrinter:
    """Type, shape and elements, of which `set print elements` bounds how many are read."""

    def __init__(self, value):
        self.value = value
        self.element = type_of(value).template_argument(0)

    def number(self, value):
        kind = str(self.element)
        if kind == "stg::bfloat16":
            return "%.8g" % struct.unpack("<f", struct.pack("<I", int(value["bits"]) << 16))[0]
        if kind == "stg::float16":
            return "%.8g" % struct.unpack("<e", struct.pack("<H", int(value["bits"])))[0]
        return "%.8g" % float(value) if self.element.strip_typedefs().code == gdb.TYPE_CODE_FLT else str(value)

    def nested(self, extents, at):
        """The elements from `at` on, in brackets; "..." for those beyond the limit."""
        if not extents:
            return self.number(self.value["data_"][at])
        step = 1
        for extent in extents[1:]:
            step *= extent
        parts = []
        for i in range(extents[0]):
            if self.limit and at + i * step >= self.limit:
                parts.append("...")
                break
            parts.append(self.nested(extents[1:], at + i * step))
        return "[%s]" % ", ".join(parts)

    def to_string(self):
        extents = extents_of(self.value["shape_"])
        said = "stg::tensor<%s> %s" % (self.element, tuple_text(extents))
        device = int(self.value["place_"]["device_"])
        if device >= 0:
            return said + " on CUDA device %d" % device
        self.limit = gdb.parameter("print elements") or 0
        try:
            return said + " " + self.nested(extents, 0) if 0 not in extents else said
        except gdb.MemoryError:
            return said + " of memory that cannot be read"


def printers():
    made = gdb.printing.RegexpCollectionPrettyPrinter("stg")
    made.add_printer("tensor", r"^stg::(const_)?tensor<.*>$", TensorPrinter)
    made.add_printer("dimensions", r"^stg::dimensions$", DimensionsPrinter)
    made.add_printer("expression", r"^stg::expr<.*>$", ExpressionPrinter)
    made.add_printer("statement", r"^stg::ir::statement$", StatementPrinter)
    made.add_printer("program", r"^stg::ir::(frozen_program<.*>|program)$", ProgramPrinter)
    return made


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
