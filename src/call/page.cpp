// The page of a program: what explain knows, folded, with equations, a chart of memory and drawings.
#include <stg/call/report.hpp>

#include <filesystem>  // path
#include <fstream>     // ofstream

#include <stg/base/error.hpp>          // error
#include <stg/base/utf8.hpp>           // first_letters
#include <stg/examine/index_text.hpp>  // index_form_to_inputs, to_text
#include <stg/examine/picture.hpp>     // to_svg, escaped

#include "report_programs.hpp"  // planned_programs
#include "report_stored.hpp"    // choices_text
#include "report_summary.hpp"   // summary_text

namespace stg::detail {

namespace {

using examine::detail::escaped;
using explained::program_with_plan;

// Light or dark as the reader's system is; drawings stay on a light ground.
constexpr const char* page_style = R"(
:root { color-scheme: light dark; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 110rem; padding: 0 1rem; }
pre, table { font: 12px/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; }
table { border-collapse: collapse; }
td, th { padding: .1rem .8rem .1rem 0; text-align: left; white-space: pre; }
summary { cursor: pointer; font-weight: 600; margin: .3rem 0; }
details details { margin-left: 1rem; }
.picture { overflow: auto; max-height: 80vh; background: #fff; color: #000; border: 1px solid #bbb; }
.bar { fill: #5b9bd5; } .over { fill: #b9d4ee; } .total { fill: #c2571a; }
)";

std::string pre(const std::string& text) { return "<pre>" + escaped(text) + "</pre>\n"; }
std::string folded(const std::string& title, const std::string& inside, bool is_open) {
  return std::string(is_open ? "<details open>" : "<details>") + "<summary>" + escaped(title) + "</summary>\n" +
         inside + "</details>\n";
}

/// Equations of each output of the lambda's program, or why it has none.
std::string equations_text(const ir::program& p) {
  std::string r;
  for (const ir::output& o : p.outputs) {
    try {
      r += std::string(examine::to_text(p, examine::index_form_to_inputs(p, o.at)).view()) + "\n\n";
    } catch (const examine::operation_has_no_index_form& e) {
      r += ir::detail::spelled(o.at) + ": " + (e.what() + sizeof "stg:") + "\n\n";
    }
  }
  return r;
}

/// Statements, those that follow each other in the same scopes folded together.
std::string statements_table(const ir::program& p) {
  const ir::detail::words_of_values words(p);
  std::string r;
  for (ir::value_id first = 0; first < p.size();) {
    const std::string scopes = ir::detail::scopes_text(p, p[first]);
    std::string rows;
    ir::value_id i = first;
    for (; i < p.size() && ir::detail::scopes_text(p, p[i]) == scopes; ++i) {
      const ir::statement& s = p[i];
      rows += "<tr>";
      for (const std::string& cell :
           {ir::detail::spelled(i) + " = " + ir::detail::operation_text(p, s) + ir::detail::operands_text(s),
            ir::detail::where_text(p, s.where), std::string(name_of(s.type)), ir::detail::dims_text(p, s),
            words.all(i)})
        rows += "<td>" + escaped(cell) + "</td>";
      rows += "</tr>\n";
    }
    const std::string title = (scopes.empty() ? "no scope" : scopes) + ", " + ir::detail::spelled(first) + " to " +
                              ir::detail::spelled(i - 1);
    r += folded(title, "<table>" + rows + "</table>\n", true);
    first = i;
  }
  int number = 0;
  for (const ir::program& step : p.callees)
    r += folded("step " + std::to_string(number++), statements_table(step), false);
  return r;
}

examine::grouping groups_of(const program_with_plan& h) {
  examine::grouping g;
  for (const int u : h.f.unit_of) g.of.push_back(u);
  for (int u = 0; u < h.unit_count(); ++u) g.titles.push_back(h.unit_name(u));
  return g;
}

/// A row for each stored value, from the unit that writes it to the last that reads it; with sizes, what is alive in
/// each unit.
std::string memory_chart(const explained::block_use& block, const sizes* given) {
  constexpr int row = 18, left = 260, unit = 36;
  const explained::measure size(given);
  std::string r;
  int y = 20;
  for (int u = 0; u < block.units; ++u)
    r += "<text x=\"" + std::to_string(left + u * unit + 8) + "\" y=\"12\">" + std::to_string(u) + "</text>\n";
  std::vector<std::int64_t> alive(static_cast<std::size_t>(block.units), 0);
  for (const explained::stored_value& v : block.values) {
    if (v.is_callers) continue;
    const std::string bytes = size(v.bytes);
    const int last = v.last < block.units ? v.last : block.units - 1;  // what the caller gets is kept after the last
    r += "<text x=\"0\" y=\"" + std::to_string(y + 12) + "\">" + escaped(utf8::first_letters(v.text, 36)) +
         "</text><rect class=\"" + (v.is_over ? "over" : "bar") + "\" x=\"" + std::to_string(left + v.first * unit) +
         "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string((last - v.first + 1) * unit - 3) +
         "\" height=\"14\"><title>" + escaped(v.text + ": bytes " + bytes) + "</title></rect>\n";
    y += row;
    for (int u = v.first; u <= last && given != nullptr && !v.is_over; ++u)
      alive[static_cast<std::size_t>(u)] += size.value(v.bytes);
  }
  std::int64_t most = 0;
  for (const std::int64_t bytes : alive) most = bytes > most ? bytes : most;
  for (int u = 0; u < block.units && most > 0; ++u) {
    const std::int64_t bytes = alive[static_cast<std::size_t>(u)];
    const int height = static_cast<int>(100.0 * static_cast<double>(bytes) / static_cast<double>(most));
    r += "<rect class=\"total\" x=\"" + std::to_string(left + u * unit) + "\" y=\"" + std::to_string(y + 110 - height) +
         "\" width=\"" + std::to_string(unit - 3) + "\" height=\"" + std::to_string(height) + "\"><title>unit " +
         std::to_string(u) + ": " + std::to_string(bytes) + " bytes</title></rect>\n";
  }
  if (most > 0) {
    r += "<text x=\"0\" y=\"" + std::to_string(y + 105) + "\">alive at once, at most " + std::to_string(most) +
         " bytes of values</text>\n";
    y += 116;
  }
  const std::string width = std::to_string(left + block.units * unit + 16), height = std::to_string(y + 6);
  return "<div class=\"picture\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
         "\" viewBox=\"0 0 " + width + ' ' + height + "\" font-family=\"monospace\" font-size=\"11.5\">\n" + r +
         "</svg></div>\n";
}

std::string program_section(const std::string& title, const program_with_plan& h, const sizes* given) {
  return folded(
      title + ": " + std::to_string(h.p.size()) + " statements, " + std::to_string(h.unit_count()) + " units",
      pre(explained::choices_text(h, explained::measure(given))) + folded("program", statements_table(h.p), false) +
          folded("units and their loops", pre(explained::units_text(h, explained::measure(given))), false) +
          folded("drawing", "<div class=\"picture\">" + examine::to_svg(h.p, groups_of(h)) + "</div>\n", true),
      true);
}

}  // namespace

std::string page(const std::string& path, const ir::program& canonical, const compiled_programs& all,
                 const sizes* given) {
  const explained::planned_programs planned(all);
  const std::string title = escaped(std::filesystem::path(path).stem().string());
  std::string r = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
                  "</title><link rel=\"icon\" href=\"data:,\"><style>" + page_style + "</style></head><body>\n<h1>" +
                  title + "</h1>\n";
  r += folded("summary", pre(explained::summary_text(all, planned, given, true)), true);
  r += folded("equations", pre(equations_text(canonical)), true);
  r += folded("as it is written", statements_table(canonical), false);
  r += program_section("inference", planned.inference, given);
  r += folded("memory of inference, by unit", memory_chart(inference_memory_of(all, planned), given), true);
  if (planned.training) {
    r += program_section("training, forward", planned.training->forward, given);
    r += program_section("training, gradient", planned.training->gradient, given);
    r += folded("memory of training, by unit", memory_chart(training_memory_of(all, planned), given), true);
  }
  return r + "</body></html>\n";
}

void write_whole_file(const std::string& path, const std::string& text) {
  std::ofstream to(path, std::ios::binary);
  to << text;
  to.close();
  if (!to) throw error("page " + path + " cannot be written; make its folder, and writable");
}

}  // namespace stg::detail
