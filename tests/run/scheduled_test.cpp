// test: draft calls
// Schedules: places by path, words as decisions, mistakes, and numbers beside the plain model.
#include <stg/examine.hpp>   // as_program, transform
#include <stg/rules.hpp>     // rewrite_rule
#include <stg/schedule.hpp>  // scheduled, verify_schedule
#include <stg/stg.hpp>       // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <string>  // string
#include <vector>  // vector

#include "expect_error.hpp"  // expect_error

namespace stg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr auto x = vertex_feature<"x", 6>;
constexpr auto goal = vertex_feature<"goal", 6>;
constexpr auto W1 = parameter<"W1", 6, 16>;
constexpr auto W2 = parameter<"W2", 16, 6>;

constexpr auto layer = [](auto v, auto h, auto w) {
  auto summed = named<"summed">(mean(v.in_edges().src(matmul(h, w))));
  return tanh(named<"wide">(summed * 2.0 + summed * 3.0));
};
constexpr auto loss = [](auto v) {
  auto h = scope<"conv1">(v, layer, v(x), W1);
  return mse(scope<"conv2">(v, layer, h, W2), v(goal));
};

std::string text_of(const ir::program& p) { return ir::to_text(p); }
template <class Schedule> std::string words_of(const Schedule& by, const ir::program& p) {
  std::string all;
  for (const applied_primitive& one : by.primitives(p))
    all += std::string(one.word.view()) + ' ' + std::string(one.place.joined().view()) + ' ' +
           std::to_string(one.places) + '\n';
  return all;
}

constexpr auto of_scopes = scheduled([](auto s) {
  s["conv1"].keep(keeping::inputs).stored_as(bf16);
  s.keep(keeping::results);
  s["conv2/summed"].stored().keep(keeping::everything);
  s["conv2"]["wide"].inlined();
});

TEST(scheduled, words_become_decisions) {
  const ir::program p = as_program<loss>(), q = of_scopes(p);
  EXPECT_EQ(pipeline::with_steps(p, pass::dce), q);  // the same computation
  EXPECT_THAT(text_of(q), HasSubstr("keep scope conv1 inputs\n"));
  EXPECT_THAT(text_of(q), HasSubstr("width scope conv1 bf16\n"));
  EXPECT_THAT(text_of(q), HasSubstr("keep results\n"));
  ASSERT_EQ(p.names.size(), 4);
  const auto number_of = [&](std::string_view name) {
    for (const ir::label& l : q.names)
      if (l.name.view() == name) return '%' + std::to_string(l.at);
    return std::string("none");
  };
  EXPECT_THAT(text_of(q), HasSubstr("stored " + number_of("conv2/summed") + '\n'));
  EXPECT_THAT(text_of(q), HasSubstr("keep " + number_of("conv2/summed") + " everything\n"));
  EXPECT_THAT(text_of(q), HasSubstr("inlined " + number_of("conv2/wide") + '\n'));
  EXPECT_EQ(ir::from_text(text_of(q)).decisions.size(), q.decisions.size());
  EXPECT_EQ(
      words_of(of_scopes, p),
      "keep conv1 1\nstored_as conv1 1\nkeep  1\nstored conv2/summed 1\nkeep conv2/summed 1\ninlined conv2/wide 1\n");
  EXPECT_EQ((explain_schedule<loss, of_scopes>()).substr(0, 20), "keep conv1: 1 place\n");
}

constexpr auto by_expressions = scheduled([](auto s) {
  s["conv1"].find("tanh").annotate("squashed");
  s.find("conv\\d/tanh").annotate("tanhs");
  s.find("W.").annotate("weights");
  s["conv2"].find("su.*ed").stored();
});

