// Which values of a plan ranks exchange.
#include <stg/codegen/exchanges.hpp>

#include <algorithm>  // find, max, min, reverse, stable_sort
#include <limits>     // numeric_limits
#include <map>        // map
#include <string>     // string
#include <utility>    // move

#include <stg/base/error.hpp>             // error
#include <stg/codegen/checkpoints.hpp>    // kept_steps
#include <stg/codegen/column_choice.hpp>  // chosen_column_sweeps
#include <stg/codegen/part_calls.hpp>     // meet, rows_there_of_gradient
#include <stg/codegen/scan.hpp>           // step_program
#include <stg/ir/decisions.hpp>           // scope_regions
#include <stg/ir/statement.hpp>           // neighbour_gather
#include <stg/op/list.hpp>                // info_of

namespace stg::codegen {

namespace {

std::size_t as_size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Finds the exchanges of a plan: for each unit, which values it reads, and which rows of them.
class exchange_finder {
 public:
  exchange_finder(const plan_data& plan, const rows_there* there, int results, const step_program* steps,
                  const std::vector<column_sweep>& by_columns = {})
      : plan_(plan),
        there_(there),
        steps_(steps),
        seen_(as_size(plan.size), 0),
        made_by_out_(as_size(plan.size), 0),
        reads_(as_size(plan.unit_count + 1)) {
    find_made_by_out();
    for (const column_sweep& sweep : by_columns) by_columns_.push_back(sweep.unit);
    for (int unit = 0; unit < plan.unit_count; ++unit) {
      chain_ = plan.units[unit].chained == 0 ? chain_ : unit;
      look_at_unit(unit);
    }
    chain_ = plan.unit_count;
    for (int k = 0; k < plan.output_count; ++k) {
      const int root = plan.root(plan.outputs[k].at);
      if (reduces_rows(plan, root)) need(root, exchanged::sum);
      else if (results < 0 || k < results) need_in_results(root);
    }
    for (int i = 0; i < plan.size; ++i)  // sums that nobody reads end, too
      if (plan.stored[i] && reduces_rows(plan, i)) need(i, exchanged::sum);
    merge();
    std::stable_sort(found_.begin(), found_.end(), [](const exchange& a, const exchange& b) {
      return a.after != b.after ? a.after < b.after
                                : a.what == exchanged::made_again && b.what != exchanged::made_again;
    });
  }
  std::vector<exchange> take() { return std::move(found_); }
  std::vector<unit_reads> take_reads() { return std::move(reads_); }

  rows_there after(int root) const {
    const ir::domain& where = plan_.statements[root].where;
    if (where == ir::space::graph || is_input(root)) return is_input(root) ? of_input(root) : rows_there::all;
    for (const exchange& e : found_)
      if (e.value == root && e.what != exchanged::sum) return rows_there::all;
    return where == ir::space::edge && is_made_by_out(root) ? rows_there::own_by_out_edges : rows_there::own;
  }

 private:
  bool is_input(int i) const { return plan_.statements[i].code == ir::opcode::input; }
  rows_there of_input(int i) const { return there_ == nullptr ? rows_there::all : there_[plan_.statements[i].entry()]; }

  /// Edge values that a loop over out-edges stores, here or in the steps of a scan; others are made along in-edges.
  void find_made_by_out() {
    for (int loop = 0; loop < plan_.loop_count; ++loop) {
      const pass::planned_loop& l = plan_.loops[loop];
      if (l.side != pass::sweep_side::out) continue;
      for (int k = l.first_result; k < l.last_result; ++k) {
        const int i = plan_.loop_results[k].at;
        if (plan_.statements[i].where == ir::space::edge) made_by_out_[as_size(i)] = 1;
      }
    }
    for (int i = 0; i < plan_.size && steps_ != nullptr; ++i) {
      const ir::statement& s = plan_.statements[i];
      if (s.code != ir::opcode::result || s.where != ir::space::edge) continue;
      const ir::statement& of = plan_.statements[s.operands[0]];
      if (ir::is_scan(of.code)) made_by_out_[as_size(i)] = is_made_by_out(steps_[of.callee()], s.output());
    }
  }
  static bool is_made_by_out(const step_program& step, int output) {
    const exchange_finder of(*step.data, nullptr, 0, step.steps);
    return of.is_made_by_out(step.data->root(step.data->outputs[output].at));
  }
  bool is_made_by_out(int root) const {
    return is_input(root) ? of_input(root) == rows_there::own_by_out_edges : made_by_out_[as_size(root)] != 0;
  }

