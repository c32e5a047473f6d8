// The forms of a program, one after the other, and the comparison of what they compute.
#include "program_check.hpp"

#include "../run/support/near.hpp"      // is_near
#include "../run/support/verified.hpp"  // canonical, inferred, differentiated, hoisted
#include "choices.hpp"                  // choices
#include "drafted_calls.hpp"            // run_drafted
#include "kept_otherwise.hpp"           // kept_otherwise
#include "planned_calls.hpp"            // run_planned
#include "stored_narrow.hpp"            // stored_narrow

#include <stg/call/report.hpp>     // cost_of_program
#include <stg/ir/attachments.hpp>  // carry_attachments
#include <stg/ir/print.hpp>        // to_text
#include <stg/pipeline.hpp>        // planned
#include <stg/timeline.hpp>        // timeline

#include <algorithm>  // max
#include <stdexcept>  // runtime_error
#include <string>     // string

namespace stg::test {

namespace {

class program_check {
 public:
  static constexpr double tolerance = 1e-10;

  program_check(const random_program& of, std::uint64_t seed, tally& counts)
      : p(of.program), env(of.env), g(all_families()[of.family].graph), c(seed), counts(counts) {
    ++counts.programs;
    ++counts.families[of.family];
    settings.chunk_edges = c.one_in(3) ? 1024 : 1 + c.below(4);
    settings.block_rows = c.one_in(3) ? 48 : 1 + c.below(4);
    settings.divides_last = !c.one_in(4);
    drafted.rows = c.one_in(3) ? 512 : 1 + c.below(4);
    drafted.edges = c.one_in(3) ? 1024 : 1 + c.below(4);
  }

  /// Throws what is wrong.
  void run() {
    try {
      run_forms();
    } catch (const std::exception& e) {
      throw std::runtime_error(form + ": " + e.what() + "\nof what ran last\n" + to_text(last) + "and\n" +
                               to_text(last_gradient));
    }
  }

 private:
  using arrays = std::vector<oracle::array>;

  // ---- forms ----

  void run_forms() {
    const ir::flags used = pass::reachable(p);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (used[static_cast<std::size_t>(i)]) ++counts.seen[static_cast<int>(p[i].code)], ++counts.statements;
    canonical = with_sites_as_written(verified::canonical(p));
    verified::look("canonical", canonical);
    plainly();
    find_gradients();
    if (!required.empty()) training();
  }

  void plainly() {
    arrays magnitudes;
    const arrays expected = oracle::interpret(pass::inference(p), g, env, &magnitudes);
    form = "called plainly";
    compare(call_plainly(canonical, env), expected, magnitudes);
    form = "called plainly as a draft";
    compare(run_drafted(last, g, env, drafted), expected, magnitudes);
    if (g.edges() > 0 && c.one_in(4)) timed();
    if (!c.one_in(2)) return;
    form = "called plainly with fixed inputs";
    oracle::environment with_kept = env;
    by = other_numbers();
    const pass::hoisted h = hoist(false, fixed_entries({}), with_kept);
    compare(call_plainly(h.rest, with_kept), expected, magnitudes);
    by = pass::choices();
  }

  /// A timeline counts the bytes of explain's formulas. A draft has no chains, so it stores what would stay in a block.
  void timed() {
    form = "timed as a draft";
    const ir::program doubles = in_double(last);
    for (const pass::planned_unit& u : pipeline::planned(doubles, pass::fuse(doubles)).units)
      if (u.chained != 1) return;
    drafted_call call(doubles, g, env, drafted);
    const timeline of_call;
    call.run();
    std::int64_t bytes = 0;
    for (const unit_time& u : of_call.units()) bytes += u.bytes;
    EXPECT_EQ(bytes, stg::detail::cost_of_program(doubles, call.sizes_of_call()).bytes) << form << "\n"
                                                                                        << to_text(doubles);
  }