TEST(scheduled, values_are_found_by_expressions_within_a_scope) {
  const ir::program p = as_program<loss>(), q = by_expressions(p);
  EXPECT_EQ(examine::values_tagged(q, text("squashed")).size(), 1);
  EXPECT_EQ(examine::values_tagged(q, text("tanhs")).size(), 2);
  EXPECT_EQ(examine::values_tagged(q, text("weights")).size(), 2);
  EXPECT_EQ(words_of(by_expressions, p),
            "annotate conv1/tanh 1\nannotate conv\\d/tanh 2\nannotate W. 2\nstored conv2/su.*ed 1\n");
}

constexpr auto factored =
    rewrite_rule([](auto, auto a) { return a * 2.0 + a * 3.0; }, [](auto, auto a) { return a * 5.0; });
constexpr auto doubled = rewrite_rule([](auto, auto a) { return a * 7.0; }, [](auto, auto a) { return a + a; });
constexpr auto in_one_scope = scheduled([](auto s) {
  s["conv2"].replace(factored);
  s["conv2/summed"].stored();  // found behind it
});
constexpr auto everywhere = scheduled([](auto s) { s.replace(factored); });

TEST(scheduled, a_rule_is_applied_where_it_is_asked_for) {
  const ir::program p = as_program<loss>();
  const auto sums = [](const ir::program& q) { return examine::counts_of(q)[ir::opcode::add]; };
  EXPECT_EQ(sums(p) - sums(in_one_scope(p)), 1);
  EXPECT_EQ(sums(p) - sums(everywhere(p)), 2);
  EXPECT_EQ(words_of(in_one_scope, p), "replace conv2 1\nstored conv2/summed 1\n");
  EXPECT_EQ(words_of(everywhere, p), "replace  2\n");
}

constexpr auto pair_of = [](auto v) {
  auto friends = named<"friends">(sum(v.in_edges().src(x)));
  auto own = named<"own">(tanh(v(x)));
  return friends + own;
};
constexpr auto parted = scheduled([](auto s) { s["friends"].apart(s["own"]); });
constexpr auto joined = scheduled([](auto s) { s["own"].one_sweep(s["friends"]); });

TEST(scheduled, pairs_share_a_sweep_or_do_not) {
  const auto units = [](const ir::program& p) { return pipeline::planned(pipeline::inferred(p)).units.size(); };
  const ir::program p = as_program<pair_of>();
  EXPECT_GT(units(parted(p)), units(p));
  EXPECT_EQ(units(joined(p)), units(p));
  EXPECT_THAT(text_of(joined(p)), HasSubstr("together %"));
}

constexpr auto chosen = scheduled([](auto s) { s.choose({.recomputed_cost = 3}); });

TEST(scheduled, numbers_are_chosen) { EXPECT_EQ(pass::choices_of(chosen(as_program<loss>())).recomputed_cost, 3); }

constexpr auto says_otherwise = [](auto v) {
  keep<"conv1">(v, keeping::everything);
  return loss(v);
};
constexpr auto twice = scheduled([](auto s) {
  s["conv1"].keep(keeping::results);
  s["conv1"].keep(keeping::inputs);
});

TEST(scheduled, the_last_word_counts) {
  const std::string text = text_of(twice(as_program<says_otherwise>()));
  EXPECT_THAT(text, HasSubstr("keep scope conv1 inputs\n"));
  EXPECT_THAT(text, Not(HasSubstr("keep scope conv1 everything\n")));
  EXPECT_THAT(text, Not(HasSubstr("keep scope conv1 results\n")));
}

constexpr auto turned_round = scheduled([](auto s) {
  s["conv1/wide"].stored().inlined();
  s["conv2/wide"].inlined().stored();
  s["conv1/wide"].apart(s["conv2/wide"]).one_sweep(s["conv2/wide"]);
});

constexpr auto of_regions = scheduled([](auto s) {
  s["conv1"].merge_exchanges().must_overlap();
  s["conv2"].merge_exchanges();
});
/// Each region is one of its own.
TEST(scheduled, regions_of_exchanges_are_scopes) {
  const std::string text = text_of(of_regions(as_program<loss>()));
  EXPECT_THAT(text,
              HasSubstr("merged_exchanges scope conv1 1\noverlaps scope conv1\nmerged_exchanges scope conv2 2\n"));
  EXPECT_EQ(words_of(of_regions, as_program<loss>()),
            "merge_exchanges conv1 1\nmust_overlap conv1 1\nmerge_exchanges conv2 1\n");
}

