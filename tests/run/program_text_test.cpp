// test: draft programs_at_run_time
// A program's text is the program: from_text reads what to_text writes, and says where a text is none.
#include "../compile_cost/large/numbered.hpp"  // numbered
#include "support/networks.hpp"                // gcn_loss, gat_loss
#include "support/sanitized.hpp"               // is_sanitized
#include "support/through_text.hpp"            // goes_through_text
#include "support/traced_samples.hpp"          // for_each_traced

#include <stg/differentiate.hpp>  // differentiate
#include <stg/dsl/keep.hpp>       // saved, keep
#include <stg/dsl/trace.hpp>      // trace
#include <stg/ir/text.hpp>        // from_text
#include <stg/pipeline.hpp>       // canonical

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // min
#include <chrono>     // steady_clock
#include <cmath>      // signbit
#include <iostream>   // cout
#include <limits>     // numeric_limits
#include <string>     // string

namespace stg {
namespace {

using test::goes_through_text;

constexpr auto x = vertex_feature<"x", 4>;
constexpr auto odd = vertex_feature<"in degree", 4>;
constexpr auto W = parameter<"W", 4, 4>;
constexpr auto wide = vertex_feature<"wide", extent<"F">>;
constexpr auto other = vertex_feature<"other", extent<"a b">>;
constexpr auto both = vertex_feature<"both", 2 * extent<"F"> + extent<"a b">>;

/// As it was traced, in canonical form, and with its gradient.
void expect_all_stages(const ir::program& traced) {
  EXPECT_TRUE(goes_through_text(traced));
  const ir::program p = pipeline::canonical(traced);
  EXPECT_TRUE(goes_through_text(p));
  const sequence<int> outputs = real_outputs(p);
  if (outputs.empty()) return;
  const sequence<ir::value_id> inputs = differentiable_inputs(p, outputs);
  if (inputs.empty()) return;
  EXPECT_TRUE(goes_through_text(pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, outputs, inputs))));
  const pass::differentiated d = pipeline::differentiated(p, outputs, inputs);
  EXPECT_TRUE(goes_through_text(d.forward));
  EXPECT_TRUE(goes_through_text(d.gradient));
}

TEST(program_text, is_read_back_of_every_sample_and_its_gradient) {
  test::for_each_traced([](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    expect_all_stages(sample.program);
  });
}
TEST(program_text, is_read_back_of_networks_and_their_gradients) {
  expect_all_stages(trace(test::networks::gcn_loss));
  expect_all_stages(trace(test::networks::gat_loss));
}

TEST(program_text, tells_names_from_words_about_keeping) {
  const ir::program named_so = trace([](auto v) { return exp(named<"saved">(exp(v(x)))); });
  const ir::program kept = trace([](auto v) { return exp(saved(exp(v(x)))); });
  EXPECT_NE(ir::to_text(named_so), ir::to_text(kept));
  EXPECT_TRUE(goes_through_text(named_so));
  EXPECT_TRUE(goes_through_text(kept));
  const ir::program by_scope = trace([](auto v) {
    keep<"one">(v, keeping::inputs);
    return scope<"one">(v, [](auto v) { return tag<"head">(tag<"all">(named<"a \"b\" \\ \n">(exp(v(x)))), axis<0>); });
  });
  const std::string text = ir::to_text(by_scope);
  EXPECT_NE(text.find("one  \"one/a \\\"b\\\" \\\\ \\x0a\" #all #head[0]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nkeep scope one inputs\n"), std::string::npos) << text;
  EXPECT_TRUE(goes_through_text(by_scope));
}

