#!/usr/bin/env python3
"""The scripts of make site: what the check of links finds, what the reference takes of a header, what a page becomes."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "site"))
import check  # noqa: E402
import reference  # noqa: E402
from importlib import util  # noqa: E402

spec = util.spec_from_file_location("stg_site", ROOT / "scripts" / "site" / "site.py")
pages = util.module_from_spec(spec)
spec.loader.exec_module(pages)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Links(Folder):
    def test_what_leads_nowhere_or_outside_is_found(self):
        self.write("a/index.html", '<h1 id="top of it">A</h1><a href="../b.html#here">1</a><a href="../b.html#no">2</a>'
                                   '<a href="c.html">3</a><a href="https://a.org/">4</a><script src="//b.org/x.js"></script><a href="..">5</a>')
        self.write("b.html", '<p id="here"><a href="a/index.html#top%20of%20it">5</a><img src="data:image/png;base64,AA"></p>')
        self.write("index.html", "")
        self.write("s.css", "@import url('https://c.org/f.css'); p { background: url(x.png) }")
        self.assertEqual(check.mistakes(self.root), [
            "a/index.html: ../b.html#no names a place that is not there", "a/index.html: //b.org/x.js leads outside",
            "a/index.html: c.html leads nowhere", "a/index.html: https://a.org/ leads outside",
            "s.css: https://c.org/f.css is loaded from outside"])


class Reference(Folder):
    HEADER = '''// What it is.
namespace stg {
namespace detail {
/// Hidden.
int hidden(int x);
}  // namespace detail

/// A thing <with> its *words*: x_i.
///
///   thing t(3);
template <class T>
  requires Something<T>
class thing {
 public:
  /// Makes it, of `n_1`.
  explicit thing(int n) : n_(n) {}

 private:
  /// Not this.
  int n_;
};

/// Two of them.
double both(int a,
            int b);
double both(long a);
}  // namespace stg
'''

    def test_what_is_documented_and_may_be_called_is_there(self):
        found = list(reference.entries(self.write("h.hpp", self.HEADER)))
        self.assertEqual([title for title, _, _ in found], ["thing", "thing", "both"])
        self.assertIn("class thing;", found[0][1])
        self.assertEqual(found[0][2], "A thing \\<with\\> its \\*words\\*: x\\_i.\n\n\n~~~~cpp\nthing t(3);\n~~~~")
        self.assertEqual(found[1][1:], ("explicit thing(int n);", "Makes it, of `n_1`."))
        self.assertEqual(found[2][1], "double both(int a,\n            int b);\ndouble both(long a);")

    def test_each_public_header_has_a_page(self):
        made = reference.pages(ROOT)
        text = "\n".join(made.values())
        for name in ("gcn_conv", "from_edges", "value_and_grad", "neighbour_sampler", "load_node_classification", "scan", "explain"):
            self.assertTrue(f"{name}`\n" in text, name)
        self.assertFalse("### `std`" in text or "### `ir`" in text, "a type is taken for a name")


class Pages(Folder):
    def test_links_lead_to_pages_of_the_site(self):
        docs = ROOT / "docs"
        site = pages.Site(self.root)
        change = {line: site.linked(line, docs / "data.md", "data.md") for line in (
            "[here](training.md#going-on) and [kinds.md](kinds.md)", "`[no](link)`, [`a`](../include/stg/stg.hpp)",
            "[folder](../examples)", "[out](https://a.org)")}
        self.assertEqual(list(change.values()), [
            "[here](training.md#going-on) and [Several kinds of vertices](kinds.md)",
            "`[no](link)`, [`a`](sources/include/stg/stg_hpp.md)", "[folder](sources/examples/README.md)", "[out](https://a.org)"])
        self.assertEqual(site.link("../README.md#pages", docs / "kinds.md", "kinds.md"), "index.md#pages")
        site.write_waiting()
        self.assertTrue((self.root / "pages" / "sources" / "include" / "stg" / "stg_hpp.md").exists())

    def test_what_github_reads_is_written_as_mkdocs_reads_it(self):
        page = self.write("p.md", "# A\nwords:\n* one\n  more\n* two\n\n## B, `c`\n```cpp run\n[x](y)\n## no\n```\n## B, `c`\n| `a \\| b` |\n")
        self.assertEqual(pages.Site(self.root).markdown(page, "p.md").splitlines(), [
            "# A", "words:", "", "* one", "  more", "* two", "", "## B, `c` { #b-c }", "```cpp", "[x](y)", "## no", "```",
            "## B, `c` { #b-c-1 }", "| `a | b` |"])

    def test_the_navigation_has_every_page(self):
        places = {place for group in pages.Site(self.root).navigation().values() for entry in group for place in entry.values()}
        self.assertEqual(places, {page.name for page in (ROOT / "docs").glob("*.md")})

    def test_the_gallery_shows_the_last_lines(self):
        self.assertIn("~~~~text\n45 triangles\n~~~~", pages.gallery())


if __name__ == "__main__":
    unittest.main()