TEST(scheduled, a_word_takes_its_opposite_back) {
  const std::string text = text_of(turned_round(as_program<loss>()));
  EXPECT_EQ(text.find("apart %"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("together %"));
  std::size_t stored = 0, inlined = 0;
  for (const ir::decision& d : turned_round(as_program<loss>()).decisions) {
    stored += d.what == ir::decided::stored;
    inlined += d.what == ir::decided::inlined;
  }
  EXPECT_EQ(stored, 1u);
  EXPECT_EQ(inlined, 1u);
}

/// A value outside of a scope that has the scope's name.
constexpr auto of_one_name = [](auto v) { return tanh(named<"conv1">(scope<"conv1">(v, layer, v(x), W1) * 0.5)); };
constexpr auto by_that_name = scheduled([](auto s) {
  s["conv1"].stored();
  s["conv1"].keep(keeping::inputs);
});

TEST(scheduled, a_scope_and_a_value_may_have_one_name) {
  EXPECT_EQ(words_of(by_that_name, as_program<of_one_name>()), "stored conv1 1\nkeep conv1 2\n");
}

/// Sums are of fewer features than their rows have: the product of each row is written, and nobody reads it.
constexpr auto equal = parameter<"equal", 6, 6>;
constexpr auto summed_first = [](auto v) {
  return scope<"conv1">(v, [](auto v) { return mean(v.in_edges().src(matmul(v(x), equal))); });
};
constexpr auto stored_product = scheduled([](auto s) { s.find(".*matmul").stored(); });

constexpr auto product_kept = scheduled([](auto s) { s["conv1"].find("matmul").stored().keep(keeping::inputs); });

TEST(scheduled, what_passes_write_stands_in_the_scope_it_is_written_for) {
  const ir::program p = as_program<loss>();
  const ir::value_id product = examine::find(p, "conv1/matmul").back();  // the one that is read
  EXPECT_EQ(p.operand(p[product], 0).code, ir::opcode::sum_edges);       // sums are taken first
  EXPECT_EQ(words_of(product_kept, p), "stored conv1/matmul 1\nkeep conv1/matmul 1\n");
}

TEST(scheduled, words_are_not_about_what_nobody_reads) {
  const ir::program p = as_program<summed_first>();
  EXPECT_EQ(words_of(stored_product, p), "stored .*matmul 1\n");
  EXPECT_EQ(pipeline::planned(pipeline::inferred(stored_product(p))).units.size(),
            pipeline::planned(pipeline::inferred(p)).units.size());
}

constexpr auto called_twice = [](auto v) {
  auto first = [](auto v, auto h) { return scope<"inner">(v, layer, h, W1); };
  return mse(matmul(call(first, v, v(x)), W2), v(goal));
};
constexpr auto in_callee = scheduled([](auto s) { s["inner"].find("tanh").stored(); });
constexpr auto cell = [](auto v, auto h) { return named<"state">(tanh(h + v(x))); };
constexpr auto in_steps = [](auto v) {
  auto h = scan<3>(
      v, [](auto v, auto h) { return scope<"cell">(v, cell, h); }, v(x));
  return sum(sum(h, axis<0>), all_vertices);
};
constexpr auto in_named_steps = [](auto v) {
  auto h = scan<3>(v, cell, v(x));
  return named<"out">(sum(tanh(h), axis<0>));
};
constexpr auto of_cell = scheduled([](auto s) { s["cell"].keep(keeping::inputs); });

TEST(scheduled, places_are_found_in_steps_and_called_layers) {
  EXPECT_EQ(words_of(in_callee, as_program<called_twice>()), "stored inner/tanh 1\n");
  EXPECT_EQ(words_of(of_cell, as_program<in_steps>()), "keep cell 1\n");
}

template <class Words> detail::schedule_finding finding(Words words, const ir::program& p = as_program<loss>()) {
  const auto by = scheduled(words);
  const auto before = text_of(p);
  EXPECT_EQ(text_of(by(p)), before);  // a word that fails leaves the program as it was
  return by.finding(p);
}

TEST(scheduled, says_what_does_not_fit) {
  using enum schedule_mistake;
  const auto path = finding([](auto s) {
    s["conv1"].keep(keeping::inputs);
    s["conv3"].keep(keeping::inputs);
    s["conv4"].keep(keeping::inputs);
  });
  EXPECT_EQ(path.what, no_such_path);
  EXPECT_EQ(path.path.view(), "conv3");
  EXPECT_THAT(std::string(path.beside.view()), StartsWith("conv1, conv2, "));
  EXPECT_EQ(path.line, __LINE__ - 6);
  const auto name = finding([](auto s) { s["conv1/sumed"].stored(); });
  EXPECT_EQ(name.what, no_such_path);
  EXPECT_EQ(name.beside.view(), "conv1/summed, conv1/wide");
  EXPECT_EQ(finding([](auto s) { s["conv1"].find("relu").stored(); }).what, finds_nothing);
  const auto expression = finding([](auto s) { s.find("(tanh").stored(); });
  EXPECT_EQ(expression.what, is_no_expression);
  EXPECT_EQ(expression.beside.view(), "a group is not closed; write ')'");
  const auto taken = finding([](auto s) {
    s["conv2"].replace(factored);
    s["conv2"].find("add").stored();
  });
  EXPECT_EQ(taken.what, was_taken);
  EXPECT_EQ(taken.path.view(), "conv2/add");
  EXPECT_EQ(taken.beside.view(), "replace conv2");
  EXPECT_EQ(taken.line, __LINE__ - 5);
  EXPECT_EQ(finding([](auto s) { s["conv1"].stored(); }).what, is_no_value);
  EXPECT_EQ(finding([](auto s) { s.find("tanh").apart(s["conv1/wide"]); }).what, finds_nothing);
  EXPECT_EQ(finding([](auto s) { s.find(".*tanh").apart(s["conv1/wide"]); }).what, is_many_values);
  EXPECT_EQ(finding([](auto s) { s["conv1/wide"].apart(s.find(".*tanh")); }).what, is_many_values);
  EXPECT_EQ(finding([](auto s) { s["conv1"].stored_as(i32); }).what, stores_no_type);
  EXPECT_EQ(finding([](auto s) { s["conv1"].replace(doubled); }).what, replaces_nothing);
  EXPECT_EQ(finding([](auto s) { s["conv1/summed"].replace(factored); }).what, is_no_scope);
  EXPECT_EQ(finding([](auto s) { s.find(".*tanh").replace(factored); }).what, is_no_scope);
  EXPECT_EQ(finding([](auto s) { s.find(".*tanh")["conv1"].keep(keeping::inputs); }).what, is_no_scope);
  EXPECT_EQ(finding([](auto s) { s["conv1"].find("").keep(keeping::inputs); }).what, is_no_word);
  EXPECT_EQ(finding([](auto s) { s["conv1/wide"].annotate(""); }).what, is_no_word);
  EXPECT_EQ(finding([](auto s) {
              s["conv1"]["a name of a value that is so long that nobody would write it, ever"].stored();
            }).what,
            is_no_word);
  EXPECT_EQ(finding([](auto s) { s["x"].stored_as(bf16); }).what, is_input);
  EXPECT_EQ(finding([](auto s) { s["conv1/wide"].apart(s["conv1/wide"]); }).what, is_many_values);
  const auto apart_of_steps = finding([](auto s) { s["state"].apart(s["out"]); }, as_program<in_named_steps>());
  EXPECT_EQ(apart_of_steps.what, is_in_steps);
  const auto in_step = finding([](auto s) { s["cell/stat"].stored(); }, as_program<in_steps>());
  EXPECT_EQ(in_step.what, no_such_path);
  EXPECT_EQ(in_step.beside.view(), "cell/state");
}

constexpr auto nothing = scheduled([](auto) {});

TEST(scheduled, a_schedule_without_words_changes_nothing) {
  EXPECT_EQ((text_of(as_program<with<loss, nothing>>())), text_of(pipeline::with_steps(as_program<loss>(), pass::dce)));
  EXPECT_EQ((explain<with<loss, nothing>>()), explain<loss>());
}

/// Two hundred layers in scopes of their own.
ir::program of_many_scopes() {
  ir::program p = as_program<pair_of>();
  ir::value_id last = p.outputs[0].at;
  for (int k = 0; k < 200; ++k) {
    ir::statement s = p[last];
    s.code = ir::opcode::tanh;
    s.operands[0] = last;
    s.operands[1] = ir::no_value;
    s.scopes = p.set_with(0, p.scope_number(text("layer" + std::to_string(k))));
    last = p.emit(s);
  }
  p.outputs[0].at = last;
  return p;
}

TEST(scheduled, places_are_found_behind_many_words) {
  constexpr auto by_sine = rewrite_rule([](auto, auto a) { return tanh(a); }, [](auto, auto a) { return sin(a); });
  detail::schedule_state all{of_many_scopes()};
  const scheduled_program s(all);
  const auto name = [](int k) { return "layer" + std::to_string(k); };
  for (int k = 0; k < 200; k += 4) s[std::string_view(name(k))].replace(by_sine);
  ASSERT_TRUE(all.fits());
  EXPECT_EQ(all.log.size(), 50);
  for (int k = 0; k < 200; ++k) {
    const std::string scope = name(k);
    EXPECT_EQ(s[std::string_view(scope)].find(k % 4 == 0 ? "sin" : "tanh").count(), 1) << scope;
  }
  s["layer8"].find("tanh").stored();
  EXPECT_EQ(all.wrong.what, schedule_mistake::was_taken);
  EXPECT_EQ(all.wrong.beside.view(), "replace layer8");
}

constexpr auto every_word = scheduled([](auto s) {
  s["conv1"].keep(keeping::inputs).stored_as(bf16);
  s.keep(keeping::results);
  s["conv2/summed"].stored().annotate("a \"word\"\n").annotate("all");
  s["conv2"].find("tan.*").inlined();
  s.find(".*/tanh").stored_as(f16);
  s["conv1/wide"].apart(s["conv2/wide"]);
  s["conv1"]["summed"].one_sweep(s["conv1"].find("tanh"));
  s["conv2"].merge_exchanges().must_overlap();
  s.choose({.recomputed_cost = 3, .few_numbers = -1});
});
constexpr auto read_back = scheduled_as("keep conv1 inputs\n\n# a remark\nstored_as conv1 bf16\r\nkeep all results");
constexpr auto says_it = scheduled([](auto s) {
  s["conv1"].keep(keeping::inputs).stored_as(bf16);
  s.keep(keeping::results);
});

TEST(scheduled, a_schedule_is_a_text_that_reads_back) {
  const ir::program p = as_program<loss>();
  const std::string all = schedule_text<loss, every_word>();
  EXPECT_THAT(all, StartsWith("of "));
  EXPECT_EQ(all.substr(20),
            "keep conv1 inputs\nstored_as conv1 bf16\nkeep all results\nstored conv2/summed\n"
            "annotate conv2/summed \"a \\\"word\\\"\\n\"\nannotate conv2/summed \"all\"\n"
            "inlined conv2 find tan.*\nstored_as find .*/tanh f16\napart conv1/wide with conv2/wide\n"
            "one_sweep conv1/summed with conv1 find tanh\nmerge_exchanges conv2\nmust_overlap conv2\nchoose "
            "recomputed_cost=3 few_numbers=-1\n");
  EXPECT_EQ(text_of(scheduled_by_text(p, all)), text_of(every_word(p)));
  EXPECT_TRUE(scheduled_as(all).primitives(p) == every_word.primitives(p));
  EXPECT_EQ((schedule_text<loss, read_back>()), (schedule_text<loss, says_it>()));
  EXPECT_EQ((as_program<with<loss, read_back>>().decisions.size()), 3);
  EXPECT_EQ(text_of(scheduled_by_text(p, "")), text_of(pipeline::with_steps(p, pass::dce)));
}

TEST(scheduled, a_text_that_does_not_fit_is_refused) {
  const ir::program p = as_program<loss>();
  const auto refused = [&](const char* letters, std::initializer_list<std::string_view> parts) {
    test::expect_error([&] { (void)scheduled_by_text(p, letters); }, parts);
  };
  refused("keep conv1 inputs\nkeep conv3 inputs",
          {"names a scope or a value that is not there (line 2, conv3; conv1, "});
  refused("keep conv1 inputs more", {"is none of its words", "(line 1, keep conv1 inputs more)"});
  refused("of 0123456789abcdef\nkeep conv1 inputs", {"was written for another program", "line 1, 0123456789abcdef"});
  refused("replace conv1", {"have their rules in C++", "(line 1, replace)"});
  refused("\nstored find (tanh", {"takes a regular expression of paths (line 2, (tanh; a group is not closed"});
  for (const char* line :
       {"kept conv1 inputs", "keep conv1 all", "keep", "keep conv1", "stored", "stored conv1/wide now",
        "apart conv1/wide conv2/wide", "apart conv1/wide with", "stored_as conv1 f8", "stored \"conv1",
        "choose few_numbers", "choose few=3", "choose few_numbers=x", "of", "annotate conv1/wide",
        "stored a_name_of_a_value_that_is_so_long_that_nobody_would_write_it_at_all"})
    EXPECT_EQ(scheduled_as(line).finding(p).what, schedule_mistake::is_no_line) << line;
}

struct data {
  graph g = graph::from_edges(5, {0, 1, 2, 3, 4, 0, 2}, {1, 2, 3, 4, 0, 2, 0});
  tensor<float> X{{5, 6}}, Y{{5, 6}};
  data() {
    uniform(X, -1, 1, 1);
    uniform(Y, -1, 1, 2);
  }
};

constexpr auto less_memory = scheduled([](auto s) { s["conv1"].keep(keeping::inputs); });
constexpr auto half = scheduled([](auto s) { s.find(".*matmul").stored_as(bf16); });
/// Not the model any more.
constexpr auto wrong = scheduled([](auto s) {
  s["conv1"].replace(rewrite_rule([](auto, auto a) { return tanh(a); }, [](auto, auto a) { return tanh(a * 1.5); }));
});

TEST(scheduled, is_verified_against_the_plain_model) {
  const data d;
  auto params = parameters<loss>();
  initialize(params, 1);
  EXPECT_TRUE((verify_schedule<loss, less_memory>(0, d.g, x = d.X, goal = d.Y, params)).same_bits);
  const schedule_check rounded = verify_schedule<loss, half>(0.05, d.g, x = d.X, goal = d.Y, params);
  EXPECT_FALSE(rounded.same_bits);
  EXPECT_GT(rounded.worst, 0);
  test::expect_error([&] { (void)verify_schedule<loss, half>(1e-9, d.g, x = d.X, goal = d.Y, params); },
                     {"verify_schedule: ", " as scheduled and ", "tolerated are 1e-09"});
  test::expect_error([&] { (void)verify_schedule<loss, wrong>(1e-3, d.g, x = d.X, goal = d.Y, params); }, {"off by"});
  EXPECT_TRUE((verify_schedule<pair_of, parted>(0, d.g, x = d.X)).same_bits);
}

}  // namespace
}  // namespace stg