TEST(program_text, has_a_line_for_each_decision) {
  ir::program p = trace([](auto v) { return scope<"one">(v, [](auto v) { return exp(tanh(v(x))); }); });
  p.decide(ir::of_whole(ir::decided::keep, 2));
  ir::keep_scope(p, p.scope_number(text("one")), keeping::chosen);
  ir::keep_scope(p, p.scope_number(text("in")), keeping::inputs);  // a word of the text
  p.decide(ir::kept(1, keeping::everything));
  p.decide(ir::of_value(ir::decided::stored, 1));
  p.decide(ir::of_value(ir::decided::inlined, 2));
  p.decide(ir::of_pair(ir::decided::together, 1, 2));
  p.decide(ir::of_pair(ir::decided::apart, 0, 2));
  p.decide(ir::of_whole(ir::decided::most_record_bytes, 64));
  p.decide(ir::of_whole(ir::decided::width, static_cast<int>(bf16)));
  p.decide(ir::of_scope(ir::decided::width, 0, static_cast<int>(f16)));
  p.decide(ir::wide_as(2, f32));
  p.decide(ir::of_whole(ir::decided::merged_exchanges, 2));
  p.decide(ir::of_scope(ir::decided::merged_exchanges, 0, 1));
  p.decide(ir::of_scope(ir::decided::overlaps, 0, 1));
  const std::string text = ir::to_text(p);
  EXPECT_NE(text.find("keep all_but_edges\nkeep scope one chosen\nkeep scope 'in' inputs\nkeep %1 everything\n"
                      "stored %1\ninlined %2\ntogether %1 %2\napart %0 %2\nmost_record_bytes 64\n"
                      "width bf16\nwidth scope one f16\nwidth %2 f32\n"
                      "merged_exchanges 2\nmerged_exchanges scope one 1\noverlaps scope one\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(goes_through_text(p));
  EXPECT_EQ(ir::from_text(text).decisions, p.decisions);
}
TEST(program_text, may_decide_beside_a_value) {
  const ir::program p = ir::from_text(
      "%0 = input x   vertex  f32  (4)  one keep:inputs\n"
      "%1 = exp (%0)  vertex  f32  (4)  one keep:inputs  \"saved\":everything #%stored #tag\n"
      "%2 = exp (%1)  vertex  f32  (4)  \"recomputed\":results keep:inputs #%inlined\n"
      "output %2\n");
  const sequence<ir::decision> said = {ir::kept(0, keeping::inputs), ir::kept(1, keeping::everything),
                                       ir::of_value(ir::decided::stored, 1), ir::kept(2, keeping::results),
                                       ir::of_value(ir::decided::inlined, 2)};
  EXPECT_EQ(p.decisions, said) << ir::to_text(p);
  EXPECT_TRUE(p.names.empty());
  EXPECT_EQ(p.tags.size(), 1);
}

TEST(program_text, says_what_is_wrong_with_a_program) {
  ir::program p = trace([](auto v) { return exp(v(x)); });
  for (int k = 1; k <= static_cast<int>(ir::mistake::is_said); ++k) {
    p.wrong = static_cast<ir::mistake>(k);
    EXPECT_TRUE(goes_through_text(p));
    EXPECT_EQ(ir::from_text(ir::to_text(p)).wrong, p.wrong);
  }
  p.wrong = ir::mistake::dropout_twice;
  EXPECT_NE(ir::to_text(p).find("\nwrong dropout_twice\n"), std::string::npos) << ir::to_text(p);
}
template <class F> void expect_mistake(ir::mistake what, const F& lambda) {
  const ir::program p = detail::recorded(lambda);
  EXPECT_EQ(p.wrong, what);
  EXPECT_TRUE(goes_through_text(p));
  EXPECT_TRUE(goes_through_text(pipeline::canonical(p)));
}
TEST(program_text, is_read_back_of_lambdas_with_mistakes) {
  using ir::mistake;
  expect_mistake(mistake::bounds_exchanged, [](auto v) { return clamp(v(x), 2, 1); });
  expect_mistake(mistake::dropout_of_everything, [](auto v) { return dropout(v(x), 1); });
  expect_mistake(mistake::delta_not_above_0, [](auto v) { return huber(v(x), v(odd), 0); });
  expect_mistake(mistake::keeps_nothing, [](auto v) {
    keep<"none">(v, keeping::inputs);
    return exp(v(x));
  });
  expect_mistake(mistake::gradient_of_another_value,
                 [](auto v) { return square(gradient(sum(sum(v(x), axis<0>), all_vertices), v(W))); });
  expect_mistake(mistake::kept_in_two_ways, [](auto v) { return tanh(recomputed(saved(exp(v(x))))); });
  expect_mistake(mistake::bounds_exchanged, [](auto v) {
    return scan<3>(
        v, [](auto, auto h) { return clamp(h, 2, 1); }, v(x));
  });
}

TEST(program_text, says_whether_a_scan_is_split) {
  ir::program p = trace([](auto v) {
    return scan<3>(
        v, [](auto v, auto h) { return tanh(matmul(h, W) + v(x)); }, v(x));
  });
  const std::string whole = ir::to_text(p);
  p.callees[0].decide(ir::of_whole(ir::decided::splits));
  EXPECT_NE(ir::to_text(p), whole);
  EXPECT_TRUE(goes_through_text(p));
}

TEST(program_text, tells_steps_within_steps_apart) {
  constexpr auto f64_x = vertex_feature<"x", 4>;
  const auto inner = [](auto v, auto h) {
    return scan<2>(
        v, [](auto, auto h) { return tanh(h); }, h);
  };
  const ir::program p = trace([=](auto v) {
    auto first = scan<2>(v, inner, v(f64_x));
    return scan<3>(
        v, [](auto, auto h) { return exp(h); }, first);
  });
  EXPECT_NE(ir::to_text(p).find("step 0.0:\n"), std::string::npos) << ir::to_text(p);
  EXPECT_TRUE(goes_through_text(p));
}

TEST(program_text, quotes_names_that_are_no_words) {
  const ir::program p = trace([](auto v) {
    return outputs(v(odd) * 2.0, both = concat<axis<0>>(concat<axis<0>>(v(wide), v(wide)), v(other)));
  });
  EXPECT_NE(ir::to_text(p).find("input 'in degree' "), std::string::npos) << ir::to_text(p);
  ir::program q = p;
  for (const char* name :
       {"vertex", "f32", "trainable", "", "1x", "#2", "a=b", "Größe", "it's", "\xff\x01", "x\"y", "axis"}) {
    q.inputs[0].name = text(std::string_view(name));
    q.outputs[0].name = text(std::string_view(name));
    EXPECT_TRUE(goes_through_text(q)) << name;
  }
  // where a word of the text could stand in the name's place
  ir::program r = ir::from_text(
      "%0 = input a           vertex author  f32  (4)\n"
      "%1 = gather_src (%0)   edge writes    f32  (4)\n"
      "%2 = degree in writes  vertex author  f32  ()\n"
      "%3 = extent_value F    graph          f32  ()\n"
      "output %1\n"
      "unread #1 b sparse\n"
      "set author\n"
      "relation writes author -> author\n");
  for (const char* name : {"f32", "vertex", "graph", "trainable", "sparse", "in", "x"}) {
    r.kinds[0].name = text(std::string_view(name));
    r.inputs[1].name = text(std::string_view(name));
    r.extents[0] = ir::polynomial(text(std::string_view(name)));
    EXPECT_TRUE(goes_through_text(r)) << name;
    r.kinds[0].name = text("author");
    r.kinds[1].name = text(std::string_view(name));
    EXPECT_TRUE(goes_through_text(r)) << name;
    r.kinds[1].name = text("writes");
  }
  q.inputs[0].name = text("Größe");
  EXPECT_NE(ir::to_text(q).find("input Größe "), std::string::npos) << ir::to_text(q);
}

TEST(program_text, has_the_shortest_numbers_with_all_their_bits) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double number : {0.1, -0.0, 0.0, 1e300, 5e-324, infinite, -infinite, 1.0 / 3, std::nan(""), -std::nan(""),
                              __builtin_bit_cast(double, 0x7FF8000000000123)}) {
    ir::program p;
    ir::statement s;
    s.code = ir::opcode::constant;
    s.type = f64;
    s.set_value(number);
    p.emit(s);
    p.outputs.push_back({0, {}});
    EXPECT_TRUE(goes_through_text(p)) << number;
  }
}

