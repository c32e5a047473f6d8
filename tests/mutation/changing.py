"""Finds what can be changed in a pass and writes it so that each change can be made at run time.

Where a change is made the text asks the switch of `mutation.hpp`, as for rules (`breaking.py`). Changes are written around
what they change and never copy it, so that one may lie within another: a condition as a whole and each part of it.
"""
import re
from dataclasses import dataclass, field

# What takes an operator's place. Names are those of functions of mutation.hpp.
LOOSER = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}
OTHER_SIGN = {"+": "add", "-": "subtract"}
OTHER_CODE = {"mul": "add", "add": "mul", "sub": "add", "div": "mul", "negate": "exp", "gather_src": "gather_dst",
              "gather_dst": "gather_src", "sum_edges": "max_edges", "matmul": "reduced_matmul", "reduced_matmul": "matmul",
              "constant": "input", "input": "constant", "reduce_sum": "reduce_max", "top_share_edges": "sum_edges",
              "reshape": "broadcast_to", "broadcast_to": "reshape", "select": "training", "slice": "pad"}
OTHER_WORD = {"ir::space::vertex": "ir::space::edge", "ir::space::edge": "ir::space::vertex",
              "ir::space::graph": "ir::space::vertex", "ir::direction::in": "ir::direction::out",
              "ir::direction::out": "ir::direction::in", "sweep_side::none": "sweep_side::in",
              "sweep_side::in": "sweep_side::out", "op::category::dense": "op::category::reduction",
              "op::category::gather": "op::category::pointwise", "op::category::pointwise": "op::category::feature",
              "op::category::aggregate": "op::category::reduction", "op::category::feature": "op::category::pointwise",
              "op::category::source": "op::category::pointwise", "op::category::reduction": "op::category::aggregate"}
