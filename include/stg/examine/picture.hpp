// Pictures of a program: Graphviz text and SVG, its values in groups, its steps beside it. Run time only.
//
// The same program gives the same text everywhere: nothing is ordered by address, and places are whole pixels.
#pragma once

#include <algorithm>    // max, min, sort
#include <map>          // map
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/utf8.hpp>          // letters_in, first_letters
#include <stg/base/xml_text.hpp>      // xml_text
#include <stg/examine/partition.hpp>  // partitioned
#include <stg/examine/walk.hpp>       // node
#include <stg/ir/print.hpp>           // to_dot's words
#include <stg/ir/program.hpp>         // program
#include <stg/pass/fuse.hpp>          // fuse

namespace stg::examine {

/// The group of each statement, -1: none, and the groups' titles. `notes`, unless it is empty, has a text for each
/// statement; a drawing shows it under the pointer.
struct grouping {
  std::vector<int> of{};
  std::vector<std::string> titles{};
  std::vector<std::string> notes{};
};

/// The parts made by a function from node to number, cut as partition does; sources are in none.
template <class F> grouping groups_by(const ir::program& p, const F& part_of) {
  grouping g;
  std::map<int, int> places;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    g.of.push_back(-1);
    if (op::info_of(p[i].code).kind == op::category::source) continue;
    const int id = static_cast<int>(part_of(node{&p, i}));
    const auto [known, is_first] = places.try_emplace(id, static_cast<int>(places.size()));
    g.of.back() = known->second;
    if (is_first) g.titles.push_back("part " + std::to_string(id));
  }
  return g;
}
/// The units of a program, as fuse makes them. Values that loops compute at their readers are in none.
inline grouping groups_by_unit(const ir::program& p) {
  const pass::fusion f = pass::fuse(p);
  grouping g;
  for (const int u : f.unit_of) g.of.push_back(u);
  for (int u = 0; u < f.units.size(); ++u) g.titles.push_back("unit " + std::to_string(u));
  return g;
}

namespace detail {

inline std::string picture_label(const ir::program& p, const ir::detail::words_of_values& words, ir::value_id i) {
  const ir::statement& s = p[i];
  std::string label =
      ir::detail::spelled(i) + ' ' + ir::detail::operation_text(p, s) + ' ' + ir::detail::dims_text(p, s);
  const std::string names = words.names(i);
  return names.empty() ? label : label + ' ' + names;
}
inline constexpr std::string_view space_colours[] = {"#cfe6f7", "#fbd9c8", "#e4e4e4"};  // vertex, edge, graph
inline constexpr std::string_view group_colours[] = {"#1f6fb2", "#c2571a", "#2f8f4e", "#8b4fa8",
                                                     "#a8862a", "#2a8c8c", "#b03a5b", "#5b6b7a"};
inline std::string_view colour_of(const ir::domain& where) {
  return space_colours[static_cast<std::size_t>(where.kind)];
}
inline std::string_view colour_of_group(int group) {
  return group_colours[static_cast<std::size_t>(group) % std::size(group_colours)];
}

inline void dot_nodes(const ir::program& p, const grouping& g, const std::string& prefix, std::string& to) {
  const ir::detail::words_of_values words(p);
  std::vector<std::string> inside(g.titles.size());
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const int group = g.of.empty() ? -1 : g.of[static_cast<std::size_t>(i)];
    (group < 0 ? to : inside[static_cast<std::size_t>(group)]) +=
        "    " + prefix + "v" + std::to_string(i) + " [label=" + ir::detail::quoted(picture_label(p, words, i)) +
        ", fillcolor=\"" + std::string(colour_of(p[i].where)) + "\"];\n";
  }
  for (std::size_t k = 0; k < inside.size(); ++k)
    to += "  subgraph cluster_" + prefix + "group" + std::to_string(k) +
          " {\n    label=" + ir::detail::quoted(g.titles[k]) + ";\n    color=\"" +
          std::string(colour_of_group(static_cast<int>(k))) + "\";\n" + inside[k] + "  }\n";
  for (ir::value_id i = 0; i < p.size(); ++i)
    for (int k = 0; k < p[i].arity(); ++k)
      to += "  " + prefix + "v" + std::to_string(p[i].operands[k]) + " -> " + prefix + "v" + std::to_string(i) + ";\n";
  int number = 0;
  for (const ir::output& o : p.outputs) {
    const std::string at = prefix + "output" + std::to_string(number);
    const std::string name = o.name.length == 0 ? "output " + std::to_string(number) : std::string(o.name.view());
    to += "  " + at + " [label=" + ir::detail::quoted(name) + ", peripheries=2, fillcolor=white];\n  " + prefix + "v" +
          std::to_string(o.at) + " -> " + at + ";\n";
    ++number;
  }
  number = 0;
  for (const ir::program& step : p.callees) {
    const std::string inner = prefix + "step" + std::to_string(number) + "_";
    to += "  subgraph cluster_" + inner + " {\n    label=\"step " + std::to_string(number) + "\";\n";
    dot_nodes(step, {}, inner, to);
    to += "  }\n";
    ++number;
  }
}

