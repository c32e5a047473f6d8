#!/usr/bin/env python3
"""The extractor itself: what it takes, what it refuses."""
import tempfile
import unittest
from pathlib import Path

from links import broken, mistakes_of_the_reading_order, mistakes_of_the_way, unlisted
from snippets import joined, program


class Snippets(unittest.TestCase):
    def test_blocks_stand_where_their_mark_says(self):
        text = program("words\n```cpp file\nint x;\n```\n```text\nno code\n```\n```cpp run\nx = 1;\n```\n", "page.md")
        self.assertIn('#line 3 "page.md"\nint x;', text)
        self.assertIn('static void block_9() {\n#line 9 "page.md"\nx = 1;\n}', text)
        self.assertIn("  block_9();", text)
        self.assertNotIn("no code", text)

    def test_a_vertex_block_is_traced(self):
        text = program("```cpp vertex\nauto e = v.in_edges();\n```\n", "page.md")
        self.assertIn("block_2 = [](auto v) {", text)
        self.assertIn("block_2(stg::vertex_view{&trace});", text)

    def test_unmarked_code_is_refused_with_its_line(self):
        for fence in ("```cpp", "```cpp later"):
            with self.subTest(fence), self.assertRaisesRegex(ValueError, "^2: "):
                program("words\n" + fence + "\nint x;\n```\n", "page.md")

    def test_an_open_block_and_a_page_without_code_are_refused(self):
        with self.assertRaisesRegex(ValueError, "^1: the block is not closed"):
            program("```cpp file\nint x;\n", "page.md")
        with self.assertRaisesRegex(ValueError, "no C"):
            program("words\n", "page.md")

    def test_joined_pages_have_a_namespace_each_and_include_once(self):
        text = joined([("```cpp file\n#include <a.hpp>  // a\nint x;\n```\n", "docs/one.md"),
                       ("```cpp run\nint y;\n```\n```cpp file\n#include <a.hpp>\n```\n", "docs/two.md")])
        self.assertEqual(text.count("#include <a.hpp>"), 1)
        self.assertLess(text.index("#include <a.hpp>"), text.index("namespace page_one {"))
        self.assertIn('#line 2 "docs/one.md"\n\nint x;', text)
        self.assertIn('if (name == "two") return page_two::run(), 0;', text)
        self.assertIn("  block_2();", text)


class Links(unittest.TestCase):
    def test_a_link_that_leads_nowhere_is_found(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "docs").mkdir()
            (root / "docs" / "a.md").write_text("# A page's `heads`\n[1](b.md) [2](a.md#a-pages-heads) [3](#no) `x[d](e)`\n")
            (root / "docs" / "c.md").write_text("```c++\nlambda[](int)\n```\n[4](../README.md) [5](https://a.org/)\n")
            (root / "README.md").write_text("[a](docs/a.md)\n")
            self.assertEqual(broken(root / "docs" / "a.md"), ["b.md", "#no"])
            self.assertEqual(broken(root / "docs" / "c.md"), [])
            self.assertEqual(unlisted(root), ["c.md"])

    def test_the_way_leads_from_page_to_page_and_is_short(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "README.md").write_text("1. [no](way.md)\n\n## Pages\n\n1. [a](a.md)\n2. [b](b.md): b\n\n* [c](c.md)\n\n## More\n3. [c](c.md)\n")
            (root / "a.md").write_text("# A\n\nNext: [b](b.md).\n")
            (root / "b.md").write_text("# B\n")
            self.assertEqual(mistakes_of_the_way(root), [])
            self.assertEqual(len(mistakes_of_the_way(root, 100)), 1)
            (root / "a.md").write_text("# A\n\nNext: [c](c.md).\n")
            (root / "b.md").write_text("# B\n\nNext: [a](a.md).\n")
            self.assertEqual([line.split(":")[0] for line in mistakes_of_the_way(root)], ["a.md", "b.md"])
            (root / "README.md").write_text("## Pages\n")
            self.assertEqual(len(mistakes_of_the_way(root)), 1)

    def test_the_reading_order_names_files(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "a.hpp").write_text("")
            (root / "b.hpp").write_text("")

            def found(*lines):
                (root / "README.md").write_text("## Other\n\n## Reading order\n\n" + "\n".join(lines) + "\n\n## More\n1. x\n")
                return mistakes_of_the_reading_order(root, 2)

            self.assertEqual(found("1. [`a.hpp`](a.hpp): a", "2. [`b.hpp`](b.hpp): b"), [])
            for wrong in (["words"], ["1. [`c.hpp`](c.hpp): c"], ["1. [`a.hpp`](a.hpp)"], ["2. [`a.hpp`](a.hpp): a"],
                          ["1. [`a.hpp`](b.hpp): a"], ["1. [`a.hpp`](a.hpp): a", "2. [`a.hpp`](a.hpp): a"],
                          ["1. [`a.hpp`](a.hpp): a", "2. [`b.hpp`](b.hpp): b", "3. [`README.md`](README.md): c"]):
                with self.subTest(wrong):
                    self.assertEqual(len(found(*wrong)), 1)


if __name__ == "__main__":
    unittest.main()
