"""The reference: what the headers say of what a user calls, as pages. A comment of /// lines is about the declaration
behind it; what stands in a namespace detail, behind private: or behind no comment is no part of it."""
import re
from pathlib import Path

# Pages: a title, and headers or folders below include/stg/. What no page has is the compiler's inside.
PAGES = [
    ("Calls", ["call", "compile.hpp", "gradient.hpp"]),
    ("The language", ["dsl"]),
    ("Operations", ["op"]),
    ("Layers", ["nn"]),
    ("Graphs, tensors, optimisers", ["runtime"]),
    ("Files", ["data"]),
    ("Sampling", ["sampling"]),
    ("Programs as values", ["differentiate.hpp", "pass/separation.hpp", "rewrite.hpp", "examine.hpp", "examine", "rules.hpp", "rules", "bench.hpp", "eigen.hpp"]),
]
CLASS = re.compile(r"^(?:template <.*> )?(?:class|struct) (?:\[\[\w+\]\] )?([A-Za-z_]\w*)")
# Functions that a macro declares by their names (op/functions.hpp).
BY_NAME = re.compile(r"^(STG_\w*FUNCTION\w*)\((\w+)\)$")
DECLARED = {
    "STG_REAL_FUNCTION": "expr<S, Sh, T> x",
    "STG_REAL_FUNCTION_OF_TWO": "expr<S, Sh, T> a, expr<S2, Sh2, T2> b",
    "STG_NUMBER_FUNCTION_OF_TWO": "expr<S, Sh, T> a, expr<S2, Sh2, T2> b",
}
NAME = re.compile(r"(operator\s*\S+?|~?[A-Za-z_]\w*)\s*(?:<[^()]*>)?\s*\(")


# What is no part of what a user calls, though it lies beside it.
INSIDE = {
    "call": "by_hops runnable recorded_call recording fixed bindings call_inputs memory",
    "runtime": "arena arena_pool binding call_graph counted_rows dense edge_order edge_span graph_build integer_range kept kind_rows kinds "
               "long_rows memory mutex optimizer_base reduce row_order shared_keeper sizes snapshot_build sparse_product step_graphs update_rule",
    "cuda": "api block check device product snapshots staging stream updates",
}


def headers(folder, names):
    for name in names:
        path = folder / name
        yield from [path] if path.is_file() else (p for p in sorted(path.rglob("*.hpp")) if p.stem not in INSIDE.get(p.parent.name, "").split())


def prose(lines):
    """A comment as Markdown: indented lines are code, and what Markdown would take for its own is written out."""
    out, code = [], []

    def end_code():
        if code:
            while not code[-1].strip():
                code.pop()
            out.extend(["", "~~~~cpp", *[line[2:] for line in code], "~~~~", ""])
            code.clear()

    for line in lines:
        if line.startswith("  ") or code and not line.strip():
            code.append(line)
            continue
        end_code()
        if line.startswith("- ") and out and out[-1].strip() and not out[-1].startswith("- "):
            out.append("")
        parts = re.split(r"(`[^`]*`)", line)
        out.append("".join(p if p.startswith("`") else re.sub(r"([<>*_\[\]])", r"\\\1", p) for p in parts))
    end_code()
    return "\n".join(out).strip()