/// Layers from operands to readers; within a layer values stand near their operands and readers.
class svg_writer {
 public:
  svg_writer(const ir::program& of, const grouping& groups) : p(of), g(groups), words(of), is_output(of.size(), 0) {
    for (const ir::output& o : p.outputs) is_output[o.at] = 1;
    find_layers();
    for (int sweep = 0; sweep < 4; ++sweep) order_by_neighbours(sweep % 2 == 0);
    place();
  }
  int width() const { return std::max(total_width, 120); }
  int height() const { return static_cast<int>(layers.size()) * layer_height + 2 * margin; }

  /// The picture's content, in the coordinates of the drawing around it.
  std::string body(int dy) const {
    std::string r = "<g transform=\"translate(0," + std::to_string(dy) + ")\">\n";
    for (ir::value_id i = 0; i < p.size(); ++i)
      for (int k = 0; k < p[i].arity(); ++k) r += edge(p[i].operands[k], i);
    for (ir::value_id i = 0; i < p.size(); ++i) r += box(i);
    return r + "</g>\n";
  }

 private:
  static constexpr int letter = 7, box_height = 22, layer_height = 52, gap = 14, margin = 16;
  static constexpr std::size_t longest = 44;  // letters of a label

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void find_layers() {
    layer.assign(at(p.size()), 0);
    for (ir::value_id i = 0; i < p.size(); ++i)
      for (int k = 0; k < p[i].arity(); ++k) layer[at(i)] = std::max(layer[at(i)], layer[at(p[i].operands[k])] + 1);
    std::vector<int> latest(at(p.size()), -1);  // just above the first reader: lines stay short
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      if (latest[at(i)] >= 0) layer[at(i)] = latest[at(i)];
      for (int k = 0; k < p[i].arity(); ++k) {
        int& above = latest[at(p[i].operands[k])];
        above = above < 0 ? layer[at(i)] - 1 : std::min(above, layer[at(i)] - 1);
      }
    }
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (at(layer[at(i)]) >= layers.size()) layers.resize(at(layer[at(i)]) + 1);
      layers[at(layer[at(i)])].push_back(i);
    }
    rank.assign(at(p.size()), 0);
    for (const std::vector<ir::value_id>& row : layers)
      for (std::size_t k = 0; k < row.size(); ++k) rank[at(row[k])] = static_cast<double>(k);
  }

  /// By the mean rank of operands going down, of readers going up; ties keep their order.
  void order_by_neighbours(bool down) {
    std::vector<double> sum(at(p.size()), 0), count(at(p.size()), 0);
    for (std::size_t nth = 0; nth < layers.size(); ++nth) {
      std::vector<ir::value_id>& row = layers[down ? nth : layers.size() - 1 - nth];
      for (const ir::value_id i : row)
        if (down)
          for (int k = 0; k < p[i].arity(); ++k) sum[at(i)] += rank[at(p[i].operands[k])], count[at(i)] += 1;
      std::sort(row.begin(), row.end(), [&](ir::value_id a, ir::value_id b) {  // clang 19 warns of stable_sort
        const double one = count[at(a)] > 0 ? sum[at(a)] / count[at(a)] : rank[at(a)];
        const double other = count[at(b)] > 0 ? sum[at(b)] / count[at(b)] : rank[at(b)];
        return one < other || (one == other && rank[at(a)] < rank[at(b)]);
      });
      for (std::size_t k = 0; k < row.size(); ++k) {
        rank[at(row[k])] = static_cast<double>(k);
        if (!down)
          for (int n = 0; n < p[row[k]].arity(); ++n) {
            sum[at(p[row[k]].operands[n])] += static_cast<double>(k);
            count[at(p[row[k]].operands[n])] += 1;
          }
      }
    }
  }

  std::string label(ir::value_id i) const {
    const std::string all = picture_label(p, words, i);
    return utf8::letters_in(all) <= longest ? all : std::string(utf8::first_letters(all, longest - 2)) + "..";
  }
  int box_width(ir::value_id i) const { return static_cast<int>(utf8::letters_in(label(i))) * letter + 16; }

  void place() {
    x.assign(at(p.size()), 0);
    std::vector<int> widths;
    for (const std::vector<ir::value_id>& row : layers) {
      int width = 2 * margin - gap;
      for (const ir::value_id i : row) width += box_width(i) + gap;
      widths.push_back(width);
      total_width = std::max(total_width, width);
    }
    for (std::size_t k = 0; k < layers.size(); ++k) {
      int from = margin + (total_width - widths[k]) / 2;
      for (const ir::value_id i : layers[k]) {
        x[at(i)] = from;
        from += box_width(i) + gap;
      }
    }
  }

  int top(ir::value_id i) const { return margin + layer[at(i)] * layer_height; }
  int middle(ir::value_id i) const { return x[at(i)] + box_width(i) / 2; }

  std::string edge(ir::value_id from, ir::value_id to) const {
    const int x1 = middle(from), y1 = top(from) + box_height, x2 = middle(to), y2 = top(to), bend = (y1 + y2) / 2;
    const auto point = [](int a, int b) { return std::to_string(a) + ',' + std::to_string(b); };
    return "<path class=\"e\" d=\"M" + point(x1, y1) + " C" + point(x1, bend) + ' ' + point(x2, bend) + ' ' +
           point(x2, y2) + "\"/>\n";
  }
  std::string box(ir::value_id i) const {
    const int group = g.of.empty() ? -1 : g.of[at(i)];
    std::string r = "<g><title>" + xml_text(picture_label(p, words, i)) + "\n" + std::string(name_of(p[i].where.kind)) +
                    " " + std::string(name_of(p[i].type)) + " " + xml_text(ir::detail::scopes_text(p, p[i])) +
                    (group < 0 ? "" : "\n" + xml_text(g.titles[at(group)])) +
                    (g.notes.empty() ? "" : "\n" + xml_text(g.notes[at(i)])) + "</title><rect class=\"" +
                    std::string(name_of(p[i].where.kind)) + "\" x=\"" + std::to_string(x[at(i)]) + "\" y=\"" +
                    std::to_string(top(i)) + "\" width=\"" + std::to_string(box_width(i)) + "\" height=\"" +
                    std::to_string(box_height) + "\" rx=\"3\" fill=\"" + std::string(colour_of(p[i].where)) +
                    "\" stroke=\"" + std::string(group < 0 ? "#999999" : colour_of_group(group)) +
                    "\" stroke-width=\"" +
                    (is_output[i] ? "3"
                     : group < 0  ? "1"
                                  : "2") +
                    "\"/>";
    return r + "<text x=\"" + std::to_string(x[at(i)] + 8) + "\" y=\"" + std::to_string(top(i) + 15) + "\">" +
           xml_text(label(i)) + "</text></g>\n";
  }

  const ir::program& p;
  const grouping& g;
  ir::detail::words_of_values words;
  ir::flags is_output;
  std::vector<int> layer{}, x{};
  std::vector<std::vector<ir::value_id>> layers{};
  std::vector<double> rank{};
  int total_width = 0;
};

