// Running the steps of a scan, in the places that scan_places.hpp finds.
//
// With checkpoints (checkpoints.hpp) the scan of the gradient has a forward scan of its own, whose blocks it has run
// again.
#include <stg/codegen/scan.hpp>

#include <algorithm>  // max, min
#include <cstddef>    // byte
#include <cstring>    // memcpy
#include <optional>   // optional

#include <stg/base/keep_mask.hpp>       // seed_of_step
#include <stg/codegen/checkpoints.hpp>  // kept_steps
#include <stg/runtime/step_graphs.hpp>  // shown_by_one

#include "scan_pair.hpp"    // scan_pair
#include "scan_places.hpp"  // scan_places

namespace stg::codegen {

namespace {

class scan {
 public:
  /// `keeps`: what the scan keeps for that of its gradient; null: all. `goes_back`: through one that runs again
  /// between its steps, in the memory that these work in. `apart`: each step runs by itself.
  scan(const plan_data& around, int scan_at, const step_program& repeated, const launch& l, const scan_pair* keeps,
       bool goes_back, bool apart)
      : places(around, scan_at, repeated, l, keeps, apart),
        program(repeated),
        call(l),
        is_call(ir::is_call(places.s)),
        keeps_memory(places.steps > 1 && !is_call && !(goes_back && l.scans.kept->divides(places.steps))),
        step_workspace(program.workspace(program.self, inside_any())) {}

  std::int64_t bytes() const {
    const std::int64_t for_steps = places.step_bytes + step_workspace;
    return places.carried_bytes + (forward == nullptr ? for_steps : std::max(for_steps, forward->bytes()));
  }
  /// Where what a step works in begins, behind what is carried from one to the next.
  std::byte* for_steps() const {
    return call.resources.workspace == nullptr ? nullptr : call.resources.workspace + places.carried_bytes;
  }

  void run() {
    const shown_by_one shown(places.graphs);
    begin(0, [&](int k) { return places.read_from(k); });
    run_steps(0, places.steps);
    end();
  }
  /// Runs the steps of a block once more.
  void run_block(std::int64_t block) {
    const std::int64_t first = block * places.every;
    begin(first, [&](int k) { return places.kept_state(k, block); });
    run_steps(first, std::min(first + places.every, places.steps));
  }
  /// Whether the steps fall into blocks, of which the last alone is there when all have run.
  bool has_blocks() const { return places.every > 0; }

  /// From now on reads what the forward scan stacks.
  void go_back_through(scan& of, const scan_pair& pair) {
    forward = &of;
    for (step_input& in : places.all->inputs)
      for (const stacked_value& v : pair.stacked)
        if (places.plan.root(in.value) == v.input) in.stacked = of.places.plan.statements[v.result].output();
  }

 private:
  /// A step as far as memory depends on it: any of them.
  launch inside_any() const {
    launch inside = call;
    inside.resources.workspace = nullptr;
    inside.scans.kept = nullptr;
    inside.scans.same_inputs = keeps_memory ? places.all->same.data() : nullptr;
    inside.others.there = call.graph.ranks == nullptr ? nullptr : places.all->there.data();
    inside.others.results = 0;
    inside.others.columns = program.columns;
    if (is_call) inside.draws.first_site += ir::first_site(places.s);
    places.show_any_step(inside);
    return inside;
  }

  // ---- steps ----
  /// Steps [first, last), as the backend asks for them.
  class steps_in_turn final : public step_calls {
   public:
    steps_in_turn(scan& all_of, std::int64_t first, std::int64_t last_step) : of(all_of), nth(first), last(last_step) {
      call = of.inside_any();
      call.memory = of.places.all->memory.data();
      call.resources.workspace = of.for_steps() + of.places.step_bytes;
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
    for (int i = 0; i < places.step.size; ++i)
      if (places.step.stored[i])
        places.memory(i) = for_steps() + places.all->buffers[static_cast<std::size_t>(i)].offset;
    point_at_inputs();
    steps_in_turn in_turn(*this, first, last);
    program.run(program.self, in_turn);
  }
  /// Returns whether sizes are others than those of the step before.
  bool prepare(std::int64_t nth, launch& inside) {
    const std::int64_t t = places.at_step(nth);
    if (has_blocks() && !call.scans.again && nth % places.every == 0) keep_states(nth / places.every);
    if (forward != nullptr) forward->have_step(places.steps - 1 - nth);
    const bool differs = places.show_step(t, inside.graph);
    move_inputs(nth);
    point_at_outputs(nth);
    inside.draws.seed = is_call ? call.draws.seed : seed_of_step(call.draws.seed, t);
    return differs;
  }
  void finish(std::int64_t nth) {
    copy_outputs(nth);
    for (carried_value& c : places.all->carried) c.now = c.next;
  }
  /// What is stacked of a step, of which they are asked for from the last one on.
  void have_step(std::int64_t nth) {
    if (nth + 1 < places.steps && (nth + 1) % places.every == 0) run_block(nth / places.every);
  }