  void need(int root, exchanged what) {
    note(root, reads_[as_size(chain_)].of_others);
    for (const exchange& e : found_)
      if (e.value == root && e.what == what) return;
    const int made = is_input(root) ? -1 : chain_of(plan_, plan_.lifetimes[root].first);
    if (made >= chain_ && made >= 0) {  // made by the unit that reads it: its own rows
      if (what != exchanged::sum) return;
      throw error("stg internal: a unit reads a sum over rows that it makes");
    }
    if (made >= 0 && chain_ < plan_.unit_count && chain_ > plan_.lifetimes[root].last)
      throw error("stg internal: rows of a value are exchanged when its memory is another's");
    found_.push_back({.value = root, .what = what, .made = made, .after = made, .before = chain_});
  }
  /// The rows of all vertices or edges of the part are read, or those of one space.
  void need_all_rows(int root) {
    const ir::domain& where = plan_.statements[root].where;
    if (is_input(root) && of_input(root) == rows_there::all) return;
    if (where == ir::space::vertex)
      need(root, can_be_made_again(plan_, root, there_) ? exchanged::made_again : exchanged::vertices);
    if (where == ir::space::edge)
      need(root, is_made_by_out(root) ? exchanged::edges_made_out : exchanged::edges_made_in);
  }
  void need_in_results(int root) {
    need_all_rows(root);
    for (exchange& e : found_) e.is_result = e.is_result || (e.value == root && e.what == exchanged::vertices);
  }
  /// Edges of one side's rows are read.
  void need_edges(int root, pass::sweep_side side) {
    note(root, reads_[as_size(chain_)].values);
    if (is_by_columns()) side = pass::sweep_side::in;  // edges that end in own vertices are sent
    if (is_made_by_out(root) != (side == pass::sweep_side::out)) need_all_rows(root);
  }
  /// A value with memory of its own is read at a row, or as a whole: of edges, by products and sums, those that end in
  /// own vertices.
  void read(int root) {
    note(root, reads_[as_size(chain_)].values);
    if (!is_input(root) && reduces_rows(plan_, root)) need(root, exchanged::sum);
    if (plan_.statements[root].where == ir::space::edge) need_edges(root, pass::sweep_side::in);
  }

  /// Each region by itself.
  void merge() {
    const std::vector<std::int64_t> regions = regions_of(plan_);
    if (regions.empty()) return;
    std::map<std::int64_t, std::vector<exchange*>> sent;
    for (exchange& e : found_)
      if (const std::int64_t region = regions[as_size(e.value)]; region != 0 && e.what != exchanged::made_again)
        sent[region].push_back(&e);
    for (auto& [region, of_region] : sent) merge(of_region);
  }
  /// Values that are all made before one of them is read are sent together, when the last of them is made.
  static void merge(std::vector<exchange*>& sent) {
    std::stable_sort(sent.begin(), sent.end(), [](const exchange* a, const exchange* b) { return a->made < b->made; });
    for (std::size_t first = 0, last = 0; first < sent.size(); first = last) {
      for (int before = std::numeric_limits<int>::max(); last < sent.size() && sent[last]->made < before; ++last)
        before = std::min(before, sent[last]->before);
      for (std::size_t k = first; k < last; ++k) sent[k]->after = sent[last - 1]->made;
    }
  }

  static void note(int root, std::vector<int>& among) {
    if (std::find(among.begin(), among.end(), root) == among.end()) among.push_back(root);
  }

  /// Whether the unit at hand sends rows for itself.
  bool is_by_columns() const { return std::find(by_columns_.begin(), by_columns_.end(), chain_) != by_columns_.end(); }

