// Counting the bytes of a call's unit.
#include "unit_bytes.hpp"

#include <algorithm>  // max
#include <set>        // set
#include <utility>    // pair

#include <stg/codegen/exchanges.hpp>  // chain_of
#include <stg/codegen/operands.hpp>   // sparse_at
#include <stg/ir/fields.hpp>          // owner_side
#include <stg/op/list.hpp>            // info_of

#include "with_type.hpp"  // with_real_type

namespace stg::codegen {

namespace {

class byte_counter {
 public:
  byte_counter(const plan_data& plan, int unit, const launch& l) : plan_(plan), unit_(unit), l_(l) {}

  std::int64_t run() {
    const pass::planned_unit& u = plan_.units[unit_];
    for (int k = u.first_step; k < u.last_step; ++k)
      if (plan_.steps[k].is_loop) take_loop(plan_.loops[plan_.steps[k].index]);
      else take(plan_.steps[k].index);
    for (const int i : whole_) bytes_ += is_sparse(i) ? sparse_bytes(i) : bytes_of(i);
    return bytes_ + 8 * static_cast<std::int64_t>(offsets_.size()) * rows_of({ir::space::vertex, u.set});
  }

 private:
  const ir::statement& at(int i) const { return plan_.statements[i]; }
  bool is_input(int i) const { return at(i).code == ir::opcode::input; }
  std::int64_t rows_of(const ir::domain& where) const { return l_.graph.rows_of(where); }
  std::int64_t edges_of(int relation) const {
    const int own = relation == 0 ? plan_.units[unit_].relation : relation;
    return rows_of({ir::space::edge, own});
  }
  std::int64_t bytes_of(int i) const {
    const ir::statement& s = at(i);
    const std::int64_t steps = s.is_sequence() ? extent_of(s.over.code, l_.extents) : 1;
    return rows_of(s.where) * steps * bytes_of_row(plan_, i, l_.extents);
  }
  bool is_sparse(int i) const { return sparse_reader_ >= 0 && plan_.root(at(sparse_reader_).operands[0]) == i; }
  /// Entries, and the beginnings of rows: in a gradient of the transpose.
  std::int64_t sparse_bytes(int i) const {
    const bool by_column = at(sparse_reader_).code == ir::opcode::sparse_reduced_matmul;
    std::int64_t bytes = 0;
    with_real_type(at(i).type, [&](auto zero) {
      const auto& half =
          by_column ? sparse_at<decltype(zero)>(i, l_).by_column : sparse_at<decltype(zero)>(i, l_).by_row;
      bytes = half.entries() * static_cast<std::int64_t>(4 + sizeof zero) + 8 * half.count;
    });
    return bytes;
  }

  bool is_made_here(int i) const {
    return plan_.stored[i] && !is_input(i) && chain_of(plan_, plan_.lifetimes[i].first) == chain_of(plan_, unit_);
  }
  void read(int of) {
    const int i = plan_.root(of);
    if (is_input(i) || (plan_.stored[i] && !is_made_here(i))) whole_.insert(i);
    else if (at(i).code == ir::opcode::degree) offsets_.insert({at(i).relation(), at(i).side()});
  }
  void take(int i) {
    const ir::statement& s = at(i);
    if (ir::is_sparse_product(s)) sparse_reader_ = i;
    if (s.code == ir::opcode::degree) offsets_.insert({s.relation(), s.side()});
    if (plan_.stored[i]) whole_.insert(i);
    for (int k = 0; k < s.arity(); ++k) read(s.operands[k]);
  }
  void take_loop(const pass::planned_loop& loop) {
    const ir::direction along = pass::direction_of(loop.side);
    std::set<int> gathered;
    bool reads_ids = false;
    offsets_.insert({loop.relation, along});
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const pass::planned_value& v = plan_.loop_statements[k];
      if (!v.in_one_chunk) continue;
      const ir::statement& s = at(v.at);
      const op::category kind = op::info_of(s.code).kind;
      if (kind == op::category::dense || s.code == ir::opcode::input) whole_.insert(v.at);
      if (kind == op::category::dense) continue;
      if (kind == op::category::gather) {
        if (ir::owner_side(s.code) == along) read(s.operands[0]);
        else gathered.insert(plan_.root(s.operands[0]));
        continue;
      }
      reads_ids = reads_ids || kind == op::category::source;
      for (int o = 0; o < s.arity(); ++o)
        if (at(s.operands[o]).where != ir::space::edge) read(s.operands[o]);
    }
    for (int k = loop.first_result; k < loop.last_result; ++k) {
      const int r = plan_.loop_results[k].at;
      if (plan_.stored[r]) whole_.insert(r);
      reads_ids = reads_ids || at(r).where == ir::space::edge;
    }
    const std::int64_t edges = edges_of(loop.relation);
    for (const int i : gathered) bytes_ += edges * bytes_of_row(plan_, i, l_.extents);
    if (!gathered.empty()) bytes_ += 4 * edges;
    if (reads_ids && along == ir::direction::out) bytes_ += 8 * edges;
  }

  const plan_data& plan_;
  const int unit_;
  const launch& l_;
  std::int64_t bytes_ = 0;
  int sparse_reader_ = -1;
  std::set<int> whole_{};                              // arrays that are read or written once
  std::set<std::pair<int, ir::direction>> offsets_{};  // relations whose rows are looked up, and on which side
};

}  // namespace

std::int64_t unit_bytes(const plan_data& plan, int unit, const launch& l) {
  std::int64_t bytes = 0;
  const int last = unit + std::max(1, plan.units[unit].chained);
  for (int u = unit; u < last; ++u) {
    if (plan.units[u].kind == pass::unit_kind::scan) continue;
    bytes += byte_counter(plan, u, l).run();
  }
  return bytes;
}

}  // namespace stg::codegen
