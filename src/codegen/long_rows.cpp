// What loops make of long rows, part by part, and put together.
#include <stg/codegen/cpu/long_rows.hpp>

#include <algorithm>    // lower_bound, min
#include <cstring>      // memcpy
#include <type_traits>  // type_identity

#include <stg/base/lowest.hpp>          // lowest
#include <stg/base/math.hpp>            // functions
#include <stg/codegen/cpu/scratch.hpp>  // bytes_of_edge, state_bytes
#include <stg/op/list.hpp>              // ElementwiseAggregate, visit
#include <stg/runtime/parallel.hpp>     // parallel_in_slots

#include "with_type.hpp"  // with_type

namespace stg::cpu {

namespace {

using codegen::bytes_of_row;
using codegen::plan_data;
using codegen::with_type;

constexpr std::int64_t whole_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
/// Rows are written by whole registers, which may run over their end.
constexpr std::int64_t room_for(std::int64_t bytes) { return whole_lines(bytes + 64); }

template <class T> void join_numbers(ir::opcode code, T* to, const T* from, std::int64_t n) {
  op::visit(code, [&]<class Op>(std::type_identity<Op>) {
    if constexpr (op::ElementwiseAggregate<Op>)
      for (std::int64_t f = 0; f < n; ++f) to[f] = Op::apply(to[f], from[f]);
  });
}

template <class T>
void join_first_max(std::int32_t* to, const std::int32_t* from, T* most, const T* most_of_part, std::int64_t n) {
  for (std::int64_t f = 0; f < n; ++f) {
    if (!(most[f] < most_of_part[f])) continue;
    most[f] = most_of_part[f];
    to[f] = from[f];
  }
}

/// The state of a top_share: maxima, sums of exponentials of what is left of each score, their inverses.
template <class T> void join_exponentials(T* shift, const T* shift_of_part, std::int64_t stride) {
  T* const sum = shift + stride;
  const T* const sum_of_part = shift_of_part + stride;
  for (std::int64_t f = 0; f < stride; ++f) {
    if (sum_of_part[f] == 0) continue;  // nothing but -∞
    const bool begins = sum[f] == 0;
    T to = !begins && shift_of_part[f] < shift[f] ? shift[f] : shift_of_part[f];
    if (sum_of_part[f] == -lowest<T>()) to = shift_of_part[f];  // infinite sums stay what they are
    if (sum[f] == -lowest<T>()) to = shift[f];
    sum[f] = (begins ? T{} : sum[f] * math::functions<T>::exp(shift[f] - to)) +
             sum_of_part[f] * math::functions<T>::exp(shift_of_part[f] - to);
    shift[f] = to;
  }
}
template <class T> void finish_exponentials(T* to, T* shift, std::int64_t stride, std::int64_t n) {
  T *const sum = shift + stride, *const inverse = sum + stride;
  for (std::int64_t f = 0; f < n; ++f) {
    to[f] = inverse[f] = 1 / sum[f];
  }
}

}  // namespace

long_row_results::long_row_results(const plan_data& plan, int unit, const codegen::launch& call, std::byte* memory)
    : plan_(plan), unit_(unit), graph_(call.graph), extents_(call.extents), memory_(memory) {
  codegen::for_each_relation(plan, unit, [&](int loop) {
    rows_ += cut_of(loop).count;
    parts_ = std::max(parts_, std::int64_t{cut_of(loop).parts});
  });
  if (rows_ == 0) return;
  for_each_result([&](int, int, std::int64_t, std::int64_t end) { record_bytes_ = end; });
  own_bytes_ = whole_lines(plan.size * std::int64_t{sizeof(std::byte*)});
  for_each_row([&](int i) { own_bytes_ += room_for(bytes_of_row(plan_, i, extents_)); });
}

std::int64_t long_row_results::bytes(std::int64_t threads) const {
  return rows_ == 0 ? 0 : (parts_ + rows_) * record_bytes_ + threads * own_bytes_;
}

/// What the loops over the relation of this one make of its long row number `at`.
std::byte* long_row_results::row_record(int loop, int at) const {
  std::int64_t before = parts_;
  bool is_before = true;
  codegen::for_each_relation(plan_, unit_, [&](int other) {
    is_before = is_before && plan_.loops[other].edges() != plan_.loops[loop].edges();
    if (is_before) before += cut_of(other).count;
  });
  return part_record(before + at);
}

/// Calls body(loop, aggregate, begin, end) for what the unit's loops make of a vertex, and where it lies in a record.
template <class Body> void long_row_results::for_each_result(const Body& body) const {
  std::int64_t begin = 0;
  for (int k = plan_.units[unit_].first_step; k < plan_.units[unit_].last_step; ++k) {
    if (!plan_.steps[k].is_loop) continue;
    const pass::planned_loop& loop = plan_.loops[plan_.steps[k].index];
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = plan_.loop_results[r].at;
      if (plan_.statements[a].where == ir::space::edge) continue;
      const std::int64_t end =
          begin + whole_lines(bytes_of_row(plan_, a, extents_)) + whole_lines(state_bytes(plan_, a, extents_));
      body(plan_.steps[k].index, a, begin, end);
      begin = end;
    }
  }
}

