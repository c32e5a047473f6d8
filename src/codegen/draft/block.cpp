// Statements of a draft over a batch of rows.
#include "block.hpp"

#include <algorithm>  // min
#include <cstring>    // memcpy, memmove
#include <string>     // string

#include <stg/base/error.hpp>         // error
#include <stg/codegen/plan_view.hpp>  // is_own_of_edge
#include <stg/op/list.hpp>            // info_of
#include <stg/runtime/random.hpp>     // draw_keep_rows

#include "../../runtime/kernels/isa_index.hpp"  // isa_index
#include "../with_type.hpp"                     // with_element, with_real_type
#include "rows.hpp"                             // broadcast_rows, repeat_row

namespace stg::drafts {

namespace {

constexpr const draft_table* draft_tables[] = {STG_FOR_EACH_ISA(&draft_table)};

template <class Kernel> const Kernel& known(const Kernel& kernel, ir::opcode code) {
  if (kernel == nullptr) throw error("stg internal: a draft has no kernel for " + std::string(name_of(code)));
  return kernel;
}

}  // namespace

block::block(const drafted_plan& of, int unit, const scratch_layout& room, const launch& call, std::byte* scratch)
    : plan_(of),
      room_(room),
      call_(call),
      kernels_(*draft_tables[detail::isa_index()]),
      scratch_(scratch),
      unit_(of.data.units[unit]),
      side_(unit_.side) {
  edges_ = side_ == pass::sweep_side::out ? call.graph.out : call.graph.in;
}

void block::run(std::int64_t first, std::int64_t last) {
  for (; first < last; first += room_.rows) {
    const bool is_graph = unit_.kind == pass::unit_kind::graph;
    block_ = {is_graph ? ir::domain(ir::space::graph) : ir::domain(ir::space::vertex, unit_.set), first,
              std::min(room_.rows, last - first)};
    for (int k = unit_.first_step; k < unit_.last_step; ++k) {
      const pass::step& s = plan_.data.steps[k];
      if (s.is_loop) run_loop(plan_.data.loops[s.index], block_);
      else compute(s.index, block_, place(s.index, block_));
      if (!s.is_loop && plan_.watched.sees(s.index)) show(s.index, k, block_);
    }
  }
}

// ---- values ----

std::byte* block::place(int root, const batch& b) const {
  const ir::statement& s = at(root);
  if (s.where == ir::space::edge) {
    if (codegen::is_own_of_edge(s) && edges_.ids_are_positions()) return call_.memory[root] + b.first * row_bytes(root);
  } else if (is_in_memory(root)) {
    return call_.memory[root] + (s.where == ir::space::graph ? 0 : b.first * row_bytes(root));
  }
  return plan_.offsets[root] < 0 ? nullptr : scratch_ + plan_.offsets[root];
}

const std::byte* block::rows_of(int i, const batch& b, int k) const {
  const int root = plan_.data.root(i);
  const ir::statement& s = at(root);
  const std::byte* row = place(root, b);
  if (row != nullptr && (s.where == b.where || b.count == 1)) return row;
  std::byte* const to = operand_place(k);
  if (row == nullptr) write_source(s, plan_.widths[root], b, to);
  else repeat_row(to, row, b.count, row_bytes(root));
  return to;
}

const std::byte* block::broadcast(int i, const ir::statement& s, std::int64_t width, const batch& b, int k,
                                  bool& repeats) const {
  const int root = plan_.data.root(i);
  const ir::statement& x = at(root);
  std::byte* const to = operand_place(k);
  const std::byte* const row = place(root, b);
  const bool is_graphs = x.where == ir::space::graph;
  const std::int64_t elements = plan_.widths[root];
  repeats = is_graphs && elements == 1;
  if (repeats) {
    const std::int64_t n = draft_register / bytes_of(x.type);
    if (row != nullptr) repeat_row(to, row, n, bytes_of(x.type));
    else write_source(x, 1, {b.where, b.first, n}, to);
    return to;
  }
  if (elements == width) return rows_of(i, b, k);
  const axes from(at(i).dims, call_.extents), wanted(s.dims, call_.extents);
  const std::byte* given = row;
  const std::int64_t count = is_graphs ? 1 : b.count;
  if (given == nullptr) {
    std::byte* const source = operand_place(operand_places - 1);
    write_source(x, elements, {b.where, b.first, count}, source);
    given = source;
  }
  broadcast_rows(to, wanted, given, from, count, bytes_of(x.type));
  if (is_graphs) repeat_row(to + width * bytes_of(x.type), to, b.count - 1, width * bytes_of(x.type));
  return to;
}

double block::number_of(const ir::statement& s) const {
  switch (s.code) {
    case ir::opcode::constant:
      return s.value();
    case ir::opcode::extent_value:
      return static_cast<double>(codegen::extent_of(s.counted().code, call_.extents));
    case ir::opcode::vertex_count:
      return static_cast<double>(call_.graph.counted_vertices(s.counted_set()));
    default:
      throw error("stg internal: a draft reads " + std::string(name_of(s.code)) + ", which has no place");
  }
}

void block::show(int i, int where, const batch& b) const {
  plan_.watched.take(i, where, place(i, b), b.count, plan_.widths[i], [&](std::int64_t r) {
    return b.where == ir::space::edge ? edges_.edge_id(b.first + r) : b.first + r;
  });
}

// ---- statements ----

void block::compute(int i, const batch& b, std::byte* to) const {
  if (codegen::is_own_of_edge(at(i))) return gather(i, b, to);
  switch (op::info_of(at(i).code).kind) {
    case op::category::source:
      return write_source(at(i), plan_.widths[i], b, to);
    case op::category::pointwise:
      return write_pointwise(i, b, to);
    case op::category::feature:
      return write_feature(i, b, to);
    default:
      return gather(i, b, to);
  }
}

void block::write_source(const ir::statement& s, std::int64_t width, const batch& b, std::byte* to) const {
  if (s.code == ir::opcode::keep_mask) return draw_mask(s, width, b, to);
  const auto write = [&](const auto& number) {  // of a row and a feature
    codegen::with_element(s.type, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t r = 0; r < b.count; ++r)
        for (std::int64_t f = 0; f < width; ++f)
          reinterpret_cast<T*>(to)[r * width + f] = static_cast<T>(number(b.first + r, f));
    });
  };
  switch (s.code) {
    case ir::opcode::degree: {
      const adjacency& owned = call_.graph.edges_of(s.relation(), s.side());
      return write([&](std::int64_t row, std::int64_t) { return owned.known_degree(row); });
    }
    case ir::opcode::vertex_index:
      return write([&](std::int64_t row, std::int64_t) { return codegen::number_of_row(call_.graph, edges_, row); });
    case ir::opcode::edge_index:
      return write([&](std::int64_t k, std::int64_t) { return codegen::number_of_edge(call_.graph, edges_, k); });
    case ir::opcode::iota:
      return write([](std::int64_t, std::int64_t f) { return f; });
    default:
      return write([x = number_of(s)](std::int64_t, std::int64_t) { return x; });
  }
}

