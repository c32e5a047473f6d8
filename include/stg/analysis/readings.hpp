// readings: the values that units compute, and who reads whom. The input of fuse.
#pragma once

#include <utility>  // move

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/callees.hpp>     // arguments_of
#include <stg/ir/program.hpp>     // program
#include <stg/ir/decisions.hpp>   // promises
#include <stg/op/list.hpp>        // info_of
#include <stg/analysis/unit.hpp>  // is_free, reads_whole_rows

namespace stg::pass {

/// One value read by a second one. `row`: both belong to the same row, so one sweep can hold them.
struct reading {
  ir::value_id reader = ir::no_value;
  ir::value_id made = ir::no_value;
  bool row = false;
};

/// Readings side by side. Plain pointers, since every call counts against the budget of constant evaluation.
struct reading_range {
  const reading* first = nullptr;
  const reading* last = nullptr;
  constexpr const reading* begin() const { return first; }
  constexpr const reading* end() const { return last; }
  constexpr int size() const { return static_cast<int>(last - first); }
};

/// Readings sorted by one of their ends, so that nobody has to search all of them for one value's.
class sorted_readings {
 public:
  constexpr sorted_readings(const sequence<reading>& all, ir::value_id reading::*end, int statements)
      : rows(all.size()), first(statements + 1, 0) {
    for (const reading& r : all) ++first.first[(r.*end) + 1];
    for (int i = 1; i <= statements; ++i) first.first[i] += first.first[i - 1];
    sequence<int> next = first;
    for (const reading& r : all) rows.first[next.first[r.*end]++] = r;
  }
  constexpr reading_range operator[](ir::value_id i) const {
    return {rows.first + first.first[i], rows.first + first.first[i + 1]};
  }

 private:
  sequence<reading> rows;
  sequence<int> first;
};

/// The category of each statement.
constexpr sequence<op::category> kinds_of(const ir::program& p) {
  sequence<op::category> kinds(p.size());
  for (ir::value_id i = 0; i < p.size(); ++i) kinds.first[i] = op::info_of(p[i].code).kind;
  return kinds;
}

/// The values that units compute, and their readings.
struct placed_values {
  ir::flags is_output{};  // per statement, or promised to be stored; of reshapes, their root
  ir::flags is_placed{};  // everything but sources, reshapes and per-edge values of loops; of these, the ones in memory
  sequence<reading> readings{};
  sequence<reading> input_readings{};  // per-vertex values that read their row of an input
  sequence<op::category> kinds{};      // per statement
};

namespace detail {

class placed_finder {
 public:
  constexpr explicit placed_finder(const ir::program& of)
      : p(of), says(of), kinds(kinds_of(of)), seen_by(p.statements.size(), ir::no_value) {
    found.is_output.assign(p.statements.size(), 0);
    found.is_placed.assign(p.statements.size(), 0);
  }

  constexpr placed_values run() {
    ir::each_output(p, [this](ir::value_id i) { found.is_output[root_of(p, i)] = 1; });
    const ir::value_id n = p.size();
    for (ir::value_id i = 0; i < n; ++i) place(i);
    for (ir::value_id i = 0; i < n; ++i)
      if (found.is_placed.first[i]) find_readings(i);
    found.kinds = std::move(kinds);
    return std::move(found);
  }

 private:
  constexpr op::category kind_of(ir::value_id i) const { return kinds.first[i]; }
  constexpr bool is_graph_arithmetic(ir::value_id i) const {
    return p[i].where == ir::space::graph && !reads_whole_rows(p[i]);
  }

  constexpr void place(ir::value_id i) {
    const ir::statement& s = p[i];
    const op::category kind = kind_of(i);
    const bool in_memory = found.is_output[i] && s.code != ir::opcode::input;
    const bool whole = reads_whole_rows(s), per_edge = s.where == ir::space::edge && !whole;
    found.is_placed.first[i] = per_edge || is_free(s) || says.is_widened(p, i) ? in_memory : true;
    if (ir::is_scan(s.code))
      for (const ir::value_id x : ir::arguments_of(p, s)) place_argument(root_of(p, x));
    if (kind == op::category::call) return;
    const bool by_other_rows = kind == op::category::gather || whole;
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id d = root_of(p, s.operands[k]);
      if (kind_of(d) != op::category::source || p[d].code == ir::opcode::input || p[d].where == ir::space::edge) {
        if (by_other_rows && p[d].code != ir::opcode::input && p[d].where != ir::space::graph)
          found.is_placed.first[d] = 1;
        continue;
      }
      // a sparse product's mask is drawn for the entries alone, the constant 1 masks nothing
      if (k == 2 && ir::is_sparse_product(s)) continue;
      const bool moved = kind == op::category::feature && p[d].code != ir::opcode::keep_mask;  // see draw_masks
      if (by_other_rows || moved) found.is_placed.first[d] = 1;  // a row of it is read in place
    }
  }

  /// Steps read it from memory in any case.
  constexpr void place_argument(ir::value_id x) {
    if (p[x].code != ir::opcode::input) found.is_placed.first[x] = 1;
  }

  constexpr void find_readings(ir::value_id i) {
    const ir::statement& s = p[i];
    const op::category kind = kind_of(i);
    if (kind == op::category::aggregate) return read_edges(i, s.operands[0], s.side());
    if (kind == op::category::call) {
      for (const ir::value_id x : ir::arguments_of(p, s)) read(i, x, false);
      return;  // a result, which has none, is there when the steps are done
    }
    const bool whole = reads_whole_rows(s);
    if (s.where == ir::space::edge && !whole) return read_edges(i, i, ir::direction::in);
    for (int k = 0; k < s.arity(); ++k) read(i, s.operands[k], !whole);
  }
  constexpr void read_edges(ir::value_id reader, ir::value_id e, ir::direction side) {
    if (seen_by.first[e] == reader) return;
    seen_by.first[e] = reader;
    if (p[e].where != ir::space::edge || reads_whole_rows(p[e])) return read(reader, e, false);
    if (kind_of(e) == op::category::gather) return read(reader, p[e].operands[0], ir::owner_side(p[e].code) == side);
    for (int k = 0; k < p[e].arity(); ++k) read_edges(reader, p[e].operands[k], side);
  }
  constexpr void read(ir::value_id reader, ir::value_id made, bool same_row) {
    made = root_of(p, made);
    if (!found.is_placed.first[made]) {
      if (says.is_widened(p, made)) return read(reader, p[made].operands[0], same_row);
      if (same_row && p[made].code == ir::opcode::input && p[reader].where == ir::space::vertex &&
          kind_of(reader) != op::category::aggregate)
        found.input_readings.push_back({reader, made, true});
      return;
    }
    reading r;
    r.reader = reader;
    r.made = made;
    r.row = same_row && !reads_whole_rows(p[made]) && is_graph_arithmetic(made) == is_graph_arithmetic(reader);
    found.readings.push_back(r);
  }

  const ir::program& p;
  ir::promises says;
  sequence<op::category> kinds;
  placed_values found{};
  sequence<ir::value_id> seen_by;  // the last reader seen
};

}  // namespace detail

constexpr placed_values find_placed(const ir::program& p) { return detail::placed_finder(p).run(); }

}  // namespace stg::pass