/// Calls body(i) for every value of which the unit writes a row to memory.
template <class Body> void long_row_results::for_each_row(const Body& body) const {
  for (int k = plan_.units[unit_].first_step; k < plan_.units[unit_].last_step; ++k)
    if (const pass::step& s = plan_.steps[k]; !s.is_loop && plan_.stored[s.index]) body(s.index);
  for_each_result([&](int, int a, std::int64_t, std::int64_t) {
    if (plan_.stored[a]) body(a);
  });
}

/// Copies the results of a loop from a row to a record, or back.
void long_row_results::copy(int loop, const row_values& row, std::byte* record, copy_direction where) const {
  const auto move = [&](std::byte* in_row, std::byte* in_record, std::int64_t bytes) {
    const auto n = static_cast<std::size_t>(bytes);
    if (where == copy_direction::to_record) std::memcpy(in_record, in_row, n);
    else std::memcpy(in_row, in_record, n);
  };
  for_each_result([&](int of, int a, std::int64_t begin, std::int64_t) {
    if (of != loop) return;
    const std::int64_t bytes = bytes_of_row(plan_, a, extents_), state = state_bytes(plan_, a, extents_);
    std::byte* const in_row = plan_.stored[a] ? row.memory[a] + row.row * bytes : row.scratch + row.offsets[a];
    move(in_row, record + begin, bytes);
    if (state > 0) move(row.scratch + row.offsets[plan_.size + a], record + begin + whole_lines(bytes), state);
  });
}

const part_of_row* long_row_results::part_for(int loop, const part_of_row* part, const row_values& row) const {
  if (part != nullptr && part->loop == loop) return part;
  const range at = long_rows_of(loop, row.row, row.row + 1);
  copy(loop, row, row_record(loop, at.first), copy_direction::from_record);
  return nullptr;
}

/// Where values lie for a run over a part: what the unit writes of the row, in `own`.
std::byte** long_row_results::point_to_own(std::byte* own, std::byte* const* memory, std::int64_t row) const {
  std::byte** const mine = reinterpret_cast<std::byte**>(own);
  std::memcpy(mine, memory, static_cast<std::size_t>(plan_.size) * sizeof(std::byte*));
  own += whole_lines(plan_.size * std::int64_t{sizeof(std::byte*)});
  for_each_row([&](int i) {
    const std::int64_t bytes = bytes_of_row(plan_, i, extents_);
    mine[i] = own - row * bytes;
    own += room_for(bytes);
  });
  return mine;
}

