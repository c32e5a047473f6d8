// Pairs of scans, and the memory of what is kept between them.
#include <stg/codegen/checkpoints.hpp>

#include <algorithm>  // max, min
#include <cmath>      // sqrt

#include <stg/codegen/frame.hpp>  // bytes_of_value, call_sizes
#include <stg/op/list.hpp>        // is_scan

#include "scan_pair.hpp"       // scan_pair
#include "steps_together.hpp"  // may_run_together

namespace stg::codegen {

namespace {

using stg::detail::bytes_of_value;
using stg::detail::call_sizes;

/// Calls body(entry, value) for what a scan reads.
template <class Body> void for_each_read(const plan_data& plan, int scan, const Body& body) {
  int entry = 0;
  for (int at = plan.statements[scan].operands[0]; plan.statements[at].code == ir::opcode::bind;
       at = plan.statements[at].operands[0])
    ++entry;
  for (int at = plan.statements[scan].operands[0]; plan.statements[at].code == ir::opcode::bind;
       at = plan.statements[at].operands[0])
    body(--entry, plan.statements[at].operands[1]);
}

const plan_data& plan_of_step(const plan_data& plan, int scan, const step_program* programs) {
  return *programs[plan.statements[scan].callee()].data;
}
int carried_by(const plan_data& plan, int scan) { return plan.statements[scan].carried(); }

int unit_of_scan(const plan_data& plan, int scan) {
  for (int u = 0; u < plan.unit_count; ++u)
    if (plan.units[u].kind == pass::unit_kind::scan && plan.steps[plan.units[u].first_step].index == scan) return u;
  return -1;
}

/// Who reads the values of a plan, where that is a step of one scan, which has its own row of it: that scan.
class step_readers {
 public:
  static constexpr int nobody = -1, others = -2;

  explicit step_readers(const plan_data& of) : plan(of), by(static_cast<std::size_t>(of.size), nobody) {
    for (int i = 0; i < plan.size; ++i) {
      const ir::statement& s = plan.statements[i];
      if (ir::is_scan(s.code))
        for_each_read(plan, i, [&](int entry, int x) { note(x, entry >= carried_by(plan, i) ? i : others); });
      else if (!ir::is_view(s) && s.code != ir::opcode::bind)
        for (int k = 0; k < s.arity(); ++k) note(s.operands[k], others);
    }
    for (int k = 0; k < plan.output_count; ++k) note(plan.outputs[k].at, others);
  }
  int of(int i) const { return by[static_cast<std::size_t>(plan.root(i))]; }

 private:
  void note(int i, int reader) {
    int& now = by[static_cast<std::size_t>(plan.root(i))];
    now = now == nobody || now == reader ? reader : others;
  }

  const plan_data& plan;
  std::vector<int> by;
};

class pair_finder {
 public:
  pair_finder(const plan_data& f, const plan_data& g, std::span<const pass::connection> from, int users)
      : forward(f), gradient(g), connections(from), results(users), readers(g) {}

  std::vector<scan_pair> run() {
    for (int i = 0; i < gradient.size; ++i) {
      const ir::statement& s = gradient.statements[i];
      if (s.code == ir::opcode::input && s.is_sequence()) look_at(i);
    }
    return std::move(found);
  }

 private:
  void look_at(int input) {
    const pass::connection& from = connections[static_cast<std::size_t>(gradient.statements[input].entry())];
    const int reader = readers.of(input);
    if (from.kind != pass::connection_kind::saved || reader < 0) return;
    const int result = forward.root(forward.outputs[from.index].at);
    if (forward.statements[result].code != ir::opcode::result || is_read_elsewhere(result, reader)) return;
    const int scan = forward.statements[result].operands[0];
    if (forward.statements[scan].over != gradient.statements[reader].over ||
        forward.statements[scan].is_backwards() == gradient.statements[reader].is_backwards())
      return;
    if (scan_pair* const pair = pair_of(scan, reader)) pair->stacked.push_back({result, input});
  }
  /// Whether anybody reads a result of the forward program but the steps of one scan of the gradient.
  bool is_read_elsewhere(int result, int reader) const {
    for (int i = 0; i < forward.size; ++i) {
      const ir::statement& s = forward.statements[i];
      if (ir::is_view(s)) continue;
      for (int k = 0; k < s.arity(); ++k)
        if (forward.root(s.operands[k]) == result) return true;
    }
    for (int k = 0; k < results; ++k)
      if (forward.root(forward.outputs[k].at) == result) return true;
    for (int i = 0; i < gradient.size; ++i) {
      const ir::statement& s = gradient.statements[i];
      if (s.code != ir::opcode::input) continue;
      const pass::connection& from = connections[static_cast<std::size_t>(s.entry())];
      if (from.kind == pass::connection_kind::saved && forward.root(forward.outputs[from.index].at) == result &&
          readers.of(i) != reader && readers.of(i) != step_readers::nobody)
        return true;
    }
    return false;
  }
  /// The pair of two scans, a new one where each has none; null where one has another.
  scan_pair* pair_of(int scan, int reader) {
    for (scan_pair& p : found) {
      if (p.forward == scan && p.gradient == reader) return &p;
      if (p.forward == scan || p.gradient == reader) return nullptr;
    }
    found.push_back({scan, reader, unit_of_scan(forward, scan), unit_of_scan(gradient, reader), {}});
    return &found.back();
  }