TEST(program_text, keeps_tables_in_their_order) {
  ir::program p = pipeline::canonical(trace([](auto v) {
    auto layer = [](auto v) { return named<"h">(exp(v(x))); };
    return outputs(scope<"one">(v, layer) * sum(scope<"two">(v, [](auto v) { return v(wide); }), axis<0>), v(W));
  }));
  EXPECT_TRUE(goes_through_text(p));
  ir::input unread;
  unread.name = text("unread");
  unread.trainable = true;
  unread.begins = {ir::start::rule::uniform, -1, 1};
  p.inputs.push_back(unread);
  p.inputs.push_back(ir::input());
  p.scopes.push_back(text("unused"));
  p.extents.push_back(ir::polynomial(text("unused")));
  p.extents.push_back(ir::polynomial(text("unused")));
  std::swap(p.names[0], p.names[(p.names.push_back({text("first"), 0}), p.names.size() - 1)]);
  p.tags.push_back({text("b"), 1, ir::tag::whole});
  p.tags.push_back({text("a"), 0, ir::tag::rows});
  p.forward_outputs = 1;
  EXPECT_TRUE(goes_through_text(p));
}

TEST(program_text, may_be_written_by_hand) {
  const ir::program p = ir::from_text(
      "stg program 1\r\n"
      "%0=input x trainable vertex f32 (F)\r\n"
      "\r\n"
      "%1 = gather_src(%0) edge f32(F)\n"
      "%2 = sum_edges in ( %1 )   vertex f32 ( F )   one 'odd scope' \"one/sum\"\n"
      "output %2 total");
  EXPECT_EQ(ir::to_text(p),
            "%0 = input x trainable  vertex  f32  (F)\n"
            "%1 = gather_src (%0)    edge    f32  (F)\n"
            "%2 = sum_edges in (%1)  vertex  f32  (F)  one 'odd scope'  \"one/sum\"\n"
            "output %2 total\n");
  EXPECT_EQ(ir::from_text(""), ir::program());
  EXPECT_TRUE(ir::from_text(ir::to_file_text(p)) == p);
}

