// stg::explain_exchanges: what ranks send each other in a call on a part of a cut graph, and what runs meanwhile.
// stg::verify_overlap: an error where nothing does.
#pragma once

#include <concepts>     // derived_from
#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/call/explain.hpp>                      // programs_of, extents_of
#include <stg/distributed/cut.hpp>                   // cut
#include <stg/distributed/distributed_graph.hpp>     // distributed_graph
#include <stg/distributed/distributed_graphs.hpp>    // distributed_graphs
#include <stg/distributed/distributed_sequence.hpp>  // distributed_sequence

namespace stg {

/// One value that ranks exchange, or rows that each makes for itself.
struct exchange_report {
  std::string program;                   // inference, forward or gradient, or the steps of a scan in one of them
  std::string value;                     // `%7 (64) "h"`
  std::vector<std::string> names{};      // its names and tags
  std::vector<std::string> scopes{};     // the paths of those that it stands in
  std::string what;                      // rows of vertices, rows of edges, sums of blocks, made again
  std::string made_by, read_by;          // `unit 2, sweep along in-edges`
  std::string sent_behind{};             // likewise, where exchanges are merged and a later unit makes the last value
  std::int64_t rows = 0, bytes = 0;      // that are sent each time, to all
  std::int64_t times = 1;                // in a call: the steps of the scan that it happens in
  std::int64_t steps = 1;                // whose rows these are together, where each has a graph
  int peers = 0;                         // ranks that they are sent to, most of a rank
  std::vector<std::string> meanwhile{};  // what runs before the rows are waited for
  bool must_overlap = false;             // its scope says so (must_overlap of a lambda)
};

/// A sweep along edges, and what it costs by either way to cut it (cut_by).
struct shared_sweep {
  std::string program, unit;       // gradient, or the steps of a scan in it; `unit 5, sweep along out-edges`
  std::int64_t columns = 0;        // that ranks share; 0: it is cut by rows, since it mixes them, or all rows are there
  std::int64_t bytes_by_rows = 0;  // that are sent each time: rows of the halo that no sweep before it reads
  std::int64_t bytes_by_features = 0;     // rows that come and go, whoever else reads them
  std::int64_t memory_by_features = 0;    // of the rank that takes most, of the call's: columns of all rows
  std::int64_t messages_by_features = 0;  // room for messages, beside it: those that are sent and come at once
  std::int64_t times = 1;                 // in a call: the steps of the scan that it happens in
  cut_by way = cut_by::rows;              // in which a call cuts it
};

namespace detail {

std::vector<shared_sweep> sweeps_of_part(const compiled_programs& programs, const sizes& given, const graph& part);
std::vector<shared_sweep> sweeps_of_cut(const compiled_programs& programs, const sizes& given, const cut& of, int ranks,
                                        cut_by by);
std::vector<exchange_report> exchanges_of_part(const compiled_programs& programs, const sizes& given,
                                               const call_graph& part);
std::vector<exchange_report> exchanges_of_steps(const compiled_programs& programs, const sizes& given,
                                                const graph_sequence& whole, const cut& of, int ranks);
std::vector<exchange_report> exchanges_of_cut(const compiled_programs& programs, const sizes& given, const cut& of,
                                              int ranks, cut_by by);
std::string exchanges_text(const std::vector<exchange_report>& all, const std::vector<shared_sweep>& sweeps,
                           const std::string& of);
/// Error where nothing runs while a value of that name is exchanged.
void check_overlap(const std::vector<exchange_report>& all, std::string_view name);
/// The same of values whose scopes must overlap.
void check_overlap(const std::vector<exchange_report>& all);
graph graph_of_part(const distributed_graphs& part);
/// The rows of a program's kinds in a graph, by number. Errors as of a call on it.
sequence<kind_rows> kinds_on(const sequence<ir::kind>& kinds, const graph& on);

/// What reports_of says of the programs of a call on a graph.
template <const auto& F, const auto&... Wrt>
auto reports_on(const graph& on, const sizes& given, const auto& reports_of) {
  const std::vector<std::int64_t> extents = extents_of<F>(given);
  const sequence<kind_rows> kinds = kinds_on(canonical<ref<F>>::value.thaw().kinds, on);
  call_sizes n{on.vertices(), on.edges(), extents.data()};
  n.kinds = kinds.data();
  return reports_of(programs_of<default_backend, fixed_symbols<>, F, Wrt...>(n));
}
/// The same on a graph that changes.
template <const auto& F, const auto&... Wrt>
auto reports_on_steps(const graph_sequence& on, const sizes& given, const auto& reports_of) {
  const std::vector<std::int64_t> extents = extents_of<F>(given);
  const call_graph part(on);
  return reports_of(programs_of<default_backend, fixed_symbols<>, F, Wrt...>(sizes_of(part, extents.data())));
}

}  // namespace detail

/// The exchanges of a call of F on a part, as this rank sends them: of its training where explain has that, else of its
/// inference. given: run-time extents alone. Nothing is sent by this.
/// A value of a scan's steps has a report of each step; steps that run again, by checkpoints, send their rows again.
template <const auto& F, const auto&... Wrt>
std::vector<exchange_report> exchanges(const distributed_graph& part, const sizes& given = {}) {
  return detail::reports_on<F, Wrt...>(
      part, given, [&](const auto& programs) { return detail::exchanges_of_part(programs, given, part); });
}
template <const auto& F, const auto&... Wrt>
std::vector<exchange_report> exchanges(const distributed_graphs& part, const sizes& given = {}) {
  const graph on = detail::graph_of_part(part);
  return detail::reports_on<F, Wrt...>(
      on, given, [&](const auto& programs) { return detail::exchanges_of_part(programs, given, on); });
}
/// Of a graph that changes: rows and bytes in a scan's steps are those of all steps together.
template <const auto& F, const auto&... Wrt>
std::vector<exchange_report> exchanges(const distributed_sequence& part, const sizes& given = {}) {
  return detail::reports_on_steps<F, Wrt...>(
      part, given, [&](const auto& programs) { return detail::exchanges_of_part(programs, given, part); });
}
/// The same of all ranks of a cut, without any: rows and bytes are the sums. by: how ranks share sweeps along edges.
template <const auto& F, const auto&... Wrt>
std::vector<exchange_report> exchanges(const cut& of, int ranks, const sizes& given = {}, cut_by by = cut_by::rows) {
  return detail::reports_on<F, Wrt...>(of.whole(), given, [&](const auto& programs) {
    return detail::exchanges_of_cut(programs, given, of, ranks, by);
  });
}

/// The same of a sequence that is cut.
template <const auto& F, const auto&... Wrt>
std::vector<exchange_report> exchanges(const graph_sequence& whole, const cut& of, int ranks, const sizes& given = {}) {
  return detail::reports_on_steps<F, Wrt...>(whole, given, [&](const auto& programs) {
    return detail::exchanges_of_steps(programs, given, whole, of, ranks);
  });
}

/// The sweeps of such a call along edges, with what ranks send of them by rows and by features. None of several vertex
/// sets, whose sweeps are cut by rows.
///
///   for (const auto& s : stg::shared_sweeps<loss>(cut, 4)) std::cout << s.bytes_by_rows << s.bytes_by_features;
template <const auto& F, const auto&... Wrt>
std::vector<shared_sweep> shared_sweeps(const distributed_graph& part, const sizes& given = {}) {
  return detail::reports_on<F, Wrt...>(
      part, given, [&](const auto& programs) { return detail::sweeps_of_part(programs, given, part); });
}
template <const auto& F, const auto&... Wrt>
std::vector<shared_sweep> shared_sweeps(const cut& of, int ranks, const sizes& given = {}, cut_by by = cut_by::rows) {
  return detail::reports_on<F, Wrt...>(
      of.whole(), given, [&](const auto& programs) { return detail::sweeps_of_cut(programs, given, of, ranks, by); });
}

/// As a text: for each exchange the value, what is sent to how many ranks, and the units that run meanwhile; then the
/// sweeps.
///
///   std::cout << stg::explain_exchanges<loss>(cut, 4);
template <const auto& F, const auto&... Wrt>
std::string explain_exchanges(const distributed_graph& part, const sizes& given = {}) {
  return detail::exchanges_text(exchanges<F, Wrt...>(part, given), shared_sweeps<F, Wrt...>(part, given),
                                "rank " + std::to_string(part.ranks().rank()));
}
template <const auto& F, const auto&... Wrt>
std::string explain_exchanges(const distributed_graphs& part, const sizes& given = {}) {
  return detail::exchanges_text(exchanges<F, Wrt...>(part, given), {}, "rank " + std::to_string(part.ranks().rank()));
}
template <const auto& F, const auto&... Wrt>
std::string explain_exchanges(const distributed_sequence& part, const sizes& given = {}) {
  return detail::exchanges_text(exchanges<F, Wrt...>(part, given), {}, "rank " + std::to_string(part.ranks().rank()));
}
template <const auto& F, const auto&... Wrt>
std::string explain_exchanges(const graph_sequence& whole, const cut& of, int ranks, const sizes& given = {}) {
  return detail::exchanges_text(exchanges<F, Wrt...>(whole, of, ranks, given), {}, std::to_string(ranks) + " ranks");
}
template <const auto& F, const auto&... Wrt>
std::string explain_exchanges(const cut& of, int ranks, const sizes& given = {}, cut_by by = cut_by::rows) {
  return detail::exchanges_text(exchanges<F, Wrt...>(of, ranks, given, by),
                                shared_sweeps<F, Wrt...>(of, ranks, given, by), std::to_string(ranks) + " ranks");
}

/// Demands that something runs while the value of a name is exchanged, be it interior rows or units that do not read
/// it. The name is a tag's, an output's or the value's in explain, `%7`; or a scope's, of all values that are exchanged
/// in it and in the scopes in it, but for those that the call returns, behind which nothing runs. Errors: the unit that
/// reads it at once, and names of no exchange.
///
///   stg::verify_overlap<loss>(cut, 4, "h");
///   stg::verify_overlap<loss>(cut, 4, "conv1");
template <const auto& F, const auto&... Wrt>
void verify_overlap(const cut& of, int ranks, std::string_view name, const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(of, ranks, given), name);
}
template <const auto& F, const auto&... Wrt>
void verify_overlap(const graph_sequence& whole, const cut& of, int ranks, std::string_view name,
                    const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(whole, of, ranks, given), name);
}
template <const auto& F, const auto&... Wrt, class Part>
  requires std::derived_from<Part, distributed_graph> || std::derived_from<Part, distributed_graphs> ||
      std::derived_from<Part, distributed_sequence>
void verify_overlap(const Part& part, std::string_view name, const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(part, given), name);
}

/// The same of all scopes of which the lambda, or its schedule, says must_overlap.
///
///   stg::verify_overlap<loss>(cut, 4);
template <const auto& F, const auto&... Wrt> void verify_overlap(const cut& of, int ranks, const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(of, ranks, given));
}
template <const auto& F, const auto&... Wrt>
void verify_overlap(const graph_sequence& whole, const cut& of, int ranks, const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(whole, of, ranks, given));
}
template <const auto& F, const auto&... Wrt, class Part>
  requires std::derived_from<Part, distributed_graph> || std::derived_from<Part, distributed_graphs> ||
      std::derived_from<Part, distributed_sequence>
void verify_overlap(const Part& part, const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(part, given));
}

}  // namespace stg
