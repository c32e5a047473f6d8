// Running the steps of a scan.
//
// A step's plan reads and writes where it is told to: what has a value for each step in the step's rows of that, what
// is carried in one of two places, by turns, or, where the scan collects what its steps begin with, in the rows of
// that. Where the steps of a call have a graph each, a step reads its own: memory that steps share is laid out once,
// for the largest, and rows of edges follow one another from step to step.
#include <stg/codegen/scan.hpp>

#include <algorithm>  // max
#include <cstddef>    // byte
#include <cstring>    // memcpy
#include <deque>      // deque
#include <utility>    // swap
#include <vector>     // vector

#include <stg/base/keep_mask.hpp>       // seed_of_step
#include <stg/codegen/frame.hpp>        // bytes_of_value, call_sizes, measure
#include <stg/runtime/memory.hpp>       // buffer, in_lines, place
#include <stg/runtime/step_graphs.hpp>  // step_graphs

namespace stg::codegen {

namespace {

/// Lists that a scan works with. Kept from call to call, since a training step allocates nothing; a scan within a step
/// has its own.
struct lists {
  std::vector<buffer> buffers;          // by statement of the step
  std::vector<std::byte*> memory;       // the same
  std::vector<int> reads;               // by entry of the step's inputs: the value of the plan around it
  std::vector<unsigned char> each;      // the same: whether the step has its own rows of that
  std::vector<int> results;             // by output of the step: the value that it makes; -1: none
  std::vector<unsigned char> in_place;  // the same: whether it is made where it is to be
  std::vector<int> begins;              // by carried value: the output that collects what steps begin with; -1: none
  std::vector<std::byte*> now, next;    // the same: where it lies
};
class own_lists {
 public:
  own_lists() {
    if (depth == all.size()) all.emplace_back();
    mine = &all[depth++];
  }
  ~own_lists() { --depth; }
  own_lists(const own_lists&) = delete;
  own_lists& operator=(const own_lists&) = delete;
  lists* operator->() const { return mine; }

 private:
  lists* mine;
  static thread_local std::deque<lists> all;  // whose elements stay where they are
  static thread_local std::size_t depth;
};
thread_local std::deque<lists> own_lists::all;
thread_local std::size_t own_lists::depth = 0;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

class scan {
 public:
  scan(const plan_data& around, int at, const step_program& repeated, const launch& l)
      : plan(around),
        s(around.statements[at]),
        program(repeated),
        step(*repeated.data),
        call(l),
        graphs(repeated.reads_edges ? l.graphs : nullptr),
        n{l.vertices, l.edges, l.extents, {}, {}, nullptr, l.kinds},
        room(n),
        steps(n.of(s.over)),
        carried(static_cast<int>(s.number)) {
    room.edges = std::max(l.room_edges, graphs == nullptr ? l.edges : graphs->most_edges);
    find_reads();
    find_results(at);
    place_step();
    step_workspace = program.workspace(program.self, inside_any());
  }

  std::int64_t bytes() const { return carried_bytes + step_bytes + step_workspace; }

  void run() {
    begin();
    launch inside = inside_any();
    inside.memory = all->memory.data();
    inside.workspace = call.workspace + carried_bytes + step_bytes;
    for (int i = 0; i < step.size; ++i)
      if (step.stored[i]) all->memory[size(i)] = call.workspace + carried_bytes + all->buffers[size(i)].offset;
    for (std::int64_t nth = 0; nth < steps; ++nth) {
      const std::int64_t t = at_step(nth);
      show_graph(t, inside);
      point_at_inputs(t);
      point_at_outputs(nth);
      inside.seed = ir::is_call(s) ? call.seed : seed_of_step(call.seed, t);
      program.run(program.self, inside);
      copy_outputs(t);
      for (int k = 0; k < carried; ++k) all->now[size(k)] = all->next[size(k)];
    }
    end();
  }

