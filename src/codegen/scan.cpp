// Running the steps of a scan.
//
// A step's plan reads and writes where it is told to: a value over the steps in the step's rows of it; a carried value
// in one of two places, by turns, or, where the scan collects the states that steps begin with, in the rows of these.
// Where the steps of a call have a graph each, a step reads its own: memory that steps share is laid out once, for the
// largest, and rows of edges follow one another from step to step.
//
// Where steps are no more than rows (steps_together.hpp), several of the scan's are one of what is called a step below,
// over as many times the vertices.
//
// With checkpoints (checkpoints.hpp) what is collected for the gradient alone has rows for a block of steps, which take
// turns; the scan of the gradient has a forward scan of its own, whose blocks it has run again.
#include <stg/codegen/scan.hpp>

#include <algorithm>  // max, min
#include <cstddef>    // byte
#include <cstring>    // memcpy
#include <optional>   // optional
#include <utility>    // swap
#include <vector>     // vector

#include <stg/base/keep_mask.hpp>       // seed_of_step
#include <stg/codegen/checkpoints.hpp>  // kept_steps
#include <stg/codegen/frame.hpp>        // bytes_of_value, call_sizes, measure
#include <stg/runtime/memory.hpp>       // buffer, in_lines, place
#include <stg/runtime/step_graphs.hpp>  // step_graphs

#include "../runtime/memory/kept_lists.hpp"  // kept_lists
#include "scan_pair.hpp"                     // scan_pair
#include "steps_together.hpp"                // may_run_together, steps_together

namespace stg::codegen {

namespace {

/// An input of the step whose place is another at each step.
struct moving_input {
  int at, entry;  // the statement, and of the step's inputs
};

/// Lists that a scan works with.
struct lists {
  std::vector<buffer> buffers;          // by statement of the step
  std::vector<std::byte*> memory;       // the same
  std::vector<int> reads;               // by entry of the step's inputs: the value of the plan around it
  std::vector<unsigned char> each;      // the same: whether the step has its own rows of that
  std::vector<unsigned char> same;      // the same: whether all steps read the same
  std::vector<moving_input> moving;     // in the order of the step's statements
  std::vector<int> roots;               // by output of the step: the value that it lies in
  std::vector<std::int64_t> bytes;      // by statement, of inputs and outputs: those of the step at hand
  std::vector<int> results;             // by output: the value that it makes; -1: none
  std::vector<unsigned char> in_place;  // the same: whether it is made where it is to be
  std::vector<int> begins;              // by carried value: the output that collects what steps begin with; -1: none
  std::vector<std::int64_t> rooms;      // the same: bytes of one of its places
  std::vector<unsigned char> stacked;   // by output: whether it has rows for a block of steps alone
  std::vector<int> stack_of;            // by entry: of a gradient, the stacked output of the forward step; -1: none
  std::vector<std::byte*> now, next;    // by carried value: where it lies
  std::vector<std::int64_t> no_edges;   // of steps together: where the rows of their vertices begin
};

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

class scan {
 public:
  /// `keeps`: what the scan keeps for that of its gradient; null: all. `goes_back`: through one that runs again
  /// between its steps, in the memory that these work in. `apart`: each step runs by itself.
  scan(const plan_data& around, int scan_at, const step_program& repeated, const launch& l, const scan_pair* keeps,
       bool goes_back, bool apart)
      : plan(around),
        at(scan_at),
        s(around.statements[scan_at]),
        program(repeated),
        step(*repeated.data),
        call(l),
        graphs(repeated.reads_edges ? l.graphs : nullptr),
        n{l.vertices, l.edges, l.extents, {}, {}, nullptr, l.kinds, {}},
        room(n),
        all_steps(n.of(s.over)),
        together(apart ? 1 : steps_together(plan, at, program, l, all_steps)),
        steps((all_steps + together - 1) / together),
        carried(s.carried()),
        keeps_memory(steps > 1 && !ir::is_call(s) && !(goes_back && l.kept->divides(steps))) {
    n.vertices = room.vertices = together * l.vertices;
    if (together > 1) all->no_edges.assign(size(n.vertices + 1), 0);
    room.edges = std::max(l.room_edges, graphs == nullptr ? l.edges : graphs->most_edges);
    if (keeps != nullptr && call.kept->divides(steps)) every = call.kept->every;
    find_reads();
    find_results();
    if (every > 0) find_stacked(*keeps);
    find_places();
    place_step();
    count_bytes();
    step_workspace = program.workspace(program.self, inside_any());
  }

