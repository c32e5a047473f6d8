// The page of a program: what explain knows, folded, with equations, a chart of memory and drawings.
#include <stg/call/report.hpp>

#include <cstdio>      // snprintf
#include <filesystem>  // path
#include <fstream>     // ofstream

#include <stg/base/error.hpp>       // error
#include <stg/base/xml_text.hpp>    // xml_text
#include <stg/examine/picture.hpp>  // to_svg

#include "page_parts.hpp"       // equations_text, memory_chart
#include "page_style.hpp"       // page_style
#include "report_programs.hpp"  // planned_programs
#include "report_stored.hpp"    // choices_text
#include "report_summary.hpp"   // summary_text

namespace stg::detail {

std::string preformatted(const std::string& text) { return "<pre>" + xml_text(text) + "</pre>\n"; }
std::string folded(const std::string& title, const std::string& inside, bool is_open) {
  return std::string(is_open ? "<details open>" : "<details>") + "<summary>" + xml_text(title) + "</summary>\n" +
         inside + "</details>\n";
}

namespace {

using explained::program_with_plan;

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
      rows += "<tr class=\"" + std::string(name_of(s.where.kind)) + "\">";
      for (const std::string& cell :
           {ir::detail::spelled(i) + " = " + ir::detail::operation_text(p, s) + ir::detail::operands_text(s),
            ir::detail::where_text(p, s.where), std::string(name_of(s.type)), ir::detail::dims_text(p, s),
            words.all(i)})
        rows += "<td>" + xml_text(cell) + "</td>";
      rows += "</tr>\n";
    }
    const std::string title = (scopes.empty() ? "no scope" : scopes) + ", " + ir::detail::spelled(first) + " to " +
                              ir::detail::spelled(i - 1);
    r += folded(title, "<div class=\"scroll\"><table>" + rows + "</table></div>\n", true);
    first = i;
  }
  int number = 0;
  for (const ir::program& step : p.callees)
    r += folded("step " + std::to_string(number++), statements_table(step), false);
  return r;
}

/// Units are groups; where a pointer rests stands how many bytes a value has.
examine::grouping groups_of(const program_with_plan& h, const explained::measure& size) {
  examine::grouping g;
  for (ir::value_id i = 0; i < h.p.size(); ++i)
    g.notes.push_back(ir::is_part_of_scan(h.p[i].code) || h.p[i].code == ir::opcode::arguments ? ""
                      : h.p[i].code == ir::opcode::input || h.is_stored(i)
                          ? size(bytes_of_value(h.p, i)) + " bytes in memory"
                          : size(bytes_of_value(h.p, i)) + " bytes, were it stored");
  for (const int u : h.f.unit_of) g.of.push_back(u);
  for (int u = 0; u < h.unit_count(); ++u) g.titles.push_back(h.unit_name(u));
  return g;
}

constexpr const char* legend_of_drawing =
    "<p class=\"legend\"><i class=\"vertex\"></i>a row for each vertex<i class=\"edge\"></i>a row for each edge"
    "<i class=\"graph\"></i>one for the graph; frames of one colour are a unit, a thick one is an output</p>\n";

std::string section(const char* id, const std::string& title, const std::string& inside) {
  return "<section id=\"" + std::string(id) + "\"><h2>" + xml_text(title) + "</h2>\n" + inside + "</section>\n";
}
std::string tile(const std::string& number, const std::string& what) {
  return "<div class=\"tile\"><b>" + xml_text(number) + "</b><span>" + xml_text(what) + "</span></div>\n";
}

/// `23.6 M`.
std::string rounded(std::int64_t number) {
  constexpr const char* units[] = {"", " k", " M", " G", " T", " P", " E"};
  double n = static_cast<double>(number);
  int unit = 0;
  for (; n >= 1000; n /= 1000) ++unit;
  char letters[32];
  std::snprintf(letters, sizeof letters,
                unit == 0 || n >= 100 ? "%.0f%s"
                : n >= 10             ? "%.1f%s"
                                      : "%.2f%s",
                n, units[unit]);
  return letters;
}

std::string tiles_of(const program_with_plan& h, const sizes* given) {
  std::string r = tile(std::to_string(h.p.size()), "statements") + tile(std::to_string(h.unit_count()), "units");
  if (given != nullptr) {
    const explained::measure size(given);
    const unit_cost total = total_of(h);
    r += tile(rounded(size.value(total.bytes)) + "B", "moved at least") +
         tile(rounded(size.value(total.operations)), "operations");
  }
  return "<div class=\"tiles\">" + r + "</div>\n";
}

std::string program_section(const char* id, const std::string& title, const program_with_plan& h, const sizes* given) {
  const explained::measure size(given);
  return section(id, title,
                 tiles_of(h, given) + preformatted(explained::choices_text(h, size)) +
                     folded("program", statements_table(h.p), false) +
                     folded("units and their loops", preformatted(explained::units_text(h, size)), false) +
                     folded("drawing",
                            legend_of_drawing + std::string("<div class=\"picture\">") +
                                examine::to_svg(h.p, groups_of(h, size)) + "</div>\n",
                            true));
}

/// Sections by their ids and what the reader sees of them.
std::string navigation(bool trains) {
  std::string r;
  const auto add = [&](const char* id, const char* word) {
    r += "<a href=\"#" + std::string(id) + "\">" + word + "</a> ";
  };
  add("summary", "summary");
  add("equations", "equations");
  add("written", "as written");
  add("inference", "inference");
  add("inference-memory", "its memory");
  if (trains) {
    add("forward", "training, forward");
    add("gradient", "gradient");
    add("training-memory", "its memory");
  }
  return "<nav>" + r + "</nav>\n";
}

}  // namespace

std::string page(const std::string& path, const ir::program& canonical, const compiled_programs& all,
                 const sizes* given) {
  const explained::planned_programs planned(all);
  const std::string title = xml_text(std::filesystem::path(path).stem().string());
  std::string r =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
      "</title><meta name=\"viewport\" content=\"width=device-width\"><link rel=\"icon\" href=\"data:,\"><style>" +
      page_style + "</style></head><body>\n<header><h1>" + title + "</h1>\n" +
      navigation(planned.training.has_value()) + "</header><main>\n";
  r += section("summary", "summary", preformatted(explained::summary_text(all, planned, given, true)));
  r += section("equations", "equations", preformatted(equations_text(canonical)));
  r += section("written", "as it is written", folded("statements", statements_table(canonical), false));
  r += program_section("inference", "inference", planned.inference, given);
  r += section("inference-memory", "memory of inference, by unit",
               memory_chart(inference_memory_of(all, planned), given));
  if (planned.training) {
    r += program_section("forward", "training, forward", planned.training->forward, given);
    r += program_section("gradient", "training, gradient", planned.training->gradient, given);
    r += section("training-memory", "memory of training, by unit",
                 memory_chart(training_memory_of(all, planned), given));
  }
  return r + "</main></body></html>\n";
}

void write_whole_file(const std::string& path, const std::string& text) {
  std::ofstream to(path, std::ios::binary);
  to << text;
  to.close();
  if (!to) throw error("page " + path + " cannot be written; make its folder, and writable");
}

}  // namespace stg::detail
