// Rows of the halo that a rank makes for itself: of values that are made of inputs, degrees and random masks alone.
//
// They have to be the owner's to the bit, whatever instructions its kernel has: so operations are those that every
// processor rounds correctly, and no product is added to, which may be rounded once or twice.
#include <algorithm>  // min
#include <cstring>    // memcpy
#include <vector>     // vector

#include <stg/codegen/exchanges.hpp>  // exchanging
#include <stg/op/list.hpp>            // info_of
#include <stg/runtime/random.hpp>     // draw_keep_rows

#include "../runtime/kernels/draft_table.hpp"  // draft_table, draft_operands
#include "../runtime/kernels/isa_index.hpp"    // isa_index, STG_FOR_EACH_ISA
#include "with_type.hpp"                       // with_element, with_real_type

namespace stg::codegen {

namespace {

std::size_t whole(std::int64_t n) { return static_cast<std::size_t>(n); }

bool is_rounded_correctly(ir::opcode code) {
  switch (code) {
    case ir::opcode::add:
    case ir::opcode::sub:
    case ir::opcode::mul:
    case ir::opcode::div:
    case ir::opcode::negate:
    case ir::opcode::min:
    case ir::opcode::max:
    case ir::opcode::abs:
    case ir::opcode::sqrt:
    case ir::opcode::rsqrt:
    case ir::opcode::relu:
    case ir::opcode::less:
    case ir::opcode::less_equal:
    case ir::opcode::equal:
    case ir::opcode::not_equal:
    case ir::opcode::select:
      return true;
    default:
      return false;
  }
}
bool is_number_of_rows(ir::opcode code) { return code == ir::opcode::degree || code == ir::opcode::vertex_index; }
bool is_number(ir::opcode code) { return code == ir::opcode::constant || code == ir::opcode::vertex_count; }

/// Looks at all that a value is made of.
class made_of {
 public:
  made_of(const plan_data& plan, const rows_there* there) : plan_(plan), there_(there) {}

  bool rows_of_halo(int root) {
    const ir::statement& s = plan_.statements[root];
    if (s.where.set != 0) return false;  // degrees are of a relation, whose rows another set may have
    if (plan_.overwrites[root] >= 0)
      return false;  // the halo's rows there are another value's, which may be read again
    unit_ = plan_.lifetimes[root].first;
    return s.where == ir::space::vertex && op::info_of(s.code).kind == op::category::pointwise &&
           are_known(root, s, false);
  }

 private:
  static constexpr int most = 16;  // statements

  /// is_added: a sum or a difference reads it, or a value that is made of it.
  bool are_known(int i, const ir::statement& of, bool is_added) {
    const ir::statement& s = plan_.statements[i];
    if (++seen_ > most || s.is_sequence() || is_storage(s.type) || s.type == i32) return false;
    if (s.where != ir::space::vertex && s.where != ir::space::graph) return false;
    if (s.dims != of.dims && s.dims.rank != 0) return false;
    if (s.code == ir::opcode::input) {
      if (plan_.lifetimes[i].last < unit_) return false;  // its memory may be another value's by then
      return s.where == ir::space::graph || there_ == nullptr || there_[s.entry()] == rows_there::all;
    }
    if (s.code == ir::opcode::vertex_count && s.counted_set() != 0) return false;
    if (is_number_of_rows(s.code) || is_number(s.code) || s.code == ir::opcode::keep_mask) return is_real(s.type);
    if (!is_rounded_correctly(s.code) || (is_added && s.code == ir::opcode::mul)) return false;
    const bool adds = is_added || s.code == ir::opcode::add || s.code == ir::opcode::sub;
    for (int k = 0; k < s.arity(); ++k)
      if (ir::is_view(plan_.statements[s.operands[k]]) || !are_known(s.operands[k], of, adds)) return false;
    return true;
  }

  const plan_data& plan_;
  const rows_there* there_;
  int seen_ = 0;
  int unit_ = 0;  // that makes the value
};

constexpr const draft_table* tables[] = {STG_FOR_EACH_ISA(&draft_table)};

/// Computes some rows of values.
class rows_again {
 public:
  rows_again(const plan_data& plan, const launch& l) : plan_(plan), l_(l), kernels_(*tables[detail::isa_index()]) {}