  std::int64_t bytes() const {
    const std::int64_t for_steps = step_bytes + step_workspace;
    return carried_bytes + (forward == nullptr ? for_steps : std::max(for_steps, forward->bytes()));
  }
  /// Where what a step works in begins, behind what is carried from one to the next.
  std::byte* for_steps() const { return call.workspace == nullptr ? nullptr : call.workspace + carried_bytes; }

  void run() {
    const shown_by_one shown(graphs);
    begin(0, [&](int k) { return read_from(k); });
    run_steps(0, steps);
    end();
  }
  /// Runs the steps of a block once more.
  void run_block(std::int64_t block) {
    const std::int64_t first = block * every;
    begin(first, [&](int k) { return kept_state(k, block); });
    run_steps(first, std::min(first + every, steps));
  }
  /// Whether the steps fall into blocks, of which the last alone is there when all have run.
  bool has_blocks() const { return every > 0; }

  /// From now on reads what the forward scan stacks.
  void go_back_through(scan& of, const scan_pair& pair) {
    forward = &of;
    for (std::size_t e = 0; e < all->reads.size(); ++e)
      for (const stacked_value& v : pair.stacked)
        if (plan.root(all->reads[e]) == v.input) all->stack_of[e] = of.plan.statements[v.result].output();
  }

 private:
  /// A step as far as memory depends on it: any of them.
  launch inside_any() const {
    launch inside = call;
    inside.workspace = nullptr;
    inside.kept = nullptr;
    inside.same_inputs = keeps_memory ? all->same.data() : nullptr;
    if (ir::is_call(s)) inside.first_site += ir::first_site(s);
    if (together > 1) show_rows(together * call.vertices, inside);
    if (graphs == nullptr) return inside;
    inside.graphs = nullptr;
    inside.edges = inside.room_edges = graphs->most_edges;
    inside.in = inside.in.with(graphs->in_long);
    inside.out = inside.out.with(graphs->out_long);
    return inside;
  }
  /// Returns whether sizes are others than those of the step before.
  bool show_graph(std::int64_t t, launch& inside) {
    if (graphs == nullptr) return together > 1 && show_last_rows(t, inside);
    const graph& shown = graphs->at(t);
    inside.in = shown.in_edges();
    inside.out = shown.out_edges();
    inside.edges = n.edges = shown.edges();
    count_bytes();
    return true;
  }
  void show_rows(std::int64_t rows, launch& inside) const {
    inside.vertices = rows;
    inside.in = inside.out = adjacency(rows, all->no_edges.data(), nullptr, nullptr);
    inside.edges = 0;
  }
  /// Of steps together the last ones are fewer.
  bool show_last_rows(std::int64_t t, launch& inside) {
    const std::int64_t rows = std::min(together, all_steps - t * together) * call.vertices;
    if (rows == n.vertices) return false;
    n.vertices = rows;
    show_rows(rows, inside);
    count_bytes();
    return true;
  }

  /// Steps [first, last), as the backend asks for them.
  class steps_in_turn final : public step_calls {
   public:
    steps_in_turn(scan& all_of, std::int64_t first, std::int64_t last_step) : of(all_of), nth(first), last(last_step) {
      call = of.inside_any();
      call.memory = of.all->memory.data();
      call.workspace = of.for_steps() + of.step_bytes;
    }
    bool next() override {
      if (has_begun) of.finish(nth++);
      has_begun = true;
      if (nth < last) has_other_sizes = of.prepare(nth, call);
      return nth < last;
    }

   private:
    scan& of;
    std::int64_t nth, last;
    bool has_begun = false;
  };

  void run_steps(std::int64_t first, std::int64_t last) {
    if (first == last) return;
    for (int i = 0; i < step.size; ++i)
      if (step.stored[i]) all->memory[size(i)] = for_steps() + all->buffers[size(i)].offset;
    point_at_inputs();
    steps_in_turn in_turn(*this, first, last);
    program.run(program.self, in_turn);
  }
  /// Returns whether sizes are others than those of the step before.
  bool prepare(std::int64_t nth, launch& inside) {
    if (every > 0 && !call.again && nth % every == 0) keep_states(nth / every);
    if (forward != nullptr) forward->have_step(steps - 1 - nth);
    const bool differs = show_graph(at_step(nth), inside);
    move_inputs(nth);
    point_at_outputs(nth);
    inside.seed = ir::is_call(s) ? call.seed : seed_of_step(call.seed, at_step(nth));
    return differs;
  }
  void finish(std::int64_t nth) {
    copy_outputs(nth);
    for (int k = 0; k < carried; ++k) all->now[size(k)] = all->next[size(k)];
  }
  /// What is stacked of a step, of which they are asked for from the last one on.
  void have_step(std::int64_t nth) {
    if (nth + 1 < steps && (nth + 1) % every == 0) run_block(nth / every);
  }

