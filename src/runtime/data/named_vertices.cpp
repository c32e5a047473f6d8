// Edges and events between words: each new word gets the next number.
#include "events_order.hpp"   // check_and_sort
#include "json.hpp"           // json_file
#include "matrix_market.hpp"  // is_matrix_market
#include "text_lines.hpp"     // text_lines
#include "word.hpp"           // in_quotes, real_number

#include <stg/data/named_vertices.hpp>    // read_named_edge_list
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <optional>  // optional

namespace stg {

named_edges read_named_edge_list(const std::string& path) try {
  detail::text_lines lines("edge list", path);
  named_edges read;
  while (lines.next_line()) {
    if (lines.number() == 1 && detail::is_matrix_market(lines.rest()))
      lines.fail("begins a matrix, whose vertices are numbers; read it by read_edge_list");
    if (lines.is_no_row()) continue;
    const std::string_view src = lines.next_word(), dst = lines.next_word(), third = lines.next_word();
    const bool is_first = read.edges.src.empty();
    if (src.empty() || dst.empty()) lines.fail("has no second word; expected: src dst [weight]");
    const std::optional<double> weight = detail::real_number(third);
    if (!third.empty() && !weight) lines.fail("has weight " + detail::in_quotes(third) + "; expected a number");
    if (!lines.rest().empty()) lines.fail("has more than three words; expected: src dst [weight]");
    if (!is_first && third.empty() != read.edges.weights.empty())
      lines.fail(third.empty() ? "has no weight; expected one as on the lines before"
                               : "has a weight; expected none as on the lines before");
    lines.add(read.edges.src, read.names.add(src));
    lines.add(read.edges.dst, read.names.add(dst));
    if (weight) lines.add(read.edges.weights, *weight);
  }
  return read;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

named_events read_events_ndjson(const std::string& path, const event_members& members) try {
  detail::text_lines lines("json", path);
  named_events read;
  while (lines.next_line()) {
    if (lines.rest().empty()) continue;
    const detail::json_file line(path + " line " + std::to_string(lines.number()), lines.rest());
    const detail::json_object event(line.root(), "");
    const auto vertex = [&](const std::string& member) {
      const std::string id = event.at(member).id(member);  // begins with a quote where it is a text
      return read.names.add(id.starts_with('"') ? id.substr(1) : id);
    };
    lines.add(read.events.src, vertex(members.src));
    lines.add(read.events.dst, vertex(members.dst));
    lines.add(read.events.time, event.at(members.time).number(members.time));
    if (!members.value.empty()) lines.add(read.events.values, event.at(members.value).number(members.value));
  }
  detail::check_and_sort(read.events, path);
  return read;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