void long_row_results::run_part(const sweep_part& rows, int loop, int part, std::byte* scratch, std::byte* own,
                                sweep_function run) const {
  const adjacency& edges = edges_of(loop);
  const long_rows& cut = edges.long_rows();
  const int at = cut.row_of(part);
  const std::int64_t row = cut.row[at];
  const std::int64_t begin = edges.begin(row) + std::int64_t{part - cut.first_part[at]} * cut.part_edges;
  const part_of_row mine{loop, begin, std::min(begin + cut.part_edges, edges.end(row))};
  codegen::launch call = rows.call;
  call.memory = point_to_own(own, rows.call.memory, row);
  run({call, rows.offsets, rows.edges_at_a_time, scratch, row, row + 1, this, &mine});
  copy(loop, {call.memory, rows.offsets, scratch, row}, part_record(part), copy_direction::to_record);
}

/// Puts together what the parts of long row number `at` left of a loop.
void long_row_results::join(int loop, int at) const {
  std::byte* const record = row_record(loop, at);
  const long_rows& cut = cut_of(loop);
  for_each_result([&](int of, int a, std::int64_t begin, std::int64_t end) {
    if (of != loop) return;
    const ir::statement& s = plan_.statements[a];
    const std::int64_t bytes = bytes_of_row(plan_, a, extents_), n = bytes / bytes_of(s.type);
    const int first = cut.first_part[at], last = cut.first_part[at + 1];
    std::byte *const to = record + begin, *const state = to + whole_lines(bytes);
    std::memcpy(to, part_record(first) + begin, static_cast<std::size_t>(end - begin));
    with_type(s.code == ir::opcode::first_max_edge ? plan_.statements[s.operands[0]].type : s.type, [&](auto zero) {
      using T = decltype(zero);
      const std::int64_t stride = bytes_of_edge(plan_, a, extents_) / std::int64_t{sizeof(T)};
      for (int part = first + 1; part < last; ++part) {
        const std::byte *const from = part_record(part) + begin, *const state_from = from + whole_lines(bytes);
        if (s.code == ir::opcode::top_share_edges)
          join_exponentials(reinterpret_cast<T*>(state), reinterpret_cast<const T*>(state_from), stride);
        else if (s.code == ir::opcode::first_max_edge)
          join_first_max(reinterpret_cast<std::int32_t*>(to), reinterpret_cast<const std::int32_t*>(from),
                         reinterpret_cast<T*>(state), reinterpret_cast<const T*>(state_from), n);
        else join_numbers(s.code, reinterpret_cast<T*>(to), reinterpret_cast<const T*>(from), n);
      }
      if (s.code == ir::opcode::top_share_edges)
        finish_exponentials(reinterpret_cast<T*>(to), reinterpret_cast<T*>(state), stride, n);
    });
  });
}

/// Numbers of the long rows, for a loop, among rows [first, last).
long_row_results::range long_row_results::long_rows_of(int loop, std::int64_t first, std::int64_t last) const {
  const std::int32_t *const rows = cut_of(loop).row, *const end = rows + cut_of(loop).count;
  return {static_cast<int>(std::lower_bound(rows, end, first) - rows),
          static_cast<int>(std::lower_bound(rows, end, last) - rows)};
}

const long_row_results* long_row_results::compute(const sweep_part& rows, std::int64_t scratch_bytes,
                                                  std::int64_t threads, sweep_function run) const {
  bool is_any_long = false;
  for (int k = plan_.units[unit_].first_step; k < plan_.units[unit_].last_step && rows_ > 0; ++k) {
    if (!plan_.steps[k].is_loop) continue;
    const int loop = plan_.steps[k].index;
    const range mine = long_rows_of(loop, rows.first, rows.last);
    if (mine.first == mine.last) continue;
    is_any_long = true;
    const std::int32_t* const first_part = cut_of(loop).first_part;
    std::byte* const own = part_record(parts_ + rows_);
    parallel_in_slots(threads, first_part[mine.last] - first_part[mine.first],
                      [&](std::int64_t part, std::int64_t slot) {
                        run_part(rows, loop, first_part[mine.first] + static_cast<int>(part),
                                 rows.scratch + slot * scratch_bytes, own + slot * own_bytes_, run);
                      });
    for (int at = mine.first; at < mine.last; ++at) join(loop, at);
  }
  return is_any_long ? this : nullptr;
}

}  // namespace stg::cpu