  void copy(std::byte* to, const std::byte* from, std::int64_t bytes) const {
    if (bytes == 0) return;  // of no rows, which may have no memory
    if (program.copy == nullptr) std::memcpy(to, from, size(bytes));
    else program.copy(call, to, from, bytes);
  }
  std::int64_t at_step(std::int64_t nth) const { return s.is_backwards() ? steps - 1 - nth : nth; }
  /// Of an input or an output of the step at hand.
  std::int64_t bytes_of_input(int i) const { return all->bytes[size(i)]; }
  std::int64_t room_of_input(int i) const { return in_lines(stg::detail::bytes_of_value(step.statements[i], room)); }
  /// Whether a value of the step is of edges that are others at each step, so that its rows are as many as there are.
  bool has_rows_of_step(int i) const { return graphs != nullptr && step.statements[i].where == ir::space::edge; }
  std::int64_t bytes_of_rows(int i, std::int64_t rows) const {
    return rows * stg::detail::elements_of_row(step.statements[i], n) * bytes_of(step.statements[i].type);
  }
  /// Where step t begins in a value with rows of its own for each step, of which this is one.
  std::int64_t begin_of_step(int i, std::int64_t t) const {
    if (has_rows_of_step(i)) return bytes_of_rows(i, graphs->edges_before(t));
    return together > 1 ? bytes_of_rows(i, t * together * call.vertices) : t * bytes_of_input(i);
  }
  /// Where the nth step begins in what a block stacks: rows of its edges behind those of the block's steps before it;
  /// other rows take turns, since what is carried out of a block is in the first of the next one.
  std::int64_t begin_in_block(int i, std::int64_t nth) const {
    if (!has_rows_of_step(i)) return nth % stacked_rows(every) * bytes_of_input(i);
    const std::int64_t first = at_step(nth / every * every), now = at_step(nth);
    return bytes_of_rows(i, s.is_backwards() ? graphs->edges_before(first + 1) - graphs->edges_before(now + 1)
                                             : graphs->edges_before(now) - graphs->edges_before(first));
  }
  int root_of_output(int k) const { return all->roots[size(k)]; }
  bool is_input(int i) const { return step.statements[i].code == ir::opcode::input; }

