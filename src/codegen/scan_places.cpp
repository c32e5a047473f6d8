// Finding the places of a scan's values, and the addresses in them.
#include "scan_places.hpp"

#include <algorithm>  // max, min, reverse

#include <stg/codegen/checkpoints.hpp>  // kept_steps, stacked_rows
#include <stg/codegen/part_calls.hpp>   // show_rows_of_part, show_sizes_of_part

#include "steps_together.hpp"  // steps_together

namespace stg::codegen {

scan_places::scan_places(const plan_data& around, int scan_at, const step_program& repeated, const launch& l,
                         const scan_pair* keeps, bool apart)
    : plan(around),
      at(scan_at),
      s(around.statements[scan_at]),
      step(*repeated.data),
      call(l),
      graphs(repeated.reads_edges ? l.scans.graphs : nullptr),
      n{l.graph.ranks == nullptr ? l.graph.vertices : l.graph.neighbours,
        l.graph.edges,
        l.extents,
        {},
        {},
        nullptr,
        l.graph.kinds,
        {}},
      room(n),
      all_steps(n.of(s.over)),
      together(apart ? 1 : steps_together(plan, at, repeated, l.graph, all_steps)),
      steps((all_steps + together - 1) / together),
      carried_count(s.carried()) {
  if (together > 1) n.vertices = room.vertices = together * l.graph.vertices;
  if (together > 1) all->no_edges.assign(size(n.vertices + 1), 0);
  room.edges = std::max(l.scans.room_edges, graphs == nullptr ? l.graph.edges : graphs->most_edges);
  if (keeps != nullptr && l.scans.kept->divides(steps)) every = l.scans.kept->every;
  find_inputs();
  find_rows_there(repeated);
  find_outputs();
  if (every > 0) find_stacked(*keeps);
  find_places();
  place_step();
  count_bytes();
}

// ---- finding places ----

void scan_places::find_inputs() {
  std::vector<step_input>& inputs = all->inputs;
  inputs.clear();
  for (int k = s.operands[0]; plan.statements[k].code == ir::opcode::bind; k = plan.statements[k].operands[0])
    inputs.push_back({plan.statements[k].operands[1]});
  std::reverse(inputs.begin(), inputs.end());
  all->same.assign(inputs.size() + 1, 0);
  for (int i = 0; i < step.size; ++i) {
    if (!is_input(i)) continue;
    const ir::statement& in = step.statements[i];
    const bool is_carried = in.entry() < carried_count;
    step_input& read = input(in.entry());
    read.by_step = !is_carried && plan.statements[read.value].is_sequence() && !in.is_sequence();
    all->same[size(in.entry())] = !is_carried && !read.by_step;
  }
}

void scan_places::find_rows_there(const step_program& repeated) {
  if (call.graph.ranks != nullptr) all->there = rows_there_of_step(plan, at, repeated, call.others.there);
}

void scan_places::find_outputs() {
  all->outputs.clear();
  for (int k = 0; k < step.output_count; ++k) all->outputs.push_back({step.root(step.outputs[k].at)});
  for (int i = at + 1; i < plan.size; ++i)
    if (plan.statements[i].code == ir::opcode::result && plan.statements[i].operands[0] == at)
      output(plan.statements[i].output()).result = i;
}

/// Steps that run again have no other results: their memory may be somebody else's by now.
void scan_places::find_stacked(const scan_pair& pair) {
  for (const stacked_value& v : pair.stacked) output(plan.statements[v.result].output()).stacked = true;
  for (step_output& out : all->outputs)
    if (call.scans.again && !out.stacked) out.result = -1;
}

void scan_places::find_places() {
  all->carried.assign(size(carried_count), carried_value());
  for (int k = 0; k < step.output_count; ++k) {
    step_output& out = output(k);
    const bool is_read = out.result >= 0;
    if (k >= carried_count && is_read && is_input(out.root) && step.statements[out.root].entry() < carried_count)
      carried(step.statements[out.root].entry()).begins = k;
    out.in_place = step.stored[out.root] && !is_input(out.root) && (k < carried_count || is_read);
    for (int other = 0; other < k; ++other)
      if (output(other).root == out.root) out.in_place = false;
  }
}

void scan_places::place_step() {
  all->buffers.assign(size(step.size), buffer());
  all->memory.assign(size(step.size) + 1, nullptr);
  stg::detail::measure(step, room, 0, all->buffers);
  for (const step_output& out : all->outputs) {
    buffer& b = all->buffers[size(out.root)];
    if (out.in_place) b.bytes = 0;
    else b.last = step.unit_count;  // copied when the step is done
  }
  step_bytes = in_lines(place(all->buffers));
  carried_bytes = 0;
  for (int k = 0; k < carried_count; ++k) {
    carried_value& c = carried(k);
    c.room = in_lines(stg::detail::bytes_of_value(step.statements[step.outputs[k].at], room));
    carried_bytes += (is_collected(k) ? 1 : 2) * c.room;
  }
}

// ---- sizes ----

void scan_places::count_bytes() {
  all->bytes.resize(size(step.size) + 1);
  const auto count = [&](int i) { all->bytes[size(i)] = stg::detail::bytes_of_value(step.statements[i], n); };
  for (int i = 0; i < step.size; ++i)
    if (is_input(i)) count(i);
  for (int k = 0; k < step.output_count; ++k) count(step.outputs[k].at);
}

void scan_places::show_any_step(launch& inside) const {
  if (together > 1) show_rows(together * call.graph.vertices, inside.graph);
  if (graphs == nullptr) return;
  inside.scans.graphs = nullptr;
  inside.graph.edges = inside.scans.room_edges = graphs->most_edges;
  inside.graph.in = inside.graph.in.with(graphs->in_long);
  inside.graph.out = inside.graph.out.with(graphs->out_long);
}

bool scan_places::show_step(std::int64_t t, graph_view& inside) {
  if (graphs == nullptr) return together > 1 && show_last_rows(t, inside);
  const graph& shown = graphs->at(t);
  inside.in = shown.in_edges();
  inside.out = shown.out_edges();
  inside.edges = n.edges = shown.edges();
  if (shown.ranks() != nullptr) {
    show_sizes_of_part(inside, *shown.ranks());
    show_rows_of_part(inside);
  }
  count_bytes();
  return true;
}

void scan_places::show_rows(std::int64_t rows, graph_view& inside) const {
  inside.vertices = rows;
  inside.in = inside.out = adjacency(rows, all->no_edges.data(), nullptr, nullptr);
  inside.edges = 0;
}

/// Of steps together the last ones are fewer.
bool scan_places::show_last_rows(std::int64_t t, graph_view& inside) {
  const std::int64_t rows = std::min(together, all_steps - t * together) * call.graph.vertices;
  if (rows == n.vertices) return false;
  n.vertices = rows;
  show_rows(rows, inside);
  count_bytes();
  return true;
}

// ---- addresses ----

/// Whether a value of the step is of edges that are others at each step, so that its rows are as many as there are.
bool scan_places::has_rows_of_step(int i) const {
  return graphs != nullptr && step.statements[i].where == ir::space::edge;
}

std::int64_t scan_places::bytes_of_rows(int i, std::int64_t rows) const {
  return rows * stg::detail::elements_of_row(step.statements[i], n) * bytes_of(step.statements[i].type);
}

/// Where step t begins in a value with rows of its own for each step, of which this is one.
std::int64_t scan_places::begin_of_step(int i, std::int64_t t) const {
  if (has_rows_of_step(i)) return bytes_of_rows(i, graphs->edges_before(t));
  return together > 1 ? bytes_of_rows(i, t * together * call.graph.vertices) : t * bytes_now(i);
}

/// Where the nth step begins in what a block stacks: rows of its edges behind those of the block's steps before it;
/// other rows take turns, since what is carried out of a block is in the first of the next one.
std::int64_t scan_places::begin_in_block(int i, std::int64_t nth) const {
  if (!has_rows_of_step(i)) return nth % stacked_rows(every) * bytes_now(i);
  const std::int64_t first = at_step(nth / every * every), now = at_step(nth);
  return bytes_of_rows(i, s.is_backwards() ? graphs->edges_before(first + 1) - graphs->edges_before(now + 1)
                                           : graphs->edges_before(now) - graphs->edges_before(first));
}

std::byte* scan_places::rows_of_step(int entry, int i, std::int64_t t) const {
  std::byte* const of_all = read_from(entry);
  if (graphs != nullptr && of_all == reinterpret_cast<const std::byte*>(graphs))  // its weights (call_inputs.hpp)
    return const_cast<std::byte*>(graphs->weights_at(t));
  return of_all + begin_of_step(i, t);
}

std::byte* scan_places::row(int k, std::int64_t nth) const {
  const int i = step.outputs[k].at;
  return result(k) + (output(k).stacked ? begin_in_block(i, nth) : begin_of_step(i, at_step(nth)));
}

std::byte* scan_places::kept_state(int k, std::int64_t block) const {
  const std::int64_t blocks = (steps + every - 1) / every;
  std::byte* states = call.memory[at];
  for (int other = 0; other < k; ++other) states += blocks * in_lines(bytes_of_carried(other));
  return states + block * in_lines(bytes_of_carried(k));
}

}  // namespace stg::codegen
