// test: draft texts
// Pictures and the page of a program: as text here, and as a browser shows it where one is at hand.
#include <stg/examine.hpp>  // write_page, to_svg
#include <stg/stg.hpp>      // the language

#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <gtest/gtest.h>  // TEST

#include <algorithm>   // sort
#include <array>       // array
#include <cstdlib>     // system
#include <filesystem>  // file_size
#include <fstream>     // ifstream
#include <iostream>    // cout
#include <regex>       // regex
#include <sstream>     // ostringstream

namespace stg::examined {
namespace {

constexpr auto x = vertex_feature<"x", extent<"F">>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", extent<"F">, 8>;
constexpr auto A = parameter<"A", 8, 2>;
constexpr auto V = parameter<"V", 8, 7>;
constexpr auto B = parameter<"B", 7, 2>;
constexpr auto series = over<"T">(vertex_feature<"s", 4>);

/// Two layers of attention, and their loss.
constexpr auto attention = [](auto v, auto h, auto a) {
  auto e = v.in_edges();
  auto ends = matmul(h, a);
  auto score = named<"score">(leaky_relu(e.src(ends[0]) + e.dst(ends[1]), 0.2));
  return sum(softmax(score) * e.src(h));
};
constexpr auto gat_loss = [](auto v) {
  auto hidden = scope<"first">(v, [](auto at) { return elu(attention(at, matmul(at(x), W), at(A))); });
  auto classes = scope<"second">(v, [=](auto at) { return attention(at, matmul(hidden, V), at(B)); });
  return cross_entropy(classes, v(label));
};
constexpr auto one_layer = [](auto v) { return attention(v, matmul(v(x), W), v(A)); };
constexpr auto repeated = [](auto v) {
  return scan<"T">(
      v, [](auto at, auto h) { return tanh(mean(at.in_edges().src(h)) + at(series)); }, zeros<4>(v));
};

constexpr auto dropped = [](auto v) { return dropout(v(x), 0.5); };
constexpr auto collected = [](auto v) {
  auto [last, sizes_of] = scan<"T">(
      v,
      [](auto at, auto h) {
        auto n = tanh(mean(at.in_edges().src(h)) + at(series));
        return next(n).gives(mean(sum(n, axis<0>), all_vertices));
      },
      zeros<4>(v));
  return stacked(sizes_of);
};

std::string read(const std::string& path) {
  std::ifstream from(path);
  std::ostringstream all;
  all << from.rdbuf();
  return all.str();
}
int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) ++n;
  return n;
}

constexpr auto t = vertex_feature<"Температура_воздуха_на_высоте", 3>;
constexpr auto u = vertex_feature<"xТемпература_воздуха_на_высоте", 3>;
constexpr auto in_letters = [](auto v) { return v(t) + v(u); };
TEST(pictures, are_cut_between_letters) {
  ir::program p = as_program<in_letters>();
  p.inputs[0].name.letters[3] = '\xff';  // none
  p.names.push_back({text("a\x01<b"), 2});
  const std::string svg = examine::to_svg(p);
  for (std::string_view rest = svg; !rest.empty();) {
    const std::size_t bytes = utf8::bytes_of_letter(rest);
    ASSERT_GT(bytes, 0u) << rest.substr(0, 40);
    EXPECT_TRUE(bytes > 1 || rest[0] >= ' ' || rest[0] == '\n');
    rest.remove_prefix(bytes);
  }
  EXPECT_EQ(count(svg, "\xEF\xBF\xBD"), 2);  // a control character, in a box and its title
  EXPECT_GE(count(svg, "\\xd0\\xff"), 1);    // two halves of letters, as texts of programs spell them
  EXPECT_EQ(count(svg, "a\xEF\xBF\xBD&lt;b"), 2);
}

TEST(pictures, have_a_box_for_each_value_and_a_line_for_each_operand) {
  const ir::program p = as_program<gat_loss>(), q = as_program<repeated>();
  int operands = 0;
  examine::each_with_steps(q, [&](examine::node n) { operands += n.arity(); });
  const std::string svg = examine::to_svg(q);
  EXPECT_EQ(count(svg, "<rect "), q.total_size());
  EXPECT_EQ(count(svg, "<path class=\"e\""), operands);
  EXPECT_EQ(count(svg, ">step 0<"), 1);
  EXPECT_EQ(svg, examine::to_svg(q)) << "it is the same each time";
  const std::string dot = examine::to_dot(p, examine::groups_by_unit(p));
  EXPECT_EQ(count(dot, "subgraph cluster_"), static_cast<int>(examine::groups_by_unit(p).titles.size()));
  EXPECT_EQ(count(dot, "[label="), p.size() + p.outputs.size());
  EXPECT_EQ(count(examine::to_dot(q), "subgraph cluster_step0_"), 1);
  const auto by_space = [](examine::node n) { return static_cast<int>(n.statement().where.kind); };
  EXPECT_EQ(count(examine::to_dot(p, examine::groups_by(p, by_space)), "label=\"part "), 3);
}