OTHER_WORD.update({f"ir::opcode::{a}": f"ir::opcode::{b}" for a, b in OTHER_CODE.items()})
# Where an operand of an operator ends, from the loosest on; a level ends where a looser one stands.
LEVELS = [(",", ";", "=", "+=", "-=", "|=", "&=", "*=", "?", ":"), ("||",), ("&&",), ("|", "^", "&"), ("==", "!="),
          ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-")]
OPERATOR = re.compile(r"(?<= )(\+=|-=|\|=|&=|\*=|\|\||&&|==|!=|<=|>=|<<|>>|=|\?|:|<|>|\+|-|\||&|\^)(?=[ \n])|[,;]")
STATEMENT = re.compile(r"(?:\+\+|--)?[A-Za-z_][\w.:]*(?:\[|\(|\.|->| [+\-|&*]?= |;)")
WORDS = ("return", "else", "case", "throw", "do")


@dataclass
class Change:
    number: int
    owner: str  # the pass, which is its file
    what: str
    place: str
    name: str = ""
    kind: str = "pass"
    code: str = ""


def masked(text):
    """The text with comments, literals and directives blank: what is found in it stands at the same place."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    text = re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.DOTALL)
    for literal in (r'"(?:[^"\\\n]|\\.)*"', r"(?<!\w)'(?:[^'\\\n]|\\.)'"):  # between their marks: they are operands
        text = re.sub(literal, lambda m: m.group(0)[0] + " " * (len(m.group(0)) - 2) + m.group(0)[0], text)
    return re.sub(r"^#[^\n]*", blank, text, flags=re.MULTILINE)


class Changer:
    """The changes of one file, as insertions around what is changed."""

    def __init__(self, owner, file, text, first):
        self.owner, self.file, self.text, self.first = owner, file, text, first
        self.plain = masked(text)
        self.skipped = self.constants()
        self.wraps, self.replaced = [], []  # (begin, end, before, after); (begin, end, instead)
        self.changes = []
        self.partner = self.brackets()

    def brackets(self):
        partner, open_ = {}, []
        for i, letter in enumerate(self.plain):
            if letter in "([{":
                open_.append(i)
            elif letter in ")]}":
                begin = open_.pop()
                partner[begin], partner[i] = i, begin
        return partner

    def constants(self):
        """Where nothing is computed when a pass runs: labels of cases, lists of enumerators, constants, extents, sentences of
        errors; and room that is made before it is needed, which changes no program."""
        spans = [m.span() for m in re.finditer(r"\bcase [\w:]+:|\benum class [^;]*;|\bstatic_assert\([^;]*;|\btemplate <[^\n]*>"
                                               r"|\busing [^;]*;|\bconstexpr (?:unsigned )?[\w:<>]+ \w+(?:\[\w*\])? ?[={][^;]*;"
                                               r"|\bif constexpr \([^\n]*|\b[\w.]+\.reserve\([^\n]*;"
                                               r"|\b\w+ \w+\[[^\]\n]*\](?:\{[^}\n]*\})?;|\berror\((?:[^()]|\([^()]*\))*\)"
                                               r"|^ +[\w:]+ \w+ = [\w:{}]+(?:, \w+ = [\w:{}]+)*;(?= *$)", self.plain,
                                               re.MULTILINE)]
        return spans

    def is_skipped(self, at):
        return any(begin <= at < end for begin, end in self.skipped)

    def on(self, what, at):
        number = self.first + len(self.changes)
        line = self.text.count("\n", 0, at) + 1
        self.changes.append(Change(number, self.owner, " ".join(what.split()).replace(" | ", " or "), f"{self.file}:{line}"))
        return f"::stg::mutation::on({number})"

    def number(self):
        return self.first + len(self.changes) - 1

    def wrap(self, begin, end, before, after):
        self.wraps.append((begin, end, before, after))

    def shown(self, begin, end):
        words = " ".join(self.text[begin:end].split())
        return words if len(words) <= 70 else words[:67] + "..."

    def line_of(self, at):
        """The statement around a place, for names: from the line's begin to its end."""
        begin, end = self.text.rfind("\n", 0, at) + 1, self.text.find("\n", at)
        return re.sub(r"\s*//.*", "", self.shown(begin, end))

    # ---- where things end ----

    def operators(self, begin, end):
        """The operators of a span outside of its brackets."""
        found, at = [], begin
        while at < end:
            if self.plain[at] in "([{":
                at = self.partner[at] + 1
                continue
            match = OPERATOR.match(self.plain, at)
            if match and match.end() <= end:
                found.append((match.group(0), at))
                at = match.end()
            else:
                at += 1
        return found

    def around(self, at):
        """The span between the brackets, or within the statement, that a place is in."""
        begin, i = 0, at
        while i > 0:
            i -= 1
            if self.plain[i] in ")]}":
                i = self.partner[i]
                if self.plain[i] == "{" and re.search(r"(\)|\bconst|\belse|\bdo|struct [^;{}()]*|class [^;{}()]*|[\w>] ?) $",
                                                      self.plain[max(0, i - 80):i]):
                    begin = self.partner[i] + 1  # a block that has ended, not a list
                    break
            elif self.plain[i] in "([{;":
                begin = i + 1
                break
        end = at
        while end < len(self.plain) and self.plain[end] not in ")]};":
            end = self.partner[end] + 1 if self.plain[end] in "([{" else end + 1
        return begin, end

    def within_list(self, at):
        """Whether a place is within round brackets, as what a loop asks is."""
        opened = [i for i, j in self.partner.items() if i < at < j]
        return bool(opened) and self.plain[max(opened)] == "("

    def trimmed(self, begin, end):
        while True:
            while begin < end and self.plain[begin].isspace():
                begin += 1
            label = re.compile(r"(?:case [\w:]+|default|public|private):(?=\s)").match(self.plain, begin, end)
            if label:
                begin = label.end()
                continue
            for word in WORDS:
                if self.plain.startswith(word, begin) and not self.plain[begin + len(word)].isalnum():
                    begin += len(word)
                    break
            else:
                match = re.match(r"(?:if|for|while|switch) \(", self.plain[begin:end])
                if not match:
                    break
                begin = self.partner[begin + match.end() - 1] + 1
        while end > begin and self.plain[end - 1].isspace():
            end -= 1
        return begin, end

    def operands(self, operator, at, chained=False):
        """(begin of the left operand, end of the right one) of a binary operator."""
        level = next(k for k, words in enumerate(LEVELS) if operator in words)
        ends = {word for words in LEVELS[:level] for word in words}
        begin, end = self.around(at)
        for word, where in self.operators(begin, end):
            if where < at and word in ends:
                begin = where + len(word)
            if where > at and (word in ends or (not chained and word in LEVELS[level])):
                end = where
                break
        return self.trimmed(begin, end)

    # ---- changes ----

    def of_conditions(self):
        for match in re.finditer(r"\bif \(", self.plain):
            begin, end = match.end(), self.partner[match.end() - 1]
            if self.is_skipped(match.start()) or ";" in self.plain[begin:end]:
                continue
            shown = self.shown(begin, end)
            never = self.on(f"never if ({shown})", match.start())
            self.wrap(begin, end, f"!{never} && (", ")")
            always = self.on(f"always if ({shown})", match.start())
            self.wrap(begin, end, f"{always} || (", ")")

    def of_parts(self):
        """Of each a && b, and each a || b, one part is left out."""
        for words, before, after in ((("&&",), "(", " || ({}))"), (("||",), "(!", " && ({}))")):
            done = set()
            for match in re.finditer(re.escape(words[0]), self.plain):
                if self.is_skipped(match.start()) or self.plain[match.start() - 1] != " ":
                    continue
                begin, end = self.operands(words[0], match.start(), chained=True)
                if (begin, end) in done:
                    continue
                done.add((begin, end))
                cuts = [where for word, where in self.operators(begin, end) if word == words[0]]
                for left, right in zip([begin] + [cut + 2 for cut in cuts], cuts + [end]):
                    left, right = self.trimmed(left, right)
                    on = self.on(f"without {self.shown(left, right)} in {self.shown(begin, end)}", left)
                    middle, last = after.split("{}")
                    self.wrap(left, right, before + on + middle, last)

    def of_choices(self):
        for match in re.finditer(r"(?<= )\?(?= )|(?<=\n)( *)\? ", self.plain):
            at = self.plain.index("?", match.start())
            if self.is_skipped(at):
                continue
            begin, _ = self.operands("||", at, chained=True)
            end = len(self.plain[:at].rstrip())
            on = self.on(f"the other of {self.shown(begin, end)} ? ... in {self.line_of(begin)}", at)
            self.wrap(begin, end, f"({on} != static_cast<bool>(", "))")

    def of_comparisons(self):
        for match in re.finditer(r"(?<= )(==|!=|<=?|>=?)(?=[ \n])", self.plain):
            if self.is_skipped(match.start()):
                continue
            operator = match.group(1)
            begin, end = self.operands(operator, match.start())
            if operator not in LOOSER and any(span[:2] == (begin, end) for span in self.wraps):
                continue  # a condition, or a part of one, which is changed as such
            if operator in LOOSER:
                self.on(f"on or off by one: {self.shown(begin, end)}", match.start())
                self.wrap(begin, end, f"::stg::mutation::{LOOSER[operator]}({self.number()}, ", ")")
                self.replaced.append((match.start() - 1, match.end() + 1, ", "))
            else:
                on = self.on(f"the opposite of {self.shown(begin, end)} in {self.line_of(begin)}", match.start())
                self.wrap(begin, end, f"({on} != (", "))")

    def of_signs(self):
        for match in re.finditer(r"(?<=[\w)\]] )([+\-])(?=[ \n])", self.plain):
            if self.is_skipped(match.start()):
                continue
            begin, end = self.operands(match.group(1), match.start())
            self.on(f"the other sign in {self.shown(begin, end)} in {self.line_of(begin)}", match.start())
            self.wrap(begin, end, f"::stg::mutation::{OTHER_SIGN[match.group(1)]}({self.number()}, ", ")")
            self.replaced.append((match.start() - 1, match.end() + 1, ", "))

    def of_numbers(self):
        for match in re.finditer(r"(?<![\w.'<])(\d+)(?![\w.'>])", self.plain):
            if self.is_skipped(match.start()):
                continue
            on = self.on(f"another number than {match.group(1)} in {self.line_of(match.start())}", match.start())
            other = 1 - int(match.group(1)) if int(match.group(1)) < 2 else int(match.group(1)) + 1
            self.replaced.append((*match.span(), f"({on} ? {other} : {match.group(1)})"))

    def of_words(self):
        for match in re.finditer(r"(?<![\w:])(?:ir|op)?(?:::)?\w+::\w+(?:::\w+)?\b(?!::)|\b(?:owner|neighbour)_gather\b"
                                 r"|\b(?:true|false)\b", self.plain):
            word = match.group(0)
            if self.is_skipped(match.start()):
                continue
            other = OTHER_WORD.get(word) or {"true": "false", "false": "true"}.get(word)
            if word.split("::")[-1] in ("owner_gather", "neighbour_gather") and self.plain[match.end()] == "(":
                other = "ir::" + {"owner_gather": "neighbour_gather", "neighbour_gather": "owner_gather"}[word.split("::")[-1]]
            if other is None:
                continue
            on = self.on(f"{other} for {word} in {self.line_of(match.start())}", match.start())
            self.replaced.append((*match.span(), f"({on} ? {other} : {word})"))

    def of_statements(self):
        """Statements that are left out, declarations and results aside."""
        for match in re.finditer(r"(?<=[;{})\n])\s*(?:else )?(?=[\w+\-])", self.plain):
            begin = match.end()
            found = STATEMENT.match(self.plain, begin)
            _, end = self.around(begin)
            if self.within_list(begin) or end >= len(self.plain) or self.plain[end] != ";" or self.is_skipped(begin):
                continue
            before = self.plain[:begin].rstrip()
            if not before or before[-1] not in ";{})" and not before.endswith("else"):
                continue
            if before[-1] == "{" and self.partner[len(before) - 1] <= end:
                continue  # a list, not a block
            text = self.plain[begin:end]
            if text in ("continue", "break", "return"):
                if text == "break" and re.search(r"\bcase\b|\bdefault\b", self.plain[max(0, begin - 200):begin]):
                    continue
                on = self.on(f"no {text} in {self.line_of(begin)}", begin)
                self.wrap(begin, end + 1, "{ if (!" + on + ") ", " }")
                continue
            if not found or text.split(" ")[0] in WORDS + ("for", "if", "while", "switch", "using", "const", "throw"):
                continue
            if re.match(r"[\w:<>]+(?:\([^()]*\))?$", text) and "(" not in text:
                continue
            on = self.on(f"without {self.shown(begin, end)}", begin)
            self.wrap(begin, end, f"{on} ? void() : static_cast<void>(", ")")

    def run(self):
        self.of_conditions()
        self.of_parts()
        self.of_choices()
        self.of_comparisons()
        self.of_signs()
        self.of_numbers()
        self.of_words()
        self.of_statements()
        return self.changes

    def written(self, kept=None):
        """The text with its changes; wraps of one span lie within each other in the order in which they were found."""
        pieces = []  # (where, order, text): what is inserted, and what replaces
        for index, (begin, end, before, after) in enumerate(self.wraps):
            pieces.append((begin, (1, -end, index), begin, before))
            pieces.append((end, (0, -begin, -index), end, after))
        for begin, end, instead in self.replaced:
            pieces.append((begin, (2, 0, 0), end, instead))
        out, at = [], 0
        for begin, _, end, text in sorted(pieces):
            out += [self.text[at:begin], text]
            at = max(at, end)
        return "".join(out) + self.text[at:]