void expect_error_is(const std::string& text, const std::string& message) {
  try {
    ir::from_text(text);
    ADD_FAILURE() << "nothing was thrown; expected " << message;
  } catch (const error& e) {
    EXPECT_EQ(std::string(e.what()), "stg: " + message) << text;
  }
}
struct wrong_text {
  const char* text;
  const char* message;
};
constexpr const char* first_lines = "%0 = input x  vertex  f32  (4)\n";

TEST(program_text, says_with_line_and_column_what_it_is_not) {
  const wrong_text all[] = {
      {"%1 = relux (%0)  vertex  f32  (4)", "line 2, column 6: the operation relux is not one of this library"},
      {"%2 = exp (%0)  vertex  f32  (4)", "line 2, column 2: value %1 is the next one"},
      {"%1 = exp (%1)  vertex  f32  (4)", "line 2, column 12: value %1 is not there, or is made further down"},
      {"%1 = exp (%2147483648)  vertex  f32  (4)",
       "line 2, column 12: value %2147483648 is not there, or is made further down"},
      {"%99999999999999999999 = exp (%0)  vertex  f32  (4)", "line 2, column 2: a number from 0 to 2147483647 is due"},
      {"%1 = exp (%0)  vertices  f32  (4)", "line 2, column 16: 'vertices' stands where vertex, edge or graph is due"},
      {"%1 = exp (%0)  vertex  float  (4)",
       "line 2, column 24: 'float' stands where the type of a number, as f32, is due"},
      {"%1 = exp (%0)  vertex  f32  (4, 4, 4, 4, 4)", "line 2, column 42: a shape has at most 4 axes"},
      {"%1 = exp (%0)  vertex  f32  (-4)", "line 2, column 30: an extent is not negative"},
      {"%1 = exp (%0)  vertex  f32  (5)", "line 2, column 6: the value has another shape than its operands give it"},
      {"%1 = exp (%0, %0)  vertex  f32  (4)",
       "line 2, column 6: the operation takes other operands, or another number of them"},
      {"%1 = slice axis=0 (%0)  vertex  f32  (4)", "line 2, column 19: slice says its from"},
      {"%1 = slice axis=0 from=0 axis=0 (%0)  vertex  f32  (4)", "line 2, column 26: axis is said twice"},
      {"%1 = slice axis=9 from=0 (%0)  vertex  f32  (4)",
       "line 2, column 6: the value has another shape than its operands give it"},
      {"%1 = sum_edges up (%0)  vertex  f32  (4)", "line 2, column 16: 'up' stands where in or out is due"},
      {"%1 = exp slope=2 (%0)  vertex  f32  (4)", "line 2, column 10: exp has no field slope"},
      {"%1 = exp (%0)  vertex papers f32  (4)",
       "line 2, column 23: 'papers' stands where the type of a number, as f32, is due"},
      {"%1 = exp (%0)  vertex  f32  (4)  \"one", "line 2, column 38: a name ends without its \""},
      {"%1 = exp (%0)  vertex  f32  (4)  '\\q'",
       "line 2, column 37: a backslash stands before a quote, a backslash or x and two digits"},
      {"%1 = exp (%0)  vertex  f32  (4)  #head[9]", "line 2, column 40: a number from 0 to 3 is due"},
      {"%1 = exp (%0)  vertex  f32  (4)  #head[2]",
       "line 2, column 6: a tag is on an axis that the value does not have"},
      {"%1 = constant x  graph  f32  ()", "line 2, column 15: 'x' stands where a number is due"},
      {"%1 = constant 1e999  graph  f32  ()", "line 2, column 15: a number is too large or too small for a double"},
      {"%1 = constant 1e300  graph  f32  ()", "line 2, column 6: a number is none of its type"},
      {"%1 = scan once backwards step=0 (%0)  graph f32 ()",
       "line 2, column 11: the fields of scan exclude each other"},
      {"%1 = scan step=0 site=3 steps=3 (%0)  graph f32 ()",
       "line 2, column 11: the fields of scan exclude each other"},
      {"%1 = input x trainable  vertex  f32  (4)",
       "line 2, column 12: input #0 was read with another name, or as another kind of input, before"},
      {"keep %0 always",
       "line 2, column 9: 'always' stands where everything, all_but_edges, results, inputs or chosen is due"},
      {"stored 0", "line 2, column 8: '0' stands where a value, as %0, is due"},
      {"apart %0 %7", "line 2, column 11: value %7 is not there, or is made further down"},
      {"few_numbers many", "line 2, column 13: 'many' stands where a whole number is due"},
      {"splits %0", "line 2, column 8: '%0' stands where the end of the line is due"},
      {"few_numbers 1\nfew_numbers 2", "line 3, column 1: this is decided in an earlier line"},
      {"output %7", "line 2, column 9: value %7 is not there, or is made further down"},
      {"output %0 x y", "line 2, column 13: 'y' stands where the end of the line is due"},
      {"wrong none", "line 2, column 7: 'none' stands where the word of a mistake, as dropout_twice, is due"},
      {"wrong dropout_twice twice", "line 2, column 21: 'twice' stands where the end of the line is due"},
      {"outputs %0",
       "line 2, column 1: 'outputs' stands where a statement, as %0 = ..., or a line as output %0 is due"},
      {"\x1b[2J", "line 2, column 1: '\\x1b[2J' stands where a statement, as %0 = ..., or a line as output %0 is due"},
      {"step 1:", "line 2, column 6: step 0 is the next one here"},
      {"step 0.0:", "line 2, column 6: the steps that a step calls stand behind it"},
      {"step 0:\nset paper",
       "line 3, column 1: vertex sets and relations are said of the whole program, before its steps"},
      {"step 0:\n%0 = exp  vertex  f32  ()",
       "line 3, column 6: the operation takes other operands, or another number of them"},
      {"relation writes author -> paper",
       "line 2, column 17: no vertex set or relation is called author; its line, as `set paper`, stands behind the "
       "outputs"},
      {"unread #2147483646",
       "the text of a program has no input #1, and one with a larger number; an input that nothing reads has a line, "
       "as `unread #0 x`"},
      {"begins #5 normal", "line 2, column 8: input #5 is not there"},
      {"names %0", "line 2, column 7: the order of names lists value %0 too often"},
      {"extents 3", "line 2, column 9: an extent of this list has a name in it"},
  };
  for (const wrong_text& one : all) expect_error_is(std::string(first_lines) + one.text, one.message);
  expect_error_is("stg program 2\n",
                  "line 1, column 13: this library reads texts of version 1, and this is one of version 2");
}