  void training() {
    const pass::joint_program joint = verified::autodiff(p, provided, inputs_of(p, required));
    oracle::environment bound = env;
    arrays cotangents, magnitudes;
    for (std::size_t k = 0; k < provided.size(); ++k) {
      const ir::statement& s = joint.program[joint.cotangents[k]];
      oracle::array d;
      for (std::int64_t n = numbers_of(s); n > 0; --n) d.push_back(c.number());
      bound.entries[s.entry()] = d;
      cotangents.push_back(d);
    }
    const arrays expected = oracle::interpret(joint.program, g, bound, &magnitudes);
    count_differentiated();
    form = "in training";
    compare(train(canonical, env, cotangents), expected, magnitudes);
    form = "in training as a draft";
    compare(run_drafted(last_step, g, env, cotangents, drafted), expected, magnitudes);
    form = "in training, kept otherwise and decided by other numbers";
    by = other_numbers();
    compare(train(kept_otherwise(canonical, c), env, cotangents), expected, magnitudes);
    form = "in training, stored narrow";
    by = other_numbers();
    const arrays narrow = train(stored_narrow(canonical, c), env, cotangents);
    arrays of_narrow;
    compare(narrow, interpret(last_step, cotangents, of_narrow), of_narrow);
    if (!c.one_in(2)) return;
    form = "in training with fixed inputs";
    oracle::environment with_kept = env;
    const pass::hoisted h = hoist(true, fixed_entries(required), with_kept);
    compare(train(h.rest, with_kept, cotangents), expected, magnitudes);
  }

  /// Half of the time those that are there.
  pass::choices other_numbers() {
    pass::choices other;
    if (c.one_in(2)) return other;
    other.recomputed_cost = c.below(60);
    other.few_numbers = c.below(20);
    other.kept_number_cost = c.below(20);
    other.kept_row_cost = c.below(30);
    other.most_terms = c.below(7);
    other.moved_cost = c.below(30);
    other.most_packed_bytes = 8 * c.below(12);
    other.most_record_bytes = 8 * c.below(40);
    if (c.one_in(2)) other.relations = pass::relations_of_sweep::one;
    other.narrow_elements = c.below(10);
    other.computed_once_cost = c.below(20);
    other.chunk_bytes = c.below(1 << 14);
    other.narrow_chunk_bytes = c.below(1 << 14);
    other.block_bytes = c.below(1 << 14);
    other.rows_together = c.below(1 << 14);
    other.least_ordered_edges = c.below(100);
    other.most_rounds = c.below(6);
    other.merged_exchanges = c.below(2);
    return other;
  }

  arrays call_plainly(const ir::program& form, const oracle::environment& bound) {
    const ir::program inferred = verified::inferred(form, by);
    const pass::plan plan = pipeline::planned(inferred, by);
    count(plan);
    last = inferred;
    last_gradient = ir::program();
    return run_planned(inferred, plan, g, bound, settings);
  }
  arrays train(const ir::program& form, const oracle::environment& bound, const arrays& cotangents) {
    const pass::differentiated d = verified::differentiated(form, provided, inputs_of(form, required), by);
    const pass::plan forward = pipeline::planned(d.forward, by), gradient = pipeline::planned(d.gradient, by);
    count(forward);
    count(gradient);
    last = d.forward;
    last_gradient = d.gradient;
    last_step = d;
    return run_planned(d, forward, gradient, g, bound, cotangents, settings);
  }
  /// The two programs of a step as they are written, one after the other: what is rounded in memory is a cast there.
  arrays interpret(const pass::differentiated& d, const arrays& cotangents, arrays& magnitudes) {
    const arrays forward = oracle::interpret(d.forward, g, env, &magnitudes);
    for (const ir::statement& s : d.forward.statements)
      counts.narrow_values += s.code == ir::opcode::cast && s.type == bf16;
    oracle::environment bound = env;
    for (int k = 0; k < d.connections.size(); ++k) {
      const pass::connection& from = d.connections[k];
      const auto is_given = env.entries.find(from.index);
      bound.entries[k] = from.kind == pass::connection_kind::cotangent ? cotangents[at(k)]
                         : from.kind == pass::connection_kind::saved   ? forward[at(from.index)]
                         : is_given != env.entries.end()
                             ? is_given->second
                             : env.inputs.at(std::string(d.forward.inputs[from.index].name.view()));
    }
    arrays results(forward.begin(), forward.begin() + d.results), of_gradient;
    magnitudes.resize(at(d.results));
    for (arrays::value_type& y : oracle::interpret(d.gradient, g, bound, &of_gradient)) results.push_back(std::move(y));
    for (arrays::value_type& m : of_gradient) magnitudes.push_back(std::move(m));
    return results;
  }
  pass::hoisted hoist(bool training, const std::vector<int>& entries, oracle::environment& bound) {
    const pass::hoisted h = verified::hoisted(canonical, training, entries, by);
    if (!h.prologue.outputs.empty()) {
      ++counts.prologues;
      const arrays kept = call_plainly(h.prologue, env);
      for (std::size_t k = 0; k < kept.size(); ++k)
        bound.entries[static_cast<int>(canonical.inputs.size() + k)] = kept[k];
    }
    return h;
  }

  // ---- what is asked for ----