 private:
  /// A step as far as memory depends on it: any of them.
  launch inside_any() const {
    launch inside = call;
    inside.workspace = nullptr;
    if (graphs == nullptr) return inside;
    inside.graphs = nullptr;
    inside.edges = inside.room_edges = graphs->most_edges;
    inside.in = inside.in.with(graphs->in_long);
    inside.out = inside.out.with(graphs->out_long);
    return inside;
  }
  void show_graph(std::int64_t t, launch& inside) {
    if (graphs == nullptr) return;
    const graph& shown = graphs->at(t);
    inside.in = shown.in_edges();
    inside.out = shown.out_edges();
    inside.edges = n.edges = shown.edges();
  }

  std::int64_t at_step(std::int64_t nth) const { return s.axis == 1 ? steps - 1 - nth : nth; }
  std::int64_t bytes_of_input(int i) const { return stg::detail::bytes_of_value(step.statements[i], n); }
  std::int64_t room_of_input(int i) const { return in_lines(stg::detail::bytes_of_value(step.statements[i], room)); }
  /// Where step t begins in a value with rows of its own for each step, of which this is one.
  std::int64_t begin_of_step(int i, std::int64_t t) const {
    const ir::statement& of = step.statements[i];
    if (graphs == nullptr || of.where != ir::space::edge) return t * bytes_of_input(i);
    return graphs->edges_before(t) * stg::detail::elements_of_row(of, n) * bytes_of(of.type);
  }
  int root_of_output(int k) const { return step.root(step.outputs[k].at); }
  bool is_input(int i) const { return step.statements[i].code == ir::opcode::input; }

  void find_reads() {
    all->reads.clear();
    for (int at = s.operands[0]; plan.statements[at].code == ir::opcode::bind; at = plan.statements[at].operands[0])
      all->reads.push_back(plan.statements[at].operands[1]);
    for (std::size_t a = 0, b = all->reads.size(); a + 1 < b; ++a) std::swap(all->reads[a], all->reads[--b]);
    all->each.assign(all->reads.size(), 0);
    for (int i = 0; i < step.size; ++i) {
      const ir::statement& in = step.statements[i];
      if (in.code == ir::opcode::input && in.attribute >= carried)
        all->each[size(in.attribute)] =
            plan.statements[all->reads[size(in.attribute)]].is_sequence() && !in.is_sequence();
    }
  }
  void find_results(int at) {
    const std::size_t outputs = size(step.output_count);
    all->results.assign(outputs, -1);
    for (int i = at + 1; i < plan.size; ++i)
      if (plan.statements[i].code == ir::opcode::result && plan.statements[i].operands[0] == at)
        all->results[size(plan.statements[i].attribute)] = i;
    all->begins.assign(size(carried), -1);
    all->in_place.assign(outputs, 0);
    for (int k = 0; k < step.output_count; ++k) {
      const int root = root_of_output(k);
      const bool is_read = all->results[size(k)] >= 0;
      if (k >= carried && is_read && is_input(root) && step.statements[root].attribute < carried)
        all->begins[size(step.statements[root].attribute)] = k;
      bool first = step.stored[root] && !is_input(root) && (k < carried || is_read);
      for (int other = 0; other < k; ++other) first = first && root_of_output(other) != root;
      all->in_place[size(k)] = first;
    }
  }
  void place_step() {
    all->buffers.assign(size(step.size), buffer());
    all->memory.assign(size(step.size) + 1, nullptr);
    stg::detail::measure(step, room, 0, all->buffers);
    for (int k = 0; k < step.output_count; ++k) {
      buffer& b = all->buffers[size(root_of_output(k))];
      if (all->in_place[size(k)]) b.bytes = 0;
      else b.last = step.unit_count;  // copied when the step is done
    }
    step_bytes = in_lines(place(all->buffers));
    carried_bytes = 0;
    for (int k = 0; k < carried; ++k)
      carried_bytes += (all->begins[size(k)] < 0 ? 2 : 1) * room_of_input(step.outputs[k].at);
    all->now.assign(size(carried), nullptr);
    all->next.assign(size(carried), nullptr);
  }
  std::int64_t bytes_of_carried(int k) const { return bytes_of_input(step.outputs[k].at); }