  void compute(int i, std::int64_t first, std::int64_t count, std::int64_t width, std::byte* to) const {
    const ir::statement& s = plan_.statements[i];
    const std::int64_t mine = s.dims.rank == 0 ? 1 : width;  // numbers of a row
    if (s.code == ir::opcode::input) return copy(i, first, count, mine, to);
    if (s.code == ir::opcode::keep_mask) return draw(s, first, count, mine, to);
    if (is_number_of_rows(s.code) || is_number(s.code)) return write(s, first, count * mine, mine, to);
    const std::int64_t room = count * mine * std::int64_t{sizeof(double)};
    std::vector<std::byte> operands(whole(room * s.arity()));
    draft_operands from{};
    for (int k = 0; k < s.arity(); ++k) {
      const ir::statement& x = plan_.statements[s.operands[k]];
      std::byte* const rows = operands.data() + k * room;
      compute(s.operands[k], first, count, width, rows);
      if (mine > 1 && x.dims.rank == 0) widen(rows, count, mine, bytes_of(x.type));
      from.at[k] = rows;
    }
    const scalar_type type = plan_.statements[s.operands[s.arity() - 1]].type;
    const draft_pointwise kernel = kernels_.kernels(s.code, type).pointwise;
    kernel(to, from, s.real(), count * mine);
  }

 private:
  void copy(int i, std::int64_t first, std::int64_t count, std::int64_t width, std::byte* to) const {
    const ir::statement& s = plan_.statements[i];
    const std::int64_t row = width * bytes_of(s.type);
    for (std::int64_t r = 0; r < count; ++r)
      std::memcpy(to + r * row, l_.memory[i] + (s.where == ir::space::graph ? 0 : first + r) * row, whole(row));
  }
  void draw(const ir::statement& s, std::int64_t first, std::int64_t count, std::int64_t width, std::byte* to) const {
    with_real_type(s.type, [&](auto zero) {
      using T = decltype(zero);
      draw_keep_rows(reinterpret_cast<T*>(to), width, l_.draws.seed, l_.draws.number, l_.draws.first_site + s.site(),
                     count, width, s.drop_probability(),
                     [&](std::int64_t k) { return l_.graph.in.global_row(first + k); });
    });
  }
  double number(const ir::statement& s, std::int64_t row) const {
    if (s.code == ir::opcode::constant) return s.value();
    if (s.code == ir::opcode::vertex_count) return static_cast<double>(l_.graph.all_vertices);
    if (s.code == ir::opcode::vertex_index) return static_cast<double>(l_.graph.in.global_row(row));
    return static_cast<double>(l_.graph.edges_of(s.relation(), s.side()).known_degree(row));
  }
  void write(const ir::statement& s, std::int64_t first, std::int64_t n, std::int64_t width, std::byte* to) const {
    with_real_type(s.type, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t k = 0; k < n; ++k) reinterpret_cast<T*>(to)[k] = static_cast<T>(number(s, first + k / width));
    });
  }
  /// A number for each row becomes a row of equal ones.
  static void widen(std::byte* rows, std::int64_t count, std::int64_t width, std::int64_t bytes) {
    for (std::int64_t k = count * width; k-- > 0;)
      std::memmove(rows + k * bytes, rows + k / width * bytes, whole(bytes));
  }

  const plan_data& plan_;
  const launch& l_;
  const draft_table& kernels_;
};

}  // namespace

bool can_be_made_again(const plan_data& plan, int root, const rows_there* there) {
  return made_of(plan, there).rows_of_halo(root);
}

void exchanging::make_again(const exchange& e, const launch& l) const {
  constexpr std::int64_t at_a_time = 256;
  const std::int64_t row = row_bytes(e.value, l), width = row / bytes_of(plan_->statements[e.value].type);
  const rows_again rows(*plan_, l);
  for (std::int64_t first = l.graph.vertices; first < l.graph.neighbours; first += at_a_time)
    rows.compute(e.value, first, std::min(at_a_time, l.graph.neighbours - first), width,
                 l.memory[e.value] + first * row);
}

}  // namespace stg::codegen
