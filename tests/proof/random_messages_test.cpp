// Random programs with messages by hand, another one on each of two to four ranks, messages delayed and in another
// order: values and gradients are those of one program that computes all of it without a message. Every pass keeps the
// rules, texts are read back, the oracle says the same. STG_SEED chooses others, STG_MESSAGES how many.
#include "for_random_programs.hpp"  // for_random_seeds

#include "../run/support/near.hpp"      // is_near
#include "../run/support/verified.hpp"  // canonical, differentiated

#include <stg/call/runnable.hpp>              // runnable_step
#include <stg/codegen/interpreter.hpp>        // interpret
#include <stg/data/karate.hpp>                // karate_club
#include <stg/distributed/graph_of_rank.hpp>  // graph_of_rank
#include <stg/distributed/thread_ranks.hpp>   // run_ranks
#include <stg/ir/messages.hpp>                // last_message
#include <stg/ir/text.hpp>                    // from_text
#include <stg/pass/value.hpp>                 // value

#include <gtest/gtest.h>  // TEST

#include <iostream>  // cout
#include <string>    // string, to_string
#include <vector>    // vector

namespace stg::test::random_messages {
namespace {

constexpr int width = 3;

ir::shape row() {
  ir::shape s;
  s.rank = 1;
  s.axes[0] = ir::extent(width);
  return s;
}

/// A value of a rank's program, and the same in the program of all ranks.
struct twin {
  ir::value_id mine = ir::no_value, of_all = ir::no_value;
};

/// Programs of some ranks, written one statement at a time, and beside them one that computes the same.
class writer {
 public:
  writer(choices& from, int ranks) : c(from), programs(static_cast<std::size_t>(ranks)), known(programs.size()) {
    for (int r = 0; r < ranks; ++r)
      for (const char* name : {"a", "b"}) {
        const twin t{input(programs[at(r)], name), input(all, name + std::to_string(r))};
        known[at(r)].push_back(t);
      }
  }

  void write(int statements) {
    for (int k = 0; k < statements; ++k) {
      const int r = c.below(ranks());
      if (c.one_in(3)) send_from(r);
      else if (c.one_in(6)) join(c.one_in(2) ? ir::opcode::sum_at_rank : ir::opcode::value_of_rank);
      else compute(r);
    }
    pass::value sum;
    for (int r = 0; r < ranks(); ++r) {
      both(r, [&, last = known[at(r)].back(), a = known[at(r)][0], b = known[at(r)][1]](ir::program& p, bool is_mine) {
        const auto of = [&](const twin& x) { return pass::value{&p, is_mine ? x.mine : x.of_all}; };
        return (of(last) + of(a) * of(b)).id;  // so that every input has a gradient
      });
      const twin loss = known[at(r)].back();
      give(programs[at(r)], total(programs[at(r)], loss.mine));
      const pass::value here{&all, total(all, loss.of_all)};
      sum = r == 0 ? here : sum + here;
    }
    give(all, sum.id);
    for (int r = 0; r < ranks(); ++r) give(all, total(all, known[at(r)].back().of_all));
  }

  int ranks() const { return static_cast<int>(programs.size()); }

  choices& c;
  std::vector<ir::program> programs;
  ir::program all{};
  int messages = 0;

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  static ir::value_id input(ir::program& p, const std::string& name) {
    ir::statement s;
    s.code = ir::opcode::input;
    s.type = f64;
    s.dims = row();
    s.set_entry(p.inputs.size());
    ir::input in;
    in.name = text(name);
    in.trainable = true;
    p.inputs.push_back(in);
    return p.emit(s);
  }
  static ir::value_id total(ir::program& p, ir::value_id x) {
    return pass::reshape(pass::reduce(ir::opcode::reduce_sum, {&p, x}, 1), ir::shape()).id;
  }
  static void give(ir::program& p, ir::value_id x) {
    ir::output o;
    o.at = x;
    p.outputs.push_back(o);
  }
  const twin& any(int r) { return known[at(r)][at(c.below(static_cast<int>(known[at(r)].size())))]; }

  template <class Write> void both(int r, const Write& write) {
    known[at(r)].push_back({write(programs[at(r)], true), write(all, false)});
  }
  void compute(int r) {
    const twin x = any(r), y = any(r);
    const int what = c.below(4);
    const double factor = c.number();
    both(r, [&](ir::program& p, bool is_mine) {
      const pass::value a{&p, is_mine ? x.mine : x.of_all}, b{&p, is_mine ? y.mine : y.of_all};
      switch (what) {
        case 0:
          return (a + b).id;
        case 1:
          return pass::apply(ir::opcode::tanh, a * b).id;
        case 2:
          return (pass::constant(p, f64, factor) * a).id;
        default:
          return (a - pass::apply(ir::opcode::tanh, b)).id;
      }
    });
  }

  ir::statement message(ir::program& p, ir::opcode code, ir::other_rank with, const std::string& name) {
    ir::statement s;
    s.code = code;
    s.set_message(ir::operation_number(name), with, 0);
    s.type = f64;
    s.dims = row();
    ir::value_id before = ir::last_message(p);
    if (before == ir::no_value) before = pass::constant(p, boolean, 0).id;
    s.operands[op::info_of(code).arity - 1] = before;
    return s;
  }
  ir::other_rank place_of(int other, int here) {
    if (c.one_in(2)) return {other, false};
    return {c.one_in(2) ? other - here : other - here - ranks(), true};
  }
  std::string new_name() { return "m" + std::to_string(messages++); }

