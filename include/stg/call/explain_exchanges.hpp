// stg::explain_exchanges: what ranks send each other in a call on a part of a cut graph, and what runs meanwhile.
// stg::verify_overlap: an error where nothing does.
#pragma once

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/call/explain.hpp>                   // programs_of, extents_of
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph

namespace stg {

/// One value that ranks exchange, or rows that each makes for itself.
struct exchange_report {
  std::string program;                   // inference, forward or gradient
  std::string value;                     // `%7 (64) "h"`
  std::vector<std::string> names{};      // its names and tags
  std::string what;                      // rows of vertices, rows of edges, sums of blocks, made again
  std::string made_by, read_by;          // `unit 2, sweep along in-edges`
  std::int64_t rows = 0, bytes = 0;      // that are sent in a call, to all; of a scan in each step
  int peers = 0;                         // ranks that they are sent to, most of a rank
  std::vector<std::string> meanwhile{};  // what runs before the rows are waited for
};

/// A sweep along edges, and what it costs by either way to cut it (cut_by).
struct shared_sweep {
  std::string program, unit;       // gradient; `unit 5, sweep along out-edges`
  std::int64_t columns = 0;        // that ranks share; 0: it is cut by rows, since it mixes them, or all rows are there
  std::int64_t bytes_by_rows = 0;  // that are sent in a call: rows of the halo that no sweep before it reads
  std::int64_t bytes_by_features = 0;   // rows that come and go, whoever else reads them
  std::int64_t memory_by_features = 0;  // of the rank that takes most, beside the call's own: columns of all rows
};

namespace detail {

std::vector<shared_sweep> sweeps_of_part(const compiled_programs& programs, const sizes& given, const rank_rows& part);
std::vector<shared_sweep> sweeps_of_cut(const compiled_programs& programs, const sizes& given, const cut& of,
                                        int ranks);
std::vector<exchange_report> exchanges_of_part(const compiled_programs& programs, const sizes& given,
                                               const rank_rows& part);
std::vector<exchange_report> exchanges_of_cut(const compiled_programs& programs, const sizes& given, const cut& of,
                                              int ranks);
std::string exchanges_text(const std::vector<exchange_report>& all, const std::vector<shared_sweep>& sweeps,
                           const std::string& of);
/// Error where nothing runs while a value of that name is exchanged.
void check_overlap(const std::vector<exchange_report>& all, std::string_view name);
const rank_rows& rows_of_part(const distributed_graph& part);

template <const auto& F, const auto&... Wrt>
compiled_programs programs_on_ranks(const sizes& given, std::int64_t vertices, std::int64_t edges) {
  const std::vector<std::int64_t> extents = extents_of<F>(given);
  return programs_of<default_backend, fixed_symbols<>, F, Wrt...>({vertices, edges, extents.data()});
}

}  // namespace detail

/// The exchanges of a call of F on a part, as this rank sends them: of its training where explain has that, else of its
/// inference. given: run-time extents alone. Nothing is sent by this.
template <const auto& F, const auto&... Wrt>
std::vector<exchange_report> exchanges(const distributed_graph& part, const sizes& given = {}) {
  return detail::exchanges_of_part(detail::programs_on_ranks<F, Wrt...>(given, part.vertices(), part.edges()), given,
                                   detail::rows_of_part(part));
}
/// The same of all ranks of a cut, without any: rows and bytes are the sums.
template <const auto& F, const auto&... Wrt>
std::vector<exchange_report> exchanges(const cut& of, int ranks, const sizes& given = {}) {
  const graph& whole = of.whole();
  return detail::exchanges_of_cut(detail::programs_on_ranks<F, Wrt...>(given, whole.vertices(), whole.edges()), given,
                                  of, ranks);
}

/// The sweeps of such a call along edges, with what ranks send of them by rows and by features.
///
///   for (const auto& s : stg::shared_sweeps<loss>(cut, 4)) std::cout << s.bytes_by_rows << s.bytes_by_features;
template <const auto& F, const auto&... Wrt>
std::vector<shared_sweep> shared_sweeps(const distributed_graph& part, const sizes& given = {}) {
  return detail::sweeps_of_part(detail::programs_on_ranks<F, Wrt...>(given, part.vertices(), part.edges()), given,
                                detail::rows_of_part(part));
}
template <const auto& F, const auto&... Wrt>
std::vector<shared_sweep> shared_sweeps(const cut& of, int ranks, const sizes& given = {}) {
  const graph& whole = of.whole();
  return detail::sweeps_of_cut(detail::programs_on_ranks<F, Wrt...>(given, whole.vertices(), whole.edges()), given, of,
                               ranks);
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
std::string explain_exchanges(const cut& of, int ranks, const sizes& given = {}) {
  return detail::exchanges_text(exchanges<F, Wrt...>(of, ranks, given), shared_sweeps<F, Wrt...>(of, ranks, given),
                                std::to_string(ranks) + " ranks");
}

/// Demands that something runs while the value of a name is exchanged, be it interior rows or units that do not read
/// it. The name is a tag's, an output's or the value's in explain, `%7`. Errors: the unit that reads it at once, and
/// names of no exchange.
///
///   stg::verify_overlap<loss>(cut, 4, "h");
template <const auto& F, const auto&... Wrt>
void verify_overlap(const cut& of, int ranks, std::string_view name, const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(of, ranks, given), name);
}
template <const auto& F, const auto&... Wrt>
void verify_overlap(const distributed_graph& part, std::string_view name, const sizes& given = {}) {
  detail::check_overlap(exchanges<F, Wrt...>(part, given), name);
}

}  // namespace stg