  void copy(std::byte* to, const std::byte* from, std::int64_t bytes) const {
    if (bytes == 0) return;  // of no rows, which may have no memory
    if (program.copy == nullptr) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    else program.copy(call, to, from, bytes);
  }

  // ---- carried values ----
  void keep_states(std::int64_t block) {
    for (int k = 0; k < places.carried_count; ++k)
      copy(places.kept_state(k, block), places.carried(k).now, places.bytes_of_carried(k));
  }
  /// Puts what carried values are before the nth step, which lies in states(k), where that reads them.
  template <class States> void begin(std::int64_t nth, const States& states) {
    for (int k = 0; k < places.carried_count; ++k) {
      std::byte*& now = places.carried(k).now;
      now = states(k);
      if (!places.is_collected(k) || nth == places.steps) continue;
      copy(places.collected(k, nth), now, places.bytes_of_carried(k));
      now = places.collected(k, nth);
    }
  }
  void end() {
    if (places.steps > 0) return;
    for (int k = 0; k < places.carried_count; ++k)
      if (places.result(k) != nullptr) copy(places.result(k), places.read_from(k), places.bytes_of_carried(k));
  }

  // ---- inputs and outputs ----
  /// Those that are the same for all steps, and which others there are.
  void point_at_inputs() {
    std::vector<moving_input>& moving = places.all->moving;
    moving.clear();
    for (int i = 0; i < places.step.size; ++i) {
      if (!places.is_input(i)) continue;
      const int entry = places.step.statements[i].entry();
      const step_input& in = places.input(entry);
      if (entry < places.carried_count || in.stacked >= 0 || in.by_step) moving.push_back({i, entry});
      else places.memory(i) = places.read_from(entry);
    }
  }
  void move_inputs(std::int64_t nth) {
    for (const moving_input& in : places.all->moving) {
      std::byte*& to = places.memory(in.at);
      if (in.entry < places.carried_count) to = places.carried(in.entry).now;
      else if (const int k = places.input(in.entry).stacked; k >= 0)
        to = forward->places.row(k, places.steps - 1 - nth);
      else to = places.rows_of_step(in.entry, in.at, places.at_step(nth));
    }
  }
  void point_at_outputs(std::int64_t nth) {
    std::byte* room = call.resources.workspace;
    for (int k = 0; k < places.carried_count; ++k) {
      carried_value& c = places.carried(k);
      const bool in_rows = places.is_collected(k);
      if (nth + 1 == places.steps && places.result(k) != nullptr) c.next = places.result(k);
      else if (nth + 1 < places.steps && in_rows) c.next = places.collected(k, nth + 1);
      else c.next = in_rows ? room : room + (nth % 2) * c.room;
      room += in_rows ? c.room : 2 * c.room;
    }
    for (int k = 0; k < places.step.output_count; ++k)
      if (places.output(k).in_place) places.memory(places.output(k).root) = output(k, nth);
  }
  /// Where the nth step leaves output k; null: nobody reads it.
  std::byte* output(int k, std::int64_t nth) const {
    if (k < places.carried_count) return places.carried(k).next;
    return places.result(k) == nullptr ? nullptr : places.row(k, nth);
  }
  void copy_outputs(std::int64_t nth) {
    for (int k = 0; k < places.step.output_count; ++k) {
      const step_output& out = places.output(k);
      const std::byte* const from = places.memory(out.root);
      std::byte* const to = output(k, nth);
      if (!out.in_place && to != nullptr && to != from) copy(to, from, places.bytes_now(places.step.outputs[k].at));
    }
  }

  scan_places places;
  const step_program& program;
  const launch& call;
  bool is_call;
  bool keeps_memory;  // what a step lays out in its workspace is there for the next
  std::int64_t step_workspace;
  scan* forward = nullptr;  // of a gradient, the scan that stacks what it reads
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
             of_gradient != nullptr && !is_kept_whole(*l.scans.kept, *of_gradient)) {
    if (back == nullptr) return;
    const kept_steps& kept = *l.scans.kept;
    once_more = l;
    once_more.scans.again = true;
    once_more.memory = kept.memory;
    once_more.resources.workspace = mine.for_steps();
    const plan_data& before = *kept.forward;
    forward.emplace(before, back->forward, kept.programs[before.statements[back->forward].callee()], once_more, back,
                    false, true);
    if (forward->has_blocks()) mine.go_back_through(*forward, *back);
  }
  /// The pair that a scan belongs to, as one of a program.
  static const scan_pair* pair_of(const launch& l, const plan_data& plan, const plan_data* kept_steps::*program,
                                  int scan_pair::*scan, int at) {
    const kept_steps* const kept = l.scans.kept;
    if (kept == nullptr || kept->pairs == nullptr || kept->*program != &plan) return nullptr;
    for (const scan_pair& pair : *kept->pairs)
      if (pair.*scan == at) return &pair;
    return nullptr;
  }
  static const scan_pair* blocks_of(const launch& l, const scan_pair* pair) {
    return pair != nullptr && has_blocks(*l.scans.kept, *pair) ? pair : nullptr;
  }

  const scan_pair* back;  // through which it goes; null: through none
  scan mine;
  launch once_more;
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