  bool is_first_look(int i) {
    if (seen_[as_size(i)] == stamp_) return false;
    seen_[as_size(i)] = stamp_;
    return true;
  }
  /// Looks at what a value of vertices or of the graph is computed from in this unit.
  void look_at(int i) {
    const ir::statement& s = plan_.statements[i];
    for (int k = 0; k < s.arity(); ++k) look_at_value(s.operands[k]);
  }
  void look_at_value(int x) {
    const int root = plan_.root(x);
    if (is_input(root) || plan_.stored[root]) return read(root);
    if (is_first_look(root)) look_at(root);
  }
  /// The same of a value of the edges that a loop goes over.
  void look_at_edges(int i, pass::sweep_side side) {
    const ir::statement& s = plan_.statements[i];
    if (is_gather(i)) return look_at_gather(i, side);
    for (int k = 0; k < s.arity(); ++k) {
      const int x = s.operands[k], root = plan_.root(x);
      const ir::statement& value = plan_.statements[root];
      if (value.where != ir::space::edge) look_at_value(root);
      else if (is_gather(root)) look_at_gather(root, side);
      else if (is_input(root) || plan_.stored[root]) need_edges(root, side);
      else if (is_first_look(root)) look_at_edges(root, side);
    }
  }
  /// Loops read a gathered value from its vertex, even where it is stored for others.
  bool is_gather(int i) const { return op::info_of(plan_.statements[i].code).kind == op::category::gather; }
  void look_at_gather(int i, pass::sweep_side side) {
    const int root = plan_.root(plan_.statements[i].operands[0]);
    const bool of_neighbour = plan_.statements[i].code == ir::neighbour_gather(pass::direction_of(side));
    const bool is_in_memory = is_input(root) || plan_.stored[root];
    if (!of_neighbour || !is_in_memory || is_by_columns()) return look_at_value(root);
    reads_[as_size(chain_)].neighbours.push_back({loop_, root});
    read(root);
    need_all_rows(root);
  }

  /// A value that lies in memory as the unit begins.
  bool is_made_before(int i) const {
    return is_input(i) || (plan_.stored[i] && chain_of(plan_, plan_.lifetimes[i].first) < chain_);
  }
  void look_at_unit(int unit) {
    const pass::planned_unit& u = plan_.units[unit];
    for (int k = u.first_step; k < u.last_step; ++k) {
      ++stamp_;
      const pass::step& step = plan_.steps[k];
      if (!step.is_loop) {
        if (u.kind == pass::unit_kind::scan && ir::is_scan(plan_.statements[step.index].code)) look_at_scan(step.index);
        else look_at(step.index);
        continue;
      }
      const pass::planned_loop& loop = plan_.loops[step.index];
      loop_ = step.index;
      for (int r = loop.first_result; r < loop.last_result; ++r) look_at_edges(plan_.loop_results[r].at, loop.side);
      for (int r = loop.first_statement; r < loop.last_statement; ++r) {
        const int i = plan_.loop_statements[r].at;
        if (is_made_before(i) && !is_gather(i)) need_edges(i, loop.side);
        else look_at_edges(i, loop.side);
      }
    }
  }
  /// What the steps of a scan read of neighbours has come before it; what differs from step to step comes in them.
  void look_at_scan(int i) {
    const ir::statement& s = plan_.statements[i];
    const std::vector<unsigned char> entries =
        steps_ == nullptr ? std::vector<unsigned char>() : inputs_of_neighbours(steps_[s.callee()]);
    int entry = 0;
    for (int at = s.operands[0]; plan_.statements[at].code == ir::opcode::bind; at = plan_.statements[at].operands[0])
      ++entry;
    for (int at = s.operands[0]; plan_.statements[at].code == ir::opcode::bind; at = plan_.statements[at].operands[0]) {
      const int root = plan_.root(plan_.statements[at].operands[1]);
      --entry;
      read(root);
      const bool carried = entry < s.carried();
      const bool is_read = steps_ == nullptr || (as_size(entry) < entries.size() && entries[as_size(entry)] != 0);
      if (!carried && !plan_.statements[root].is_sequence() && is_read) need_all_rows(root);
    }
  }