void block::draw_mask(const ir::statement& s, std::int64_t width, const batch& b, std::byte* to) const {
  const column_range& columns = plan_.columns;
  const bool has_columns = columns.has_columns != nullptr && columns.has_columns[&s - plan_.data.statements] != 0;
  if (has_columns && columns.first == columns.last) return;
  const std::int64_t all = has_columns ? width / (columns.last - columns.first) * columns.columns : width;
  codegen::with_real_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    draw_keep_rows(reinterpret_cast<T*>(to), all, call_.draws.seed, call_.draws.number,
                   call_.draws.first_site + s.site(), b.count, all, s.drop_probability(), [&](std::int64_t k) {
                     if (b.where == ir::space::edge) return edges_.global_edge(edges_.edge_id(b.first + k));
                     return edges_.global_row(b.first + k);
                   });
  });
  if (has_columns) leave_columns(s, width, b.count, to);
}

void block::leave_columns(const ir::statement& s, std::int64_t width, std::int64_t rows, std::byte* of) const {
  const column_range& columns = plan_.columns;
  const std::int64_t of_column = width / (columns.last - columns.first) * bytes_of(s.type);
  const std::int64_t row = width * bytes_of(s.type);
  for (std::int64_t r = 0; r < rows; ++r)
    std::memmove(of + r * row, of + (r * columns.columns + columns.first) * of_column, static_cast<std::size_t>(row));
}

void block::write_pointwise(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  const std::int64_t width = plan_.widths[i];
  draft_operands from{};
  for (int k = 0; k < s.arity(); ++k) from.at[k] = broadcast(s.operands[k], s, width, b, k, from.repeats[k]);
  const scalar_type type = at(s.operands[s.arity() - 1]).type;
  known(pointwise_kernel(s, type), s.code)(to, from, s.real(), b.count * width);
}
draft_pointwise block::pointwise_kernel(const ir::statement& s, scalar_type from) const {
  if (s.code == ir::opcode::cast) return kernels_.cast[static_cast<int>(s.type)][static_cast<int>(from)];
  if (!ir::applies_own(s.code)) return kernels_.kernels(s.code, from).pointwise;
  const own_operation& own = operation_of(s.operation());
  return s.type == scalar_type::f64 ? own.f64 : own.f32;
}

void block::gather(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  const std::int64_t bytes = row_bytes(i);
  const auto row_size = static_cast<std::size_t>(bytes);
  if (codegen::is_own_of_edge(s)) {
    for (std::int64_t k = 0; k < b.count; ++k)
      std::memcpy(to + k * bytes, call_.memory[i] + edges_.edge_id(b.first + k) * bytes, row_size);
    return;
  }
  const int root = plan_.data.root(s.operands[0]);
  if (pass::reads_own_row(s.code, side_)) {
    const std::byte* const rows = rows_of(s.operands[0], block_, 0);
    for_each_row(block_, b, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      repeat_row(to + first * bytes, rows + (row - block_.first) * bytes, count, bytes);
    });
  } else if (bytes == 4) {
    const auto* const table = reinterpret_cast<const std::uint32_t*>(call_.memory[root]);
    for (std::int64_t k = 0; k < b.count; ++k)
      reinterpret_cast<std::uint32_t*>(to)[k] = table[edges_.neighbour(b.first + k)];
  } else {
    for (std::int64_t k = 0; k < b.count; ++k)
      copy_row(to + k * bytes, call_.memory[root] + edges_.neighbour(b.first + k) * bytes, bytes);
  }
}

}  // namespace stg::drafts
