// Laying out the scratch of a unit, or of a chain of units.
#include <stg/codegen/cpu/scratch.hpp>

#include <algorithm>  // clamp, fill_n, max, min

#include <stg/codegen/cpu/target.hpp>  // most_vector_bytes

namespace stg::cpu {

namespace {

using codegen::plan_data;

// Bytes of a chunk's per-edge rows are measured as about a quarter of a first-level cache where rows are wide
// (choices::chunk_bytes). Rows of a few features are streamed through a second-level cache rather than computed twice:
// softmax wants all edges of a row in one chunk. What the units of a chain write of a block, and their products read of
// it (choices::block_bytes), is about as much as a first-level and a part of a second-level cache hold: 48 rows of 128
// floats are 5 % faster than 144.

/// No more than what is added up in a lane without losing digits (wide.hpp cuts further).
constexpr std::int64_t least_chunk_edges = 8, most_chunk_edges = 1024;

/// Blocks are whole groups of product_rows.
constexpr std::int64_t least_block_rows = 48, most_block_rows = 960;

class layout {
 public:
  layout(const plan_data& plan, const std::int64_t* extents, std::int64_t* offsets)
      : plan(plan), extents(extents), offsets(offsets) {
    std::fill_n(offsets, 2 * plan.size + 1, -1);
  }

  scratch_sizes run(int first, int last, std::int64_t block_rows) {
    const int first_step = plan.units[first].first_step, last_step = plan.units[last - 1].last_step;
    std::int64_t chunk = most_chunk_edges;
    for (int k = first_step; k < last_step; ++k) {
      const pass::step& s = plan.steps[k];
      if (s.is_loop) {
        chunk = std::min(chunk, chunk_of(s.index));
        continue;
      }
      if (!plan.stored[s.index] && !plan.joined[s.index])
        place(s.index, row(s.index) * (plan.in_block[s.index] ? block_rows : rows_of_masks(s.index)));
      place_state(s.index);
    }
    for (int k = first_step; k < last_step; ++k)
      if (plan.steps[k].is_loop) place_loop(plan.steps[k].index, chunk);
    return {chunk, bytes};
  }

 private:
  std::int64_t row(int i) const { return bytes_of_row(plan, i, extents); }
  std::int64_t edge(int i) const { return bytes_of_edge(plan, i, extents); }
  /// Rows of a value that are made at a time: masks are.
  std::int64_t rows_of_masks(int i) const {
    const ir::statement& s = plan.statements[i];
    return s.code == ir::opcode::keep_mask ? masks_at_a_time(row(i) / bytes_of(s.type)) : 1;
  }
  void place(int at, std::int64_t n) {
    if (offsets[at] >= 0) return;
    offsets[at] = bytes;
    bytes += (n + 2 * most_vector_bytes + 63) / 64 * 64;  // room for a last register that runs over the end
  }
  /// A top_share along features keeps its sums beside its maxima.
  void place_state(int i) {
    if (plan.statements[i].code == ir::opcode::reduce_top_share) place(plan.size + i, row(i));
  }

  /// Edges whose rows fit into a chunk.
  std::int64_t chunk_of(int l) const {
    const pass::planned_loop& loop = plan.loops[l];
    std::int64_t per_edge = 0;
    bool narrow = true;
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const pass::planned_value& v = plan.loop_statements[k];
      if (!is_here(l, v)) continue;
      per_edge += edge(v.at);
      narrow = narrow && pass::is_narrow(plan.statements[v.at]);
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = plan.loop_results[r].at;
      if (plan.statements[a].code == ir::opcode::top_share_edges) per_edge += edge(a);
    }
    if (per_edge == 0) return most_chunk_edges;
    const std::int64_t all = narrow ? plan.by.narrow_chunk_bytes : plan.by.chunk_bytes;
    return std::clamp(all / per_edge, least_chunk_edges, most_chunk_edges);
  }
  void place_loop(int l, std::int64_t chunk) {
    const pass::planned_loop& loop = plan.loops[l];
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const pass::planned_value& v = plan.loop_statements[k];
      if (!is_here(l, v)) continue;
      place(v.at, std::max(chunk, rows_of_masks(v.at)) * edge(v.at));
      place_state(v.at);
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = plan.loop_results[r].at;
      if (!plan.stored[a]) place(a, row(a));
      const bool keeps_chunk = plan.statements[a].code == ir::opcode::top_share_edges;  // its exponentials
      const std::int64_t state = state_bytes(plan, a, extents) + (keeps_chunk ? chunk * edge(a) : 0);
      if (state > 0) place(plan.size + a, state);
    }
  }
  bool is_here(int l, const pass::planned_value& v) const {
    const pass::edge_mode mode = plan.mode(l, v.at);
    return plan.root(v.at) == v.at && (mode == pass::edge_mode::rows || (mode == pass::edge_mode::across && v.kept));
  }

  const plan_data& plan;
  const std::int64_t* extents;
  std::int64_t* offsets;
  std::int64_t bytes = 0;
};

}  // namespace

std::int64_t bytes_of_edge(const plan_data& plan, int i, const std::int64_t* extents) {
  const ir::statement& s = plan.statements[i];
  return pass::is_narrow(s) ? pass::narrow_stride(s.dims.size()) * bytes_of(s.type) : bytes_of_row(plan, i, extents);
}

std::int64_t state_bytes(const plan_data& plan, int a, const std::int64_t* extents) {
  const ir::statement& s = plan.statements[a];
  if (s.code == ir::opcode::top_share_edges) return softmax_arrays * bytes_of_edge(plan, a, extents);
  if (s.code == ir::opcode::first_max_edge) return bytes_of_row(plan, s.operands[0], extents);
  return 0;
}

scratch_sizes lay_out(const plan_data& plan, int first, int last, const std::int64_t* extents, std::int64_t block_rows,
                      std::int64_t* offsets) {
  return layout(plan, extents, offsets).run(first, last, block_rows);
}

std::int64_t rows_of_block(const plan_data& plan, int first, int last, const std::int64_t* extents) {
  std::int64_t per_row = 0;
  for (int u = first; u < last; ++u)
    for (int k = plan.units[u].first_step; k < plan.units[u].last_step; ++k) {
      const int i = plan.steps[k].index;
      if (plan.stored[i] || plan.in_block[i]) per_row += bytes_of_row(plan, i, extents);
      if (plan.units[u].kind != pass::unit_kind::product) continue;
      const int x = plan.root(plan.statements[i].operands[0]);
      if (plan.lifetimes[x].first < first) per_row += bytes_of_row(plan, x, extents);  // made before the chain
    }
  const std::int64_t rows = plan.by.block_bytes / (per_row + 1) / least_block_rows * least_block_rows;
  return std::clamp(rows, least_block_rows, most_block_rows);
}

}  // namespace stg::cpu