def without_body(text):
    """A definition without what stands in its braces, and a constructor without its initialisers."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        before = text[:k].rstrip()
        if c == "{" and depth == 0 and not before.endswith("="):
            return before + ";"
        if c == "{" and before.endswith((")", "]")):  # the body of a lambda that is an argument
            return before + " { … });"
        if c == ":" and depth == 0 and before.endswith(")") and text[k + 1:k + 2] != ":":
            return before + ";"
    return text


def declaration(lines, at):
    """The declaration that begins at a line, without its body, and of which lines it is made."""
    text, depth, end = [], 0, at
    while end < len(lines) and len(text) < 14:
        line = lines[end].rstrip()
        if not line.strip() or line.strip().startswith("///"):
            break
        text.append(re.sub(r"\s*///<.*$", "", line))
        depth += line.count("(") - line.count(")")
        end += 1
        if depth <= 0 and re.search(r"[;{}]\s*(?://.*)?$", line):
            break
    indent = min((len(line) - len(line.lstrip()) for line in text if line.strip()), default=0)
    shown = "\n".join(line[indent:] for line in text)
    shown = shown if shown.startswith("#") else without_body(shown)
    return shown, end


def title_of(shown, owner):
    flat = re.sub(r"^template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*", "", " ".join(shown.split()))
    flat = re.sub(r"^requires\b.*?(?=(?:constexpr|auto|class|struct|inline|void)\b)", "", flat)
    named = CLASS.match(flat) or re.match(r"enum class (\w+)", flat) or re.match(r"concept (\w+)", flat) or re.match(r"using (\w+)", flat) \
        or re.match(r"#define (\w+)", flat)
    if named:
        name = named.group(1)
    elif re.match(r"(?:inline )?constexpr (?:const )?[\w:]+ (\w+)(?:<[^=]*>)? =", flat):
        name = re.match(r"(?:inline )?constexpr (?:const )?[\w:]+ (\w+)", flat).group(1)
    elif "(" in flat and NAME.search(flat):
        name = NAME.search(flat).group(1)
    else:
        words = re.findall(r"[A-Za-z_]\w*", re.split(r"[={;]", flat)[0])
        name = words[-1] if words else flat
    return f"{owner}::{name}" if owner and owner != name else name


def entries(path):
    """(title, declaration, comment) of what a header documents."""
    lines = path.read_text(encoding="utf-8").splitlines()
    hidden, owner, private, at = 0, "", False, 0
    while at < len(lines):
        line = lines[at]
        if re.match(r"^\s*namespace (\w+::)*(detail|stage)\b", line):
            hidden += 1
        elif re.match(r"^}\s*// namespace .*(detail|stage)", line):
            hidden -= 1
        elif re.match(r"^};", line):
            owner, private = "", False
        elif re.match(r"^ (private|protected):", line):
            private = True
        elif re.match(r"^ public:", line):
            private = False
        elif CLASS.match(line) and line.rstrip().endswith("{"):
            owner, private = CLASS.match(line).group(1), False
        if line.strip().startswith("///") and not line.strip().startswith("///<"):
            comment = []
            while at < len(lines) and lines[at].strip().startswith("///"):
                comment.append(lines[at].strip()[3:].removeprefix(" "))
                at += 1
            if at >= len(lines) or hidden or private:
                continue
            by_name = BY_NAME.match(lines[at])
            if by_name:
                yield by_name.group(2), f"constexpr auto {by_name.group(2)}({DECLARED[by_name.group(1)]});", prose(comment)
                continue
            shown, end = declaration(lines, at)
            more = end
            while more < len(lines) and lines[more].strip() and not re.match(r"^\s*(///|//|[})#]|private|public|namespace)", lines[more]) \
                    and not CLASS.match(lines[at]) and "{" not in lines[more - 1]:
                another, more = declaration(lines, more)
                shown += "\n" + another
            if shown.strip() and not shown.startswith(("using detail::", "#")):
                yield title_of(shown, owner if lines[at].startswith("  ") else ""), shown, prose(comment)
            continue
        at += 1


def pages(root):
    """The pages of the reference by their place in the site."""
    made = {}
    folder = root / "include" / "stg"
    for title, names in PAGES:
        text = [f"# {title}", ""]
        for path in headers(folder, names):
            found = list(entries(path))
            if not found:
                continue
            about = []
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line.startswith("// "):
                    break
                about.append(line.removeprefix("// "))
            text += [f"## {path.relative_to(folder.parent)}", "", prose(about), ""]
            for name, shown, comment in found:
                text += [f"### `{name}`", "", "~~~~cpp", shown, "~~~~", "", comment, ""]
        made[f"reference/{re.sub('[^a-z]+', '_', title.lower())}.md"] = "\n".join(text)
    return made
