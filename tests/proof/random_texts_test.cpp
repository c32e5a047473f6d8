// Random programs through their texts and back: as they are written, with scopes, names, tags and starts drawn, behind
// every pass, with their gradients, as steps of scans and as what is called. STG_SEED chooses others, STG_TEXTS how
// many.
#include "for_random_programs.hpp"  // for_random_programs, draw_program
#include "random_scans.hpp"         // scan_of, twice, draw_nested

#include "../run/support/through_text.hpp"  // goes_through_text

#include <stg/differentiate.hpp>    // differentiate, real_outputs
#include <stg/ir/decisions.hpp>     // of_value, of_pair
#include <stg/ir/text.hpp>          // from_text
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pipeline.hpp>         // canonical, inferred, differentiated

#include <gtest/gtest.h>  // TEST

#include <iostream>     // cout
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // swap

namespace stg::test::random_texts {
namespace {

/// A name of any bytes, or a word.
text any_name(choices& c) {
  constexpr std::string_view words[] = {"x",   "h/score", "vertex", "f32",     "F", "in",
                                        "a b", "Größe",   "",       "%stored", "0", "it's"};
  if (c.one_in(2)) return text(words[c.below(12)]);
  text t;
  for (int n = c.below(c.one_in(8) ? text::capacity + 1 : 6); n > 0; --n) t.append(static_cast<char>(c.below(256)));
  return t;
}
double any_number(choices& c) {
  const double special[] = {0, -0.0, 1, __builtin_bit_cast(double, c.next())};
  return c.one_in(3) ? c.number() : special[c.below(4)];
}

/// Decides about the whole, about scopes, values and pairs.
void decide(ir::program& p, choices& c) {
  using ir::decided;
  if (c.one_in(8)) p.decide(ir::of_whole(decided::splits));
  if (c.one_in(4)) p.decide(ir::of_whole(decided::keep, c.below(5)));
  if (c.one_in(4)) p.decide(ir::of_whole(decided::few_numbers, c.below(100)));
  if (c.one_in(8)) p.decide(ir::of_whole(decided::relations, c.below(2)));
  constexpr int types[] = {static_cast<int>(f32), static_cast<int>(bf16), static_cast<int>(f16)};
  if (c.one_in(4)) p.decide(ir::of_whole(decided::width, types[c.below(3)]));
  for (int scope = 0; scope < p.scopes.size(); ++scope) {
    if (c.one_in(4)) p.decide(ir::of_scope(decided::width, scope, types[c.below(3)]));
    if (c.one_in(4)) ir::keep_scope(p, scope, static_cast<keeping>(c.below(5)));
    if (c.one_in(4)) p.decide(ir::of_scope(decided::merged_exchanges, scope, c.below(4)));
    if (c.one_in(4)) p.decide(ir::of_scope(decided::overlaps, scope, 1));
  }
  for (int n = c.below(6); n > 0 && p.size() > 0; --n) {
    const ir::value_id at = c.below(p.size()), other = c.below(p.size());
    const decided what = static_cast<decided>(c.below(6));
    if (what == decided::width) p.decide(ir::of_value(what, at, types[c.below(3)]));
    else if (ir::is_of_pairs(what)) p.decide(ir::of_pair(what, at, other));
    else p.decide(ir::of_value(what, at, what == decided::keep ? c.below(5) : 0));
  }
}

/// Says of a program and its steps whatever programs can say beside what they compute.
void annotate(ir::program& p, choices& c) {
  for (int n = c.below(4); n > 0; --n) p.scopes.push_back(any_name(c));
  for (ir::statement& s : p.statements) {
    if (!c.one_in(3)) continue;
    int set = 0;
    for (int scope = 0; scope < p.scopes.size(); ++scope)
      if (c.one_in(2)) set = p.set_with(set, scope);
    s.scopes = set;
  }
  decide(p, c);
  for (int n = c.below(6); n > 0 && p.size() > 0; --n) {
    const ir::value_id at = c.below(p.size());
    text own = any_name(c);  // one name is of one value
    if (own.length > 50) own.shorten(50);
    own.append_number(static_cast<std::uint64_t>(p.names.size()));
    p.names.push_back({own, at});
    p.tags.push_back({any_name(c), c.below(p.size()), ir::tag::whole});
    if (p[at].dims.rank > 0) p.tags.push_back({any_name(c), at, c.below(p[at].dims.rank)});
    if (p[at].where != ir::space::graph) p.tags.push_back({any_name(c), at, ir::tag::rows});
  }
  for (ir::input& in : p.inputs)
    if (c.one_in(3)) in.begins = {static_cast<ir::start::rule>(c.below(7)), any_number(c), any_number(c)};
  p.scopes_apart = c.one_in(8);
  if (c.one_in(8)) p.wrong = static_cast<ir::mistake>(c.below(static_cast<int>(ir::mistake::is_said) + 1));
  for (ir::program& step : p.callees) annotate(step, c);
}
/// The same of what no step may have, since its scan says it: tables of inputs and extents, and what comes out.
void annotate_whole(ir::program& p, choices& c) {
  annotate(p, c);
  for (ir::output& o : p.outputs)
    if (c.one_in(3)) o.name = any_name(c);
  if (c.one_in(4)) {
    ir::input unread;
    unread.name = any_name(c);
    unread.trainable = c.one_in(2);
    unread.sparse = c.one_in(2);
    p.inputs.push_back(unread);
  }
  if (c.one_in(4)) p.extents.push_back(ir::polynomial(any_name(c)) * ir::polynomial(2) + ir::polynomial(-3));
  if (c.one_in(4) && p.outputs.size() > 0) p.forward_outputs = 1;
  if (c.one_in(4) && p.inputs.size() > 0) {  // inputs in another order than that in which they are read
    const int a = c.below(p.inputs.size()), b = c.below(p.inputs.size());
    std::swap(p.inputs[a], p.inputs[b]);
    for (ir::statement& s : p.statements) {
      if (s.code != ir::opcode::input) continue;
      if (s.entry() == a) s.set_entry(b);
      else if (s.entry() == b) s.set_entry(a);
    }
  }
}

struct counts {
  long texts = 0, letters = 0, with_steps = 0, with_words = 0;
};

void look(const ir::program& p, const char* behind, counts& n) {
  ASSERT_EQ(pass::verify(p), pass::finding()) << behind;
  ASSERT_TRUE(goes_through_text(p)) << behind;
  ++n.texts;
  n.letters += static_cast<long>(ir::to_text(p).size());
  n.with_steps += !p.callees.empty();
}

ir::program drawn(const random_program& r, choices& c) {
  switch (c.below(4)) {
    case 0:
      return scan_of(r, 1 + c.below(3), c.one_in(2), nullptr, c).program;
    case 1: {
      long passed_on = 0;
      return twice(r.program, true, &passed_on);
    }
    case 2:
      return draw_nested(r, c).program;
    default:
      return r.program;
  }
}

void check(const random_program& r, choices& c, counts& n) {
  const ir::program written = drawn(r, c);
  look(written, "as written", n);
  ir::program said = written;
  annotate_whole(said, c);
  if (pass::verify(said) == pass::finding()) {
    look(said, "with words", n);
    ++n.with_words;
  }
  const bool each = c.one_in(8);
  const auto behind = [&](const char* pass, const ir::program& p) {
    if (each && !testing::Test::HasFailure()) look(p, pass, n);
  };
  const ir::program p = pipeline::canonical(written, {}, behind);
  look(p, "canonical", n);
  look(pipeline::inferred(p, {}, behind), "inferred", n);
  const sequence<int> outputs = real_outputs(p);
  if (outputs.empty()) return;
  const sequence<ir::value_id> inputs = differentiable_inputs(p, outputs);
  if (inputs.empty()) return;
  const pass::differentiated d = pipeline::differentiated(p, outputs, inputs, {}, behind);
  look(d.forward, "forward", n);
  look(d.gradient, "gradient", n);
}

TEST(random_texts, are_the_programs) {
  counts n;
  const auto draw = [](choices& c) {
    program_limits limits;
    limits.statements = 24;
    return draw_program(c, 1 + c.below(12), limits);
  };
  const long wanted =
      for_random_programs("STG_TEXTS", 500, draw, [&](const random_program& r, choices& c) { check(r, c, n); });
  std::cout << n.texts << " texts of " << n.letters << " letters, " << n.with_steps << " with steps, " << n.with_words
            << " with words of all kinds\n";
  EXPECT_GT(n.texts, 3 * wanted);
  EXPECT_GT(n.with_steps, wanted);
  EXPECT_GT(3 * n.with_words, wanted);
}

}  // namespace
}  // namespace stg::test::random_texts