  void find_reads() {
    all->reads.clear();
    for (int at = s.operands[0]; plan.statements[at].code == ir::opcode::bind; at = plan.statements[at].operands[0])
      all->reads.push_back(plan.statements[at].operands[1]);
    for (std::size_t a = 0, b = all->reads.size(); a + 1 < b; ++a) std::swap(all->reads[a], all->reads[--b]);
    all->stack_of.assign(all->reads.size(), -1);
    all->each.assign(all->reads.size(), 0);
    all->same.assign(all->reads.size() + 1, 0);
    for (int i = 0; i < step.size; ++i) {
      const ir::statement& in = step.statements[i];
      if (in.code == ir::opcode::input && in.entry() >= carried)
        all->each[size(in.entry())] = plan.statements[all->reads[size(in.entry())]].is_sequence() && !in.is_sequence();
      if (in.code == ir::opcode::input)
        all->same[size(in.entry())] = in.entry() >= carried && !all->each[size(in.entry())];
    }
  }
  void find_results() {
    all->roots.resize(size(step.output_count));
    for (int k = 0; k < step.output_count; ++k) all->roots[size(k)] = step.root(step.outputs[k].at);
    all->results.assign(size(step.output_count), -1);
    all->stacked.assign(size(step.output_count), 0);
    for (int i = at + 1; i < plan.size; ++i)
      if (plan.statements[i].code == ir::opcode::result && plan.statements[i].operands[0] == at)
        all->results[size(plan.statements[i].output())] = i;
  }
  /// Steps that run again have no other results: their memory may be somebody else's by now.
  void find_stacked(const scan_pair& pair) {
    for (const stacked_value& v : pair.stacked) all->stacked[size(plan.statements[v.result].output())] = 1;
    for (int k = 0; k < step.output_count; ++k)
      if (call.again && !all->stacked[size(k)]) all->results[size(k)] = -1;
  }
  void find_places() {
    all->begins.assign(size(carried), -1);
    all->in_place.assign(size(step.output_count), 0);
    for (int k = 0; k < step.output_count; ++k) {
      const int root = root_of_output(k);
      const bool is_read = all->results[size(k)] >= 0;
      if (k >= carried && is_read && is_input(root) && step.statements[root].entry() < carried)
        all->begins[size(step.statements[root].entry())] = k;
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
    all->rooms.resize(size(carried));
    for (int k = 0; k < carried; ++k) {
      all->rooms[size(k)] = room_of_input(step.outputs[k].at);
      carried_bytes += (all->begins[size(k)] < 0 ? 2 : 1) * all->rooms[size(k)];
    }
    all->now.assign(size(carried), nullptr);
    all->next.assign(size(carried), nullptr);
  }
  void count_bytes() {
    all->bytes.resize(size(step.size) + 1);
    const auto count = [&](int i) { all->bytes[size(i)] = stg::detail::bytes_of_value(step.statements[i], n); };
    for (int i = 0; i < step.size; ++i)
      if (is_input(i)) count(i);
    for (int k = 0; k < step.output_count; ++k) count(step.outputs[k].at);
  }
  std::int64_t bytes_of_carried(int k) const { return bytes_of_input(step.outputs[k].at); }

  std::byte* read_from(int entry) const { return call.memory[plan.root(all->reads[size(entry)])]; }
  std::byte* result(int k) const {
    const int at = all->results[size(k)];
    return at < 0 ? nullptr : call.memory[at];
  }
  /// The row of a collected value that belongs to the nth step.
  std::byte* row(int k, std::int64_t nth) const {
    const int at = step.outputs[k].at;
    return result(k) + (all->stacked[size(k)] ? begin_in_block(at, nth) : begin_of_step(at, at_step(nth)));
  }
  /// Where a carried value lies that is collected as the nth step begins.
  std::byte* collected(int k, std::int64_t nth) const { return row(all->begins[size(k)], nth); }
  bool is_collected(int k) const { return all->begins[size(k)] >= 0; }

  /// The kept states of the blocks lie one carried value after the other, in memory of the scan's own.
  std::byte* kept_state(int k, std::int64_t block) const {
    const std::int64_t blocks = (steps + every - 1) / every;
    std::byte* states = call.memory[at];
    for (int other = 0; other < k; ++other) states += blocks * in_lines(bytes_of_carried(other));
    return states + block * in_lines(bytes_of_carried(k));
  }
  void keep_states(std::int64_t block) {
    for (int k = 0; k < carried; ++k) copy(kept_state(k, block), all->now[size(k)], bytes_of_carried(k));
  }

  /// Puts what carried values are before the nth step, which lies in states(k), where that reads them.
  template <class States> void begin(std::int64_t nth, const States& states) {
    for (int k = 0; k < carried; ++k) {
      all->now[size(k)] = states(k);
      if (!is_collected(k) || nth == steps) continue;
      copy(collected(k, nth), states(k), bytes_of_carried(k));
      all->now[size(k)] = collected(k, nth);
    }
  }
  void end() {
    if (steps > 0) return;
    for (int k = 0; k < carried; ++k)
      if (result(k) != nullptr) copy(result(k), read_from(k), bytes_of_carried(k));
  }
  /// Those that are the same for all steps, and which others there are.
  void point_at_inputs() {
    all->moving.clear();
    for (int i = 0; i < step.size; ++i) {
      if (!is_input(i)) continue;
      const int entry = step.statements[i].entry();
      if (entry < carried || all->stack_of[size(entry)] >= 0 || all->each[size(entry)])
        all->moving.push_back({i, entry});
      else all->memory[size(i)] = read_from(entry);
    }
  }
  void move_inputs(std::int64_t nth) {
    for (const moving_input& in : all->moving) {
      std::byte*& to = all->memory[size(in.at)];
      if (in.entry < carried) to = all->now[size(in.entry)];
      else if (const int k = all->stack_of[size(in.entry)]; k >= 0) to = forward->row(k, steps - 1 - nth);
      else to = rows_of_step(in.entry, in.at, at_step(nth));
    }
  }
  std::byte* rows_of_step(int entry, int i, std::int64_t t) {
    std::byte* const all_steps = read_from(entry);
    if (graphs != nullptr && all_steps == reinterpret_cast<const std::byte*>(graphs))  // its weights (call_inputs.hpp)
      return const_cast<std::byte*>(graphs->weights_at(t));
    return all_steps + begin_of_step(i, t);
  }
  void point_at_outputs(std::int64_t nth) {
    std::byte* room = call.workspace;
    for (int k = 0; k < carried; ++k) {
      const std::int64_t bytes = all->rooms[size(k)];
      const bool in_rows = is_collected(k);
      std::byte*& to = all->next[size(k)];
      if (nth + 1 == steps && result(k) != nullptr) to = result(k);
      else if (nth + 1 < steps && in_rows) to = collected(k, nth + 1);
      else to = in_rows ? room : room + (nth % 2) * bytes;
      room += in_rows ? bytes : 2 * bytes;
    }
    for (int k = 0; k < step.output_count; ++k)
      if (all->in_place[size(k)]) all->memory[size(root_of_output(k))] = output(k, nth);
  }
  std::byte* output(int k, std::int64_t nth) const {
    if (k < carried) return all->next[size(k)];
    return result(k) == nullptr ? nullptr : row(k, nth);
  }
  void copy_outputs(std::int64_t nth) {
    for (int k = 0; k < step.output_count; ++k) {
      const std::byte* const from = all->memory[size(root_of_output(k))];
      std::byte* const to = output(k, nth);
      if (!all->in_place[size(k)] && to != nullptr && to != from) copy(to, from, bytes_of_input(step.outputs[k].at));
    }
  }

  stg::detail::kept_lists<lists> all;
  const plan_data& plan;
  int at;
  const ir::statement& s;
  const step_program& program;
  const plan_data& step;
  const launch& call;
  step_graphs* graphs;           // of the steps of this scan; null where they see what is around them
  stg::detail::call_sizes n;     // of the step at hand
  stg::detail::call_sizes room;  // of the largest: what memory is laid out for
  std::int64_t all_steps;
  std::int64_t together;  // of those, how many run as one
  std::int64_t steps;
  std::int64_t every = 0;   // steps of a block; 0: there are none
  scan* forward = nullptr;  // of a gradient, the scan that stacks what it reads
  int carried;
  bool keeps_memory;  // what a step lays out in its workspace is there for the next
  std::int64_t step_bytes = 0, carried_bytes = 0, step_workspace = 0;
};

/// A scan, and where it goes back through the blocks of another one, that one.
class scan_of_call {
 public:
  scan_of_call(const plan_data& plan, int i, const step_program& step, const launch& l)
      : scan_of_call(plan, i, step, l, pair_of(l, plan, &kept_steps::forward, &scan_pair::forward, i),
                     pair_of(l, plan, &kept_steps::gradient, &scan_pair::gradient, i)) {}
  void run() { mine.run(); }
  std::int64_t bytes() const { return mine.bytes(); }