  /// Real outputs bring cotangents; trainable inputs get gradients, unless one would have to pass through a step.
  void find_gradients() {
    const differentiable_part part = differentiable_part_of(canonical);
    provided = part.outputs;
    for (const ir::value_id i : part.inputs) required.push_back(name_of(canonical, i));
  }
  /// Some inputs, none of those.
  std::vector<int> fixed_entries(const std::vector<std::string>& without) {
    std::vector<int> entries;
    for (int e = 0; e < canonical.inputs.size(); ++e) {
      bool free = true;
      for (const std::string& name : without) free = free && name != canonical.inputs[e].name.view();
      if (free && !c.one_in(3)) entries.push_back(static_cast<int>(e));
    }
    return entries;
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static std::string name_of(const ir::program& q, ir::value_id i) {
    return std::string(q.inputs[q[i].entry()].name.view());
  }
  static sequence<ir::value_id> inputs_of(const ir::program& q, const std::vector<std::string>& names) {
    sequence<ir::value_id> found;
    for (const std::string& name : names)
      for (ir::value_id i = 0; i < q.size(); ++i)
        if (q[i].code == ir::opcode::input && name_of(q, i) == name) found.push_back(i);
    return found;
  }
  /// Sites are numbered anew by order, and with them the random numbers; a mask's probability says which it was.
  static ir::program with_sites_as_written(const ir::program& q) {
    ir::program written = ir::blank_like(q);
    sequence<ir::value_id> at;
    for (const ir::statement& s : q.statements) {
      ir::statement copy = ir::renamed(s, at);
      if (s.code == ir::opcode::keep_mask) copy.set_site(site_as_written(s));
      at.push_back(written.emit(copy));
    }
    ir::carry_attachments(q, written, at);
    return written;
  }
  std::int64_t numbers_of(const ir::statement& s) const {
    std::int64_t n = s.where == ir::space::vertex ? g.vertices() : s.where == ir::space::edge ? g.edges() : 1;
    const auto size_of = [&](const text& name) { return env.extents.at(std::string(name.view())); };
    for (int a = 0; a < s.dims.rank; ++a) n *= ir::evaluate(p.polynomial_of(s.dims.axes[a]), size_of);
    return n;
  }

  // ---- what is wrong ----

  void compare(const arrays& planned, const arrays& expected, const arrays& magnitudes) {
    if (planned.size() != expected.size()) throw std::runtime_error("another number of outputs");
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::string output = "output " + std::to_string(k);
      double largest = 0;
      for (const double x : expected[k]) {
        if (std::isnan(x)) throw std::runtime_error(output + " is NaN by the naive interpreter");
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
      }
      const testing::AssertionResult near = is_near(planned[k], expected[k], magnitudes[k], tolerance);
      if (!near) throw std::runtime_error(output + ", " + near.message());
      counts.numbers += static_cast<long>(expected[k].size());
      for (const double m : magnitudes[k])
        if (std::isfinite(m) && tolerance * m > 1e-5 * std::max(largest, 1.0)) ++counts.loose_numbers;
    }
  }

  // ---- counting ----

  void count(const pass::plan& plan) {
    counts.units += static_cast<long>(plan.units.size());
    counts.loops += static_cast<long>(plan.loops.size());
    for (const pass::planned_unit& u : plan.units) counts.chains += u.chained > 1;
  }
  /// Statements that a gradient passes through; of operations that have none, those that a differentiated output reads.
  void count_differentiated() {
    ++counts.gradients;
    ir::program q = p;
    q.outputs.clear();
    q.checks.clear();
    for (const int k : provided) q.outputs.push_back(p.outputs[at(k)]);
    const ir::flags used = pass::reachable(q), wanted = pass::depends_on(p, inputs_of(p, required));
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (used[at(i)] && (wanted[at(i)] || !op::info_of(p[i].code).differentiable))
        ++counts.differentiated[static_cast<int>(p[i].code)];
  }

  const ir::program& p;
  const oracle::environment& env;
  const graph& g;
  choices c;
  pass::choices by{};  // what passes decide by in the form at hand
  tally& counts;
  plan_settings settings{};
  drafts::batch_limits drafted{};
  ir::program canonical{};
  std::vector<int> provided{};
  std::vector<std::string> required{};     // names of inputs
  std::string form = "as it was written";  // what is checked, for messages; and the programs that ran last
  ir::program last{}, last_gradient{};
  pass::differentiated last_step{};
};

}  // namespace

void check_program(const random_program& of, std::uint64_t seed, tally& counts) {
  program_check(of, seed, counts).run();
}

}  // namespace stg::test