inline void svg_parts(const ir::program& p, const grouping& g, const std::string& title, std::string& to, int& width,
                      int& height) {
  if (!title.empty()) {
    to += "<text x=\"16\" y=\"" + std::to_string(height + 16) + "\" font-weight=\"bold\">" + xml_text(title) +
          "</text>\n";
    height += 20;
  }
  int right = 16;
  for (std::size_t k = 0; k < g.titles.size(); ++k) {  // a legend of frames, ten to a line
    if (k > 0 && k % 10 == 0) right = 16, height += 18;
    to += "<text x=\"" + std::to_string(right) + "\" y=\"" + std::to_string(height + 14) + "\" fill=\"" +
          std::string(colour_of_group(static_cast<int>(k))) + "\">" + xml_text(g.titles[k]) + "</text>\n";
    right += static_cast<int>(utf8::letters_in(g.titles[k])) * 7 + 18;
    width = std::max(width, right);
  }
  if (!g.titles.empty()) height += 18;
  const svg_writer own(p, g);
  to += own.body(height);
  width = std::max(width, own.width());
  height += own.height();
  int number = 0;
  for (const ir::program& step : p.callees)
    svg_parts(step, {}, (title.empty() ? "" : title + ", ") + "step " + std::to_string(number++), to, width, height);
}