  void send_from(int r) {
    const int other = (r + 1 + c.below(ranks() - 1)) % ranks();
    const std::string name = new_name();
    const twin x = any(r);
    ir::program &from = programs[at(r)], &to = programs[at(other)];
    ir::statement s = message(from, ir::opcode::send, place_of(other, r), name);
    s.operands[0] = x.mine;
    pass::emit(from, s);
    const ir::statement there = message(to, ir::opcode::receive, place_of(r, other), name);
    known[at(other)].push_back({pass::emit(to, there), x.of_all});
  }
  void join(ir::opcode code) {
    const int root = c.below(ranks());
    const std::string name = new_name();
    std::vector<twin> given, made;
    for (int r = 0; r < ranks(); ++r) given.push_back(any(r));
    for (int r = 0; r < ranks(); ++r) {
      ir::program& p = programs[at(r)];
      ir::statement s = message(p, code, {root, false}, name);
      s.operands[0] = given[at(r)].mine;
      twin t{pass::emit(p, s), ir::no_value};
      if (code == ir::opcode::value_of_rank) t.of_all = given[at(root)].of_all;
      else if (r != root) t.of_all = pass::broadcast(pass::constant(all, f64, 0), ir::space::graph, row()).id;
      else
        for (int k = 0; k < ranks(); ++k) {
          const pass::value x{&all, given[at(k)].of_all};
          t.of_all = k == 0 ? x.id : (pass::value{&all, t.of_all} + x).id;
        }
      known[at(r)].push_back(t);
    }
  }

  std::vector<std::vector<twin>> known;
};

tensor<double> numbers(choices& c) {
  tensor<double> t({width});
  for (int k = 0; k < width; ++k) t.data()[k] = c.number();
  return t;
}
const tensor<double>& doubles(const any_tensor& x) { return std::get<tensor<double>>(x); }

/// Passes of calls and of training keep the rules of programs, and so do texts.
void look_at_passes(const ir::program& traced) {
  ASSERT_EQ(ir::from_text(ir::to_text(traced)), traced);
  const ir::program p = verified::canonical(traced);
  static_cast<void>(verified::inferred(p));
  const pass::differentiated d = verified::differentiated(p, {0}, pass::trainable_inputs(p));
  ASSERT_EQ(ir::from_text(ir::to_text(d.gradient)), d.gradient);
}

void expect_near(double mine, double wanted, const std::string& what) {
  EXPECT_NEAR(mine, wanted, 1e-11 * (1 + std::abs(wanted))) << what;
}

TEST(random_messages, ranks_compute_what_one_program_does) {
  long messages = 0, statements = 0;
  const graph g = karate_club().graph;
  const long programs = for_random_seeds("STG_MESSAGES", 100, [&](std::uint64_t seed) {
    choices c(seed);
    const int ranks = 2 + c.below(3);
    writer w(c, ranks);
    w.write(4 + c.below(24));
    messages += w.messages;
    std::vector<tensor<double>> values;
    for (int k = 0; k < 2 * ranks; ++k) values.push_back(numbers(c));
    std::vector<program_input> inputs;
    std::vector<std::string> names;
    for (int k = 0; k < 2 * ranks; ++k) names.push_back((k % 2 == 0 ? "a" : "b") + std::to_string(k / 2));
    for (std::size_t k = 0; k < names.size(); ++k) inputs.emplace_back(names[k], values[k]);
    runnable_step one(w.all);
    const runnable_step::result wanted = one(g, inputs);
    for (const ir::program& p : w.programs) {
      statements += p.size();
      look_at_passes(p);
    }
    const thread_rank_options how{.patience = std::chrono::seconds(20), .reorder = c.next() | 1};
    std::vector<double> told(w.programs.size());
    std::vector<runnable_step::result> got(w.programs.size());
    run_ranks(
        ranks,
        [&](communicator& here) {
          const auto r = static_cast<std::size_t>(here.rank());
          const graph_of_rank mine(g, here);
          runnable_step step(w.programs[r]);
          got[r] = step(mine, {{"a", values[2 * r]}, {"b", values[2 * r + 1]}});
          oracle::environment env;
          env.ranks = &here;
          for (const int k : {0, 1}) {
            const tensor<double>& x = values[2 * r + static_cast<std::size_t>(k)];
            env.inputs[k == 0 ? "a" : "b"] = oracle::array(x.data(), x.data() + width);
          }
          told[r] = oracle::interpret(w.programs[r], g, env)[0][0];
        },
        how);
    for (std::size_t r = 0; r < w.programs.size(); ++r) {
      const std::string rank = "rank " + std::to_string(r);
      expect_near(got[r].loss, doubles(wanted.outputs[r + 1]).data()[0], rank);
      expect_near(told[r], got[r].loss, "the oracle of " + rank);
      for (const int k : {0, 1})
        for (int e = 0; e < width; ++e)
          expect_near(doubles(got[r].gradients.at(k == 0 ? "a" : "b")).data()[e],
                      doubles(wanted.gradients.at(names[2 * r + static_cast<std::size_t>(k)])).data()[e],
                      "gradient on " + rank);
    }
  });
  EXPECT_GT(messages, 2 * programs) << "too few messages";
  std::cout << programs << " programs on ranks, " << statements << " statements, " << messages << " messages by hand\n";
}

}  // namespace
}  // namespace stg::test::random_messages