TEST(pictures, keep_boxes_of_a_layer_apart) {
  const ir::program p = as_program<gat_loss>();
  const std::string svg = examine::to_svg(p, examine::groups_by_unit(p));
  const std::regex box("<rect class=\"\\w+\" x=\"(\\d+)\" y=\"(\\d+)\" width=\"(\\d+)\" height=\"(\\d+)\"");
  std::vector<std::array<int, 3>> boxes;  // layer, left edge, width
  for (std::sregex_iterator at(svg.begin(), svg.end(), box), end; at != end; ++at)
    boxes.push_back({std::stoi((*at)[2]), std::stoi((*at)[1]), std::stoi((*at)[3])});
  std::sort(boxes.begin(), boxes.end());
  ASSERT_EQ(static_cast<int>(boxes.size()), p.size());
  for (std::size_t k = 1; k < boxes.size(); ++k) {
    const bool is_beside = boxes[k][0] == boxes[k - 1][0];
    EXPECT_TRUE(!is_beside || boxes[k][1] > boxes[k - 1][1] + boxes[k - 1][2]) << "box " << k;
  }
}

TEST(page, is_one_file_that_needs_nothing_else) {
  const test::temporary_folder folder;
  const std::string file = folder.path() + "/gat.html";
  const sizes cora{.vertices = 2708, .edges = 13264, .extents = {sized<"F">(1433)}};
  write_page<gat_loss>(file, cora);
  const std::string page = read(file);
  EXPECT_LE(page.size(), 1'000'000u);
  std::cout << page.size() << " bytes\n";
  for (const char* part : {"<title>gat</title>", "summary", "equations", "inference", "training, forward",
                           "training, gradient", "memory of training", "by MPMS", "first", "second", "alive at once"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* outside : {"<script", "src=", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_FALSE(std::regex_search(page, std::regex("href=\"(?!data:|#)"))) << "a link to another page";
  EXPECT_EQ(count(page, "<details"), count(page, "</details>"));
  write_page<gat_loss>(file, cora);
  EXPECT_EQ(page, read(file)) << "it is the same each time";
  write_page<dropped>(file);
  EXPECT_NE(read(file).find("no index form"), std::string::npos);
}

/// A scan's own equation, that of its step, and what of the step costs most.
TEST(page, says_what_the_steps_of_a_scan_do) {
  const test::temporary_folder folder;
  const std::string file = folder.path() + "/scan.html";
  write_page<collected>(file, {.vertices = 100, .edges = 1000, .extents = {sized<"T">(5)}});
  const std::string page = read(file);
  for (const char* part :
       {"out[f] = step0.given0[f]", "step0, for each of T steps of %",
        "next state0[i,f] = tanh((Σ_{j→i} state0[j,f]) / max(deg_in[i], 1) + s[i,f])", "given0 = ", "of its step  "})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

/// Labels of the chart end before the first bar begins.
TEST(page, has_bars_behind_their_labels) {
  const test::temporary_folder folder;
  const std::string file = folder.path() + "/gat.html";
  write_page<gat_loss>(file);
  const std::string page = read(file);
  const std::regex row("text-anchor=\"start\">([^<]*)</text><rect class=\"(?:bar|over)\" x=\"(\\d+)\"");
  int rows = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), row), end; at != end; ++at, ++rows)
    EXPECT_GE(std::stoi((*at)[2]), 4 + 7 * static_cast<int>(utf8::letters_in((*at)[1].str()))) << at->str();
  EXPECT_GT(rows, 10);
}

TEST(page, ends_what_the_caller_gets_with_the_last_unit) {
  const test::temporary_folder folder;
  const std::string file = folder.path() + "/layer.html";
  write_page<one_layer>(file, {.vertices = 100, .edges = 1000, .extents = {sized<"F">(4)}});
  const std::string page = read(file);
  const std::regex bar(
      "<rect class=\"(bar|over)\" x=\"(\\d+)\" y=\"\\d+\" width=\"(\\d+)\"|<svg [^>]* width=\"(\\d+)\"");
  int width = 0, bars = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), bar), end; at != end; ++at) {
    if ((*at)[4].matched) {
      width = std::stoi((*at)[4]);
      continue;
    }
    ++bars;
    EXPECT_LE(std::stoi((*at)[2]) + std::stoi((*at)[3]), width) << at->str();
  }
  EXPECT_GT(bars, 5);
}

TEST(page, cannot_be_written_where_no_folder_is) {
  test::expect_error([] { write_page<repeated>("/nowhere/gat.html"); }, {"page /nowhere/gat.html cannot be written"});
}

TEST(page, is_shown_by_a_browser) {
  std::string browser;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (browser.empty() && std::system((std::string("command -v ") + name + " >/dev/null 2>&1").c_str()) == 0)
      browser = name;
  if (browser.empty()) GTEST_SKIP() << "no browser is here: install chromium to see the page as a reader does";
  const test::temporary_folder folder;
  const std::string file = folder.path() + "/gat.html", picture = folder.path() + "/gat.png",
                    said = folder.path() + "/said.txt", tree = folder.path() + "/tree.html";
  write_page<gat_loss>(file, {.vertices = 2708, .edges = 13264, .extents = {sized<"F">(1433)}});
  const std::string run = "timeout 100 " + browser +
                          " --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 --window-size=1400,2000"
                          " --user-data-dir=" +
                          folder.path() + "/profile ";
  const std::string quietly = " file://" + file + " 2>" + said;
  ASSERT_EQ(std::system((run + "--screenshot=" + picture + quietly + " >/dev/null").c_str()), 0) << read(said);
  EXPECT_EQ(read(said).find("CONSOLE"), std::string::npos) << read(said);
  EXPECT_GT(std::filesystem::file_size(picture), 50'000u) << "a blank page takes some 10,000 bytes";
  ASSERT_EQ(std::system((run + "--dump-dom" + quietly + " >" + tree).c_str()), 0) << read(said);
  EXPECT_EQ(count(read(tree), "<details"), count(read(file), "<details")) << "the browser reads it as it was written";
}

}  // namespace
}  // namespace stg::examined