 private:
  /// Of the pair that the scan is the forward one of, and of the one whose gradient it is. That of a scan whose steps
  /// may fall into blocks takes them one by one in any call, so that sums are the same with checkpoints and without.
  scan_of_call(const plan_data& plan, int i, const step_program& step, const launch& l, const scan_pair* of_forward,
               const scan_pair* of_gradient)
      : back(blocks_of(l, of_gradient)),
        mine(plan, i, step, l, blocks_of(l, of_forward), back != nullptr,
             of_gradient != nullptr && !is_kept_whole(*l.kept, *of_gradient)) {
    if (back == nullptr) return;
    again = l;
    again.again = true;
    again.memory = l.kept->memory;
    again.workspace = mine.for_steps();
    const plan_data& before = *l.kept->forward;
    forward.emplace(before, back->forward, l.kept->programs[before.statements[back->forward].callee()], again, back,
                    false, true);
    if (forward->has_blocks()) mine.go_back_through(*forward, *back);
  }
  /// The pair that a scan belongs to, as one of a program.
  static const scan_pair* pair_of(const launch& l, const plan_data& plan, const plan_data* kept_steps::*program,
                                  int scan_pair::*scan, int at) {
    if (l.kept == nullptr || l.kept->pairs == nullptr || l.kept->*program != &plan) return nullptr;
    for (const scan_pair& pair : *l.kept->pairs)
      if (pair.*scan == at) return &pair;
    return nullptr;
  }
  static const scan_pair* blocks_of(const launch& l, const scan_pair* pair) {
    return pair != nullptr && has_blocks(*l.kept, *pair) ? pair : nullptr;
  }

  const scan_pair* back;  // through which it goes; null: through none
  scan mine;
  launch again;
  std::optional<scan> forward;
};

}  // namespace

void run_scan(const plan_data& plan, int i, const step_program& step, const launch& l) {
  scan_of_call(plan, i, step, l).run();
}

std::int64_t scan_workspace(const plan_data& plan, int i, const step_program& step, const launch& l) {
  return scan_of_call(plan, i, step, l).bytes();
}

}  // namespace stg::codegen