TEST(program_text, that_is_cut_short_is_refused_or_a_shorter_program) {
  const std::string whole = ir::to_text(pipeline::canonical(trace(test::networks::gat_loss)));
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    try {
      const ir::program p = ir::from_text(std::string_view(whole).substr(0, length));
      EXPECT_TRUE(goes_through_text(p)) << length;
    } catch (const error& e) {
      EXPECT_EQ(std::string(e.what()).find("stg: "), 0u);
    }
  }
}

template <int K> constexpr auto W_of = parameter<numbered<K>('W'), 64, 64>;
template <int K> constexpr auto src_of = parameter<numbered<K>('s'), 8, 8>;
template <int K> constexpr auto dst_of = parameter<numbered<K>('d'), 8, 8>;
template <int K> constexpr auto attention_layers(auto v, auto h) {
  if constexpr (K == 16) {
    return h;
  } else {
    return attention_layers<K + 1>(v, elu(h + reshape<64>(nn::gat_conv(v, h, W_of<K>, src_of<K>, dst_of<K>))));
  }
}
constexpr auto features = vertex_feature<"features", 64>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto loss_of_layers = [](auto v) { return cross_entropy(attention_layers<0>(v, v(features)), v(label)); };

/// The shorter of a few times, in ms.
template <class Action> double milliseconds(Action action) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 5; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    least =
        std::min(least, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

TEST(program_text, of_sixteen_attention_layers_with_their_gradient_is_short_and_soon_read) {
  const ir::program p = pipeline::canonical(trace(loss_of_layers));
  const ir::program joint = pipeline::run<pipeline::joint_passes>(
      p, pipeline::asked_of(p, real_outputs(p), differentiable_inputs(p, real_outputs(p))));
  const std::string text = ir::to_text(joint);
  EXPECT_TRUE(goes_through_text(joint));
  const double reading = milliseconds([&] { ir::from_text(text); });
  std::cout << joint.size() << " statements: " << text.size() << " bytes, read in " << reading << " ms, written in "
            << milliseconds([&] { ir::to_text(joint); }) << " ms\n";
  EXPECT_GT(joint.size(), 500);
  EXPECT_LE(text.size(), 200'000u);
  EXPECT_LE(reading, test::is_sanitized ? 1000 : 20);
}

TEST(program_text, of_ten_megabytes_takes_memory_of_its_own_size_alone) {
  std::string longest;
  while (longest.size() < 10'000'000) longest += "%2147483648 = input x  vertex  f32  (2147483648, 2147483648)\n";
  EXPECT_THROW(ir::from_text(longest), error);
  std::string steps;
  for (int k = 0; steps.size() < 10'000'000; ++k) steps += "step " + std::to_string(k) + ":\n";
  EXPECT_THROW(ir::from_text(steps), error);
  std::string deep, path = "0";
  for (int k = 0; k < 2000; ++k, path += ".0") deep += "step " + path + ":\n";
  EXPECT_THROW(ir::from_text(deep), error);
  std::string extents = "extents F";
  for (int k = 0; extents.size() < 10'000'000; ++k) extents += ", F" + std::to_string(k);
  EXPECT_THROW(ir::from_text(extents), error);
  std::string sets;
  for (int k = 0; sets.size() < 10'000'000; ++k) sets += "set s" + std::to_string(k) + "\n";
  EXPECT_THROW(ir::from_text(sets), error);
}

}  // namespace
}  // namespace stg
