// The launch order of units, one after the other.
//
// Any ready unit, but first the ones that only read and give back little, so that large values need not wait for them.
// Reductions that come one after the other are one unit, and so is arithmetic of the graph, unless two of their values
// are to be computed apart.
#pragma once

#include <utility>  // swap

#include <stg/base/sequence.hpp>      // sequence
#include <stg/ir/decisions.hpp>       // decision
#include <stg/analysis/readings.hpp>  // reading, sorted_readings
#include <stg/analysis/unit.hpp>      // unit_kind, sweep_side

namespace stg::pass {

/// A unit before its statements are in order.
struct unit_slot {
  unit_kind kind = unit_kind::sweep;
  sweep_side side = sweep_side::none;  // of its loops; in, if they may be of any relation of its set
  int set = 0;                         // vertex set of its rows
  int relation = 0;                    // relation of its loops, if they are of one
};

namespace detail {

/// Numbers of units; takes the least first: a binary heap.
class earliest {
 public:
  constexpr bool is_empty() const { return all.empty(); }
  constexpr void push(int u) {
    all.push_back(u);
    for (int at = all.size() - 1; at > 0 && all[at] < all[(at - 1) / 2]; at = (at - 1) / 2)
      std::swap(all[at], all[(at - 1) / 2]);
  }
  constexpr int pop() {
    const int least = all[0], n = all.size() - 1;
    all[0] = all[n];
    all.pop_back();
    for (int at = 0, next = 1; next < n; at = next, next = 2 * at + 1) {
      if (next + 1 < n && all[next + 1] < all[next]) ++next;
      if (all[at] <= all[next]) break;
      std::swap(all[at], all[next]);
    }
    return least;
  }

 private:
  sequence<int> all{};
};

/// Gives back little: numbers of the graph, or a parameter's gradient.
constexpr bool is_small(const unit_slot& u) {
  return u.kind == unit_kind::reduction || u.kind == unit_kind::reduced_product || u.kind == unit_kind::graph;
}

/// Numbers the units anew, and with them unit_of, the unit of each value (-1: none).
constexpr void order_units(sequence<unit_slot>& units, sequence<int>& unit_of, const sequence<reading>& readings,
                           const sequence<ir::decision>& apart = {}) {
  const int n = units.size();
  sequence<reading> across;  // of units, not of values
  for (const reading& r : readings)
    if (unit_of[r.made] >= 0 && unit_of[r.reader] != unit_of[r.made])
      across.push_back({unit_of[r.reader], unit_of[r.made], false});
  const sorted_readings readers(across, &reading::made, n);
  sequence<int> waits_for(n, 0);  // readings
  for (const reading& r : across) ++waits_for[r.reader];
  earliest small, large;
  for (int u = 0; u < n; ++u)
    if (waits_for[u] == 0) (is_small(units[u]) ? small : large).push(u);
  sequence<int> at(n, -1), reads(n, -1);  // new numbers: of u, and of the last unit with values that u reads
  sequence<unit_slot> ordered;
  int last = -1;
  const auto is_barred = [&](int next) {
    bool barred = false;
    for (const ir::decision& pair : apart) {
      const int u = unit_of[pair.at], v = unit_of[pair.other], other = u == next ? v : v == next ? u : -1;
      barred = barred || (other >= 0 && at[other] == at[last]);
    }
    return barred;
  };
  for (int k = 0; k < n; ++k) {
    const int next = (small.is_empty() ? large : small).pop();
    const bool joins = last >= 0 && units[next].kind == units[last].kind &&
                       (units[next].kind == unit_kind::graph ||
                        (units[next].kind == unit_kind::reduction && reads[next] != at[last])) &&
                       !is_barred(next);
    if (!joins) ordered.push_back(units[next]);
    at[next] = ordered.size() - 1;
    for (const reading& r : readers[next]) {
      reads[r.reader] = at[next];
      if (--waits_for[r.reader] == 0) (is_small(units[r.reader]) ? small : large).push(r.reader);
    }
    last = next;
  }
  for (int& u : unit_of)
    if (u >= 0) u = at[u];
  units = ordered;
}

}  // namespace detail

}  // namespace stg::pass