  const plan_data& plan_;
  const rows_there* there_;
  const step_program* steps_;
  std::vector<int> seen_;
  std::vector<unsigned char> made_by_out_;
  std::vector<unit_reads> reads_;  // by unit
  std::vector<int> by_columns_{};  // units
  int stamp_ = 0, chain_ = 0, loop_ = 0;
  std::vector<exchange> found_{};
};

}  // namespace

std::vector<std::int64_t> regions_of(const plan_data& plan) {
  ir::program words;  // without statements
  for (int k = 0; k < plan.decision_count; ++k)
    if (plan.decisions[k].what == ir::decided::merged_exchanges) words.decisions.push_back(plan.decisions[k]);
  if (words.decisions.empty()) return {};
  int sets = 0;
  for (int i = 0; i < plan.size; ++i) sets = std::max(sets, plan.statements[i].scopes);
  words.scopes.append(plan.scopes, plan.scope_count);
  words.scope_sets.append(plan.scope_sets, sets);
  const ir::scope_regions regions(words);
  std::vector<std::int64_t> found(as_size(plan.size));
  for (int i = 0; i < plan.size; ++i) found[as_size(i)] = regions.of(plan.statements[i]);
  return found;
}

bool reduces_rows(const plan_data& plan, int i) {
  const ir::statement& s = plan.statements[i];
  const op::category kind = op::info_of(s.code).kind;
  return (kind == op::category::reduction || kind == op::category::dense) && s.where == ir::space::graph &&
         plan.statements[s.operands[0]].where != ir::space::graph;
}

int chain_of(const plan_data& plan, int unit) {
  while (unit > 0 && plan.units[unit].chained == 0) --unit;
  return unit;
}

std::vector<unsigned char> inputs_of_neighbours(const step_program& step) {
  const plan_data& plan = *step.data;
  int entries = 0;
  for (int i = 0; i < plan.size; ++i)
    if (plan.statements[i].code == ir::opcode::input) entries = std::max(entries, plan.statements[i].entry() + 1);
  const std::vector<rows_there> none(as_size(entries + 1), rows_there::own);
  std::vector<unsigned char> read(as_size(entries), 0);
  for (const exchange& e : exchange_finder(plan, none.data(), 0, step.steps).take())
    if (plan.statements[e.value].code == ir::opcode::input) read[as_size(plan.statements[e.value].entry())] = 1;
  return read;
}

/// Carried values have own rows, as the step before made them, and so have those of each step that the plan around the
/// scan made. What is the same at all steps has come before the scan if a step reads it of neighbours.
std::vector<rows_there> rows_there_of_step(const plan_data& plan, int scan, const step_program& step,
                                           const rows_there* there) {
  const ir::statement& s = plan.statements[scan];
  std::vector<int> inputs;  // from the last one on
  for (int at = s.operands[0]; plan.statements[at].code == ir::opcode::bind; at = plan.statements[at].operands[0])
    inputs.push_back(plan.statements[at].operands[1]);
  std::reverse(inputs.begin(), inputs.end());
  const std::vector<unsigned char> of_neighbours = inputs_of_neighbours(step);
  std::vector<rows_there> found(inputs.size(), rows_there::all);
  for (std::size_t e = 0; e < inputs.size(); ++e) {
    const ir::statement& read = plan.statements[plan.root(inputs[e])];
    const bool is_given =
        read.code == ir::opcode::input && (there == nullptr || there[read.entry()] == rows_there::all);
    const bool came = !read.is_sequence() && e < of_neighbours.size() && of_neighbours[e] != 0;
    if (e < as_size(s.carried()) || !(is_given || came)) found[e] = rows_there::own;
  }
  return found;
}

std::vector<unit_reads> reads_of_units(const plan_data& plan, const rows_there* there, const step_program* steps,
                                       const std::vector<column_sweep>& by_columns) {
  return exchange_finder(plan, there, -1, steps, by_columns).take_reads();
}

std::vector<exchange> exchanges_of(const plan_data& plan, const rows_there* there, int results,
                                   const step_program* steps, const std::vector<column_sweep>& by_columns) {
  return exchange_finder(plan, there, results, steps, by_columns).take();
}

void show_sizes_of_part(graph_view& graph, const rank_rows& part) {
  graph.ranks = &part;
  graph.vertices = part.own_vertices;
  graph.own_edges = part.own_edges;
  graph.all_vertices = part.all_vertices;
}
void show_rows_of_part(graph_view& graph) {
  graph.in = graph.ranks->in;
  graph.out = graph.ranks->out;
}

stg::detail::memory rows_there_of_gradient(const plan_data& forward, const plan_data& gradient,
                                           const pass::connection* from, int results, const step_program* steps,
                                           const std::vector<column_sweep>& by_columns) {
  const exchange_finder found(forward, nullptr, results, steps, by_columns);
  int inputs = 0;
  for (int i = 0; i < gradient.size; ++i)
    if (gradient.statements[i].code == ir::opcode::input) inputs = std::max(inputs, gradient.statements[i].entry() + 1);
  stg::detail::memory all = stg::detail::allocate_at(host, inputs + 1, true, "rows of other ranks");
  for (int e = 0; e < inputs; ++e)
    if (from[e].kind == pass::connection_kind::saved)
      reinterpret_cast<rows_there*>(all.get())[e] = found.after(forward.root(forward.outputs[from[e].index].at));
  return all;
}

stg::detail::memory rows_there_of_gradient(const plan_data& forward, const plan_data& gradient,
                                           const pass::connection* from, int results, const step_program* steps,
                                           const rank_rows* part, const std::int64_t* extents,
                                           const column_kernels* kernels) {
  return rows_there_of_gradient(forward, gradient, from, results, steps,
                                chosen_column_sweeps(forward, nullptr, results, steps, {part, extents, kernels}));
}

namespace {

void meet_part(const plan_data& plan, const launch& l) {
  if (l.graph.ranks == nullptr) return;
  std::uint64_t program = static_cast<std::uint64_t>(plan.unit_count), sizes = l.graph.ranks->cut;
  const auto mix = [](std::uint64_t& into, std::uint64_t x) {
    into = (into ^ x) * 0x9E3779B97F4A7C15u, into ^= into >> 29;
  };
  for (const std::int64_t region : regions_of(plan)) mix(program, static_cast<std::uint64_t>(region));  // of messages
  for (int i = 0; i < plan.size; ++i) {
    mix(program, ir::hash(plan.statements[i]));
    if (plan.stored[i]) mix(sizes, static_cast<std::uint64_t>(bytes_of_row(plan, i, l.extents)));
  }
  if (const column_kernels* const kernels = l.others.columns)  // of which bits are
    mix(program, static_cast<std::uint64_t>(1 + kernels->groups));
  const std::uint64_t every = l.scans.kept == nullptr ? 0 : static_cast<std::uint64_t>(l.scans.kept->every);
  const std::uint64_t numbers[] = {program, sizes, l.draws.seed, l.draws.number, every};
  constexpr const char* what[] = {"another program", "sizes or a cut of its own", "a seed of its own",
                                  "another number of calls before it", "checkpoints every other number of steps"};
  const int wrong = first_difference(*l.graph.ranks->ranks, numbers, {"all ranks", {}, l.draws.number});
  if (wrong >= 0)
    throw error(std::string("a call on parts of a cut graph: a rank has ") + what[wrong] +
                "; all ranks make the same calls in the same order");
}

}  // namespace

void meet(const plan_data& plan, const launch& l, const plan_data* gradient) {
  meet_part(plan, l);
  agree_on_messages(plan, l, gradient);
}

std::int64_t steps_of_all_ranks(const rank_rows* part, std::int64_t mine) {
  if (part == nullptr) return mine;
  const std::uint64_t least = least_said(*part->ranks, static_cast<std::uint64_t>(mine + 1));
  if (least == 0 && mine != no_steps)
    throw error("checkpoints within a number of bytes: another rank's call takes more; give all ranks more bytes");
  return static_cast<std::int64_t>(least) - 1;
}

bool any_rank_ends(const rank_rows* ranks, bool mine) {
  return ranks == nullptr ? mine : !all_say(*ranks->ranks, !mine, {"all ranks after a step of", "run"});
}

}  // namespace stg::codegen
