// Which sweeps are shared by columns, where each is cut in the cheapest way.
#include <stg/codegen/column_choice.hpp>

#include <cstddef>  // size_t, ptrdiff_t

#include <stg/codegen/exchanges.hpp>  // exchanges_of

#include "column_shares.hpp"  // column_shares, kernel_for

namespace stg::codegen {

namespace {

/// Counts bytes that all parts send, each as if it were a rank.
class choice {
 public:
  choice(const plan_data& plan, const rows_there* there, int results, const step_program* steps,
         const columns_for& call)
      : plan_(plan), there_(there), results_(results), steps_(steps), call_(call), parts_(call.part->whole->parts) {}

  /// Begins with all sweeps by columns; in their order each is cut by rows if the rows that it alone needs then are no
  /// more bytes than its columns. In the end all by rows may be less, where several sweeps read the same rows.
  std::vector<column_sweep> run(std::vector<column_sweep> by_columns) const {
    const std::int64_t all_by_rows = bytes_of_rows({});
    std::int64_t rows = bytes_of_rows(by_columns), columns = 0;
    for (const column_sweep& sweep : by_columns) columns += bytes_of_columns(sweep);
    for (std::size_t k = 0; k < by_columns.size();) {
      std::vector<column_sweep> others = by_columns;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const std::int64_t with_rows = bytes_of_rows(others), mine = bytes_of_columns(by_columns[k]);
      if (with_rows - rows > mine) {
        ++k;
        continue;
      }
      by_columns = std::move(others);
      rows = with_rows;
      columns -= mine;
    }
    if (all_by_rows <= rows + columns) return {};
    return by_columns;
  }

 private:
  std::int64_t bytes_of_rows(const std::vector<column_sweep>& by_columns) const {
    std::int64_t bytes = 0;
    for (const exchange& e : exchanges_of(plan_, there_, results_, steps_, by_columns)) {
      if (e.what == exchanged::sum || e.what == exchanged::made_again) continue;
      const ir::statement& s = plan_.statements[e.value];
      const std::int64_t steps = s.is_sequence() ? extent_of(s.over.code, call_.extents) : 1;
      bytes += (e.what == exchanged::vertices ? parts_.halo_rows : parts_.cut_edges) * steps *
               bytes_of_row(plan_, e.value, call_.extents);
    }
    return bytes;
  }
  /// Rows that come to the columns of each part, and rows that go back from them.
  std::int64_t bytes_of_columns(const column_sweep& sweep) const {
    const int parts = static_cast<int>(parts_.vertices.size());
    const column_shares shares(plan_, sweep, call_.extents, call_.kernels, parts);
    std::int64_t bytes = 0;
    for (int computes = 0; computes < parts; ++computes) {
      const auto add = [&](int value) {
        const bool is_edges = plan_.statements[value].where == ir::space::edge;
        const auto own = (is_edges ? parts_.edges : parts_.vertices)[static_cast<std::size_t>(computes)];
        const std::int64_t all = is_edges ? call_.part->all_edges : call_.part->all_vertices;
        bytes += (all - own) * shares.row_bytes(value, computes);
      };
      for (const int v : sweep.read) add(v);
      for (const int v : sweep.made)
        if (sweep.has_columns(v)) add(v);
    }
    return bytes;
  }

  const plan_data& plan_;
  const rows_there* there_;
  int results_;
  const step_program* steps_;
  const columns_for& call_;
  const sizes_of_parts& parts_;
};

}  // namespace

std::vector<column_sweep> chosen_column_sweeps(const plan_data& plan, const rows_there* there, int results,
                                               const step_program* steps, const columns_for& call) {
  const cut_by way = way_of(call.part);
  if (way == cut_by::rows || (way == cut_by::cheapest && call.kernels == nullptr)) return {};
  std::vector<column_sweep> all = column_sweeps_of(plan, there);
  if (way == cut_by::cheapest && call.kernels->groups > 0)
    std::erase_if(all, [&](const column_sweep& sweep) { return kernel_for(sweep, call.kernels) == nullptr; });
  return way == cut_by::features ? all : choice(plan, there, results, steps, call).run(std::move(all));
}

}  // namespace stg::codegen