  const plan_data &forward, &gradient;
  std::span<const pass::connection> connections;
  int results;
  step_readers readers;
  std::vector<scan_pair> found{};
};

std::int64_t steps_of_pair(const kept_steps& kept, const scan_pair& pair, const call_sizes& n) {
  return n.of(kept.forward->statements[pair.forward].over);
}
/// Bytes of a result for one step, of which the largest counts where edges are others at each step.
std::int64_t bytes_for_a_step(const plan_data& plan, int result, const call_sizes& n) {
  ir::statement one = plan.statements[result];
  const bool edges_differ = stg::detail::is_of_all_edges(one, n);
  one.over = ir::extent(0);
  return edges_differ ? n.graphs->most_edges * stg::detail::elements_of_row(one, n) * bytes_of(one.type)
                      : bytes_of_value(one, n);
}
/// Bytes of what a block stacks of it: no more rows of edges that differ than all steps have.
std::int64_t bytes_for_a_block(const plan_data& plan, int result, const call_sizes& n, std::int64_t every) {
  const std::int64_t step = bytes_for_a_step(plan, result, n);
  if (!stg::detail::is_of_all_edges(plan.statements[result], n)) return stacked_rows(every) * step;
  return std::min(every * step, bytes_of_value(plan.statements[result], n));
}
/// Bytes of the states that a step begins with.
std::int64_t bytes_of_states(const kept_steps& kept, const scan_pair& pair, const call_sizes& n) {
  const plan_data& step = plan_of_step(*kept.forward, pair.forward, kept.programs);
  std::int64_t bytes = 0;
  for (int k = 0; k < carried_by(*kept.forward, pair.forward); ++k)
    bytes += in_lines(bytes_of_value(step.statements[step.outputs[k].at], n));
  return bytes;
}

}  // namespace

bool is_kept_whole(const kept_steps& kept, const scan_pair& pair) {
  const plan_data& plan = *kept.forward;
  return may_run_together(plan, pair.forward, kept.programs[plan.statements[pair.forward].callee()]);
}
bool has_blocks(const kept_steps& kept, const scan_pair& pair) { return kept.every > 0 && !is_kept_whole(kept, pair); }

struct pair_list {
  std::vector<scan_pair> all;
};

scan_pairs::scan_pairs(const plan_data& forward, const plan_data& gradient,
                       std::span<const pass::connection> connections, int results)
    : list_(new pair_list{pair_finder(forward, gradient, connections, results).run()}) {}
scan_pairs::~scan_pairs() { delete list_; }
const scan_pair* scan_pairs::begin() const { return list_->all.data(); }
const scan_pair* scan_pairs::end() const { return list_->all.data() + list_->all.size(); }

void point_at_states(const kept_steps& kept, std::byte* base, std::span<const buffer> buffers, std::byte** memory) {
  for (const scan_pair& pair : *kept.pairs)
    memory[pair.forward] = base + buffers[static_cast<std::size_t>(pair.forward)].offset;
}

std::int64_t most_steps(const kept_steps& kept, const call_sizes& n) {
  std::int64_t most = 0;
  for (const scan_pair& pair : *kept.pairs)
    if (!is_kept_whole(kept, pair)) most = std::max(most, steps_of_pair(kept, pair, n));
  return most;
}

std::int64_t steps_of_least_memory(const kept_steps& kept, const call_sizes& n) {
  double of_block = 0, of_states = 0;
  for (const scan_pair& pair : *kept.pairs) {
    if (is_kept_whole(kept, pair)) continue;
    for (const stacked_value& v : pair.stacked)
      of_block += static_cast<double>(bytes_for_a_step(*kept.forward, v.result, n));
    of_states += static_cast<double>(bytes_of_states(kept, pair, n) * steps_of_pair(kept, pair, n));
  }
  const double least = of_block > 0 ? std::sqrt(of_states / of_block) : 1;
  const std::int64_t most = most_steps(kept, n);
  return std::clamp(static_cast<std::int64_t>(least), std::min(most, std::int64_t{1}), most);
}

void measure_kept(const kept_steps& kept, const call_sizes& n, int first_unit, std::span<buffer> buffers) {
  for (const scan_pair& pair : *kept.pairs) {
    const std::int64_t steps = steps_of_pair(kept, pair, n);
    if (!kept.divides(steps) || is_kept_whole(kept, pair)) continue;
    const plan_data& plan = *kept.forward;
    const int until = first_unit + pair.last_unit;
    for (const stacked_value& v : pair.stacked)
      buffers[static_cast<std::size_t>(v.result)].bytes = bytes_for_a_block(plan, v.result, n, kept.every);
    buffer& states = buffers[static_cast<std::size_t>(pair.forward)];
    states.bytes = (steps + kept.every - 1) / kept.every * bytes_of_states(kept, pair, n);
    states.first = pair.first_unit;
    states.last = until;
    for_each_read(plan, pair.forward, [&](int entry, int x) {
      buffer& b = buffers[static_cast<std::size_t>(plan.root(x))];
      if (entry >= carried_by(plan, pair.forward) && b.bytes > 0) b.last = std::max(b.last, until);
    });
  }
}

}  // namespace stg::codegen