  std::byte* read_from(int entry) const { return call.memory[plan.root(all->reads[size(entry)])]; }
  std::byte* result(int k) const {
    const int at = all->results[size(k)];
    return at < 0 ? nullptr : call.memory[at];
  }
  /// Where a carried value lies that is collected as a step begins, for step t.
  std::byte* collected(int k, std::int64_t t) const { return result(all->begins[size(k)]) + t * bytes_of_carried(k); }
  bool is_collected(int k) const { return all->begins[size(k)] >= 0; }

  void begin() {
    for (int k = 0; k < carried; ++k) {
      all->now[size(k)] = read_from(k);
      if (!is_collected(k) || steps == 0) continue;
      std::memcpy(collected(k, at_step(0)), read_from(k), size(bytes_of_carried(k)));
      all->now[size(k)] = collected(k, at_step(0));
    }
  }
  void end() {
    if (steps > 0) return;
    for (int k = 0; k < carried; ++k)
      if (result(k) != nullptr) std::memcpy(result(k), read_from(k), size(bytes_of_carried(k)));
  }
  void point_at_inputs(std::int64_t t) {
    for (int i = 0; i < step.size; ++i) {
      if (!is_input(i)) continue;
      const int entry = static_cast<int>(step.statements[i].attribute);
      std::byte*& to = all->memory[size(i)];
      if (entry < carried) to = all->now[size(entry)];
      else to = all->each[size(entry)] ? rows_of_step(entry, i, t) : read_from(entry);
    }
  }
  std::byte* rows_of_step(int entry, int i, std::int64_t t) {
    std::byte* const all_steps = read_from(entry);
    if (graphs != nullptr && all_steps == reinterpret_cast<const std::byte*>(graphs))  // its weights (bindings.hpp)
      return const_cast<std::byte*>(graphs->weights_at(t));
    return all_steps + begin_of_step(i, t);
  }
  void point_at_outputs(std::int64_t nth) {
    std::byte* room = call.workspace;
    for (int k = 0; k < carried; ++k) {
      const std::int64_t bytes = room_of_input(step.outputs[k].at);
      const bool in_rows = is_collected(k);
      std::byte*& to = all->next[size(k)];
      if (nth + 1 == steps && result(k) != nullptr) to = result(k);
      else if (nth + 1 < steps && in_rows) to = collected(k, at_step(nth + 1));
      else to = in_rows ? room : room + (nth % 2) * bytes;
      room += in_rows ? bytes : 2 * bytes;
    }
    for (int k = 0; k < step.output_count; ++k)
      if (all->in_place[size(k)]) all->memory[size(root_of_output(k))] = output(k, at_step(nth));
  }
  std::byte* output(int k, std::int64_t t) const {
    if (k < carried) return all->next[size(k)];
    return result(k) == nullptr ? nullptr : result(k) + begin_of_step(step.outputs[k].at, t);
  }
  void copy_outputs(std::int64_t t) {
    for (int k = 0; k < step.output_count; ++k) {
      const std::byte* const from = all->memory[size(root_of_output(k))];
      std::byte* const to = output(k, t);
      if (!all->in_place[size(k)] && to != nullptr && to != from)
        std::memcpy(to, from, size(bytes_of_input(step.outputs[k].at)));
    }
  }

  own_lists all;
  const plan_data& plan;
  const ir::statement& s;
  const step_program& program;
  const plan_data& step;
  const launch& call;
  step_graphs* graphs;           // of the steps of this scan; null where they see what is around them
  stg::detail::call_sizes n;     // of the step at hand
  stg::detail::call_sizes room;  // of the largest: what memory is laid out for
  std::int64_t steps;
  int carried;
  std::int64_t step_bytes = 0, carried_bytes = 0, step_workspace = 0;
};

}  // namespace

void run_scan(const plan_data& plan, int i, const step_program& step, const launch& l) { scan(plan, i, step, l).run(); }

std::int64_t scan_workspace(const plan_data& plan, int i, const step_program& step, const launch& l) {
  return scan(plan, i, step, l).bytes();
}

}  // namespace stg::codegen