/// Calls f(output of a part before, statement) for each value of other parts that part k reads.
template <class F> void each_passed(const partitioned& cut, int k, const F& f) {
  const ir::program& reader = cut.parts[k].program;
  for (ir::value_id i = 0; i < reader.size(); ++i) {
    if (reader[i].code != ir::opcode::input) continue;
    const text& name = reader.inputs[reader[i].entry()].name;
    for (const int needed : cut.parts[k].needs)
      for (int o = 0; o < cut.parts[needed].program.outputs.size(); ++o)
        if (cut.parts[needed].program.outputs[o].name == name) f(part_output{needed, o}, i);
  }
}
inline std::string dot_name(const part_output& o) {
  return "part" + std::to_string(o.part) + "_output" + std::to_string(o.output);
}
inline std::string svg_of(const std::string& inside, int width, int height) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) + "\" height=\"" +
         std::to_string(height) + "\" viewBox=\"0 0 " + std::to_string(width) + ' ' + std::to_string(height) +
         "\" font-family=\"monospace\" font-size=\"11.5\"><style>.e{fill:none;stroke:#888;stroke-width:1}</style>\n" +
         inside + "</svg>\n";
}
inline constexpr std::string_view begin_of_dot =
    "digraph program {\n  node [shape=box, style=filled, fontname=monospace];\n";

}  // namespace detail

/// A program with the steps of its scans as a Graphviz graph: a box per value, coloured by space, a frame around each
/// group and each step, a double frame per output.
///
///   std::ofstream("gat.dot") << examine::to_dot(p, examine::groups_by_unit(p));   // dot -Tsvg gat.dot >gat.svg
inline std::string to_dot(const ir::program& p, const grouping& groups = {}) {
  std::string r(detail::begin_of_dot);
  detail::dot_nodes(p, groups, "", r);
  return r + "}\n";
}
/// The parts of a program, a frame around each; dashed lines lead from a part's outputs to their readers, and to the
/// outputs of the whole.
///
///   std::ofstream("parts.dot") << examine::to_dot(examine::partition(p, part_of));
inline std::string to_dot(const partitioned& cut) {
  std::string r(detail::begin_of_dot);
  for (int k = 0; k < cut.parts.size(); ++k) {
    const std::string prefix = "part" + std::to_string(k) + "_";
    r += "  subgraph cluster_" + prefix + " {\n    label=\"part " + std::to_string(cut.parts[k].id) +
         "\";\n    color=\"" + std::string(detail::colour_of_group(k)) + "\";\n";
    detail::dot_nodes(cut.parts[k].program, {}, prefix, r);
    r += "  }\n";
    detail::each_passed(cut, k, [&](const part_output& from, ir::value_id to) {
      r += "  " + detail::dot_name(from) + " -> " + prefix + "v" + std::to_string(to) + " [style=dashed];\n";
    });
  }
  for (int k = 0; k < cut.outputs.size(); ++k) {
    const std::string name = "output" + std::to_string(k);
    r += "  " + name + " [label=\"output " + std::to_string(k) + "\", peripheries=2, fillcolor=white];\n  " +
         detail::dot_name(cut.outputs[k]) + " -> " + name + " [style=dashed];\n";
  }
  return r + "}\n";
}

/// Draws as SVG, which needs no Graphviz: values in layers, groups in frames of one colour, outputs in thick frames,
/// steps below; the whole of a label shows under the pointer. 44 letters of a label are drawn.
inline std::string to_svg(const ir::program& p, const grouping& groups = {}) {
  std::string inside;
  int width = 0, height = 0;
  detail::svg_parts(p, groups, "", inside, width, height);
  return detail::svg_of(inside, width, height);
}
/// The parts of a program below one another, in the order in which they can run. A value read from an earlier part has
/// the name of its output there.
inline std::string to_svg(const partitioned& cut) {
  std::string inside;
  int width = 0, height = 0;
  for (const part& one : cut.parts) {
    std::string title = "part " + std::to_string(one.id);
    for (int k = 0; k < one.needs.size(); ++k)
      title += (k == 0 ? " reads part " : ", part ") + std::to_string(cut.parts[one.needs[k]].id);
    detail::svg_parts(one.program, {}, title, inside, width, height);
  }
  return detail::svg_of(inside, width, height);
}

}  // namespace stg::examine
