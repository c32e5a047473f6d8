// What examines programs, at run time: the bodies that tests/static/examine/ asserts, errors in words, and the time
// that large programs take.
#include "../static/examine/finding.hpp"     // values_are_found_by_their_names, …
#include "../static/examine/indices.hpp"     // attention_is_its_equations, …
#include "../static/examine/partitions.hpp"  // what_goes_between_parts_has_a_name, …
#include "../static/examine/questions.hpp"   // users_are_found_with_and_without_multiplicity, …
#include "../static/examine/rewrites.hpp"    // matches_are_disjoint_and_in_order, …
#include "../static/examine/tags.hpp"        // passes_carry_them, …
#include "../static/examine/walks.hpp"       // statements_come_in_their_order, …
#include "../static/rules/shipped.hpp"       // products_go_over_sums_both_ways, …

#include "expect_error.hpp"       // expect_error
#include "support/sanitized.hpp"  // is_sanitized

#include <stg/call/runnable.hpp>        // runnable, runnable_parts
#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/differentiate.hpp>        // differentiate
#include <stg/examine/picture.hpp>      // to_dot, to_svg
#include <stg/ir/text.hpp>              // from_text, to_text
#include <stg/stg.hpp>                  // the language

#include <gtest/gtest.h>  // TEST

#include <time.h>  // clock_gettime

#include <algorithm>  // min
#include <cmath>      // abs, sin
#include <deque>      // deque
#include <iostream>   // cout

namespace stg::examined {
namespace {

TEST(walks, come_to_every_statement_once) {
  EXPECT_TRUE(statements_come_in_their_order());
  EXPECT_TRUE(steps_come_after_the_program());
  EXPECT_TRUE(each_statement_is_entered_and_left_once());
  EXPECT_TRUE(what_is_not_entered_is_left_alone());
  EXPECT_TRUE(unread_statements_are_not_walked());
  EXPECT_TRUE(a_walk_is_linear_where_ways_are_not());
  EXPECT_TRUE(a_fold_makes_one_of_the_operands_of_each());
}

TEST(visitors, name_what_they_do_not_handle) {
  EXPECT_TRUE(an_operation_goes_before_its_category_and_that_before_all_others());
  EXPECT_TRUE(a_visitor_may_give_nothing());
  const ir::program p = canonical(attention);
  const examine::visitor sums{[](op::add, node) { return 1; }};
  const node product{&p, first_of(p, ir::opcode::matmul)};
  EXPECT_EQ(examine::visit<int>(sums, node{&p, first_of(p, ir::opcode::add)}), 1);
  EXPECT_THROW(examine::visit<int>(sums, product), examine::operation_is_not_handled);
  test::expect_error([&] { examine::visit<int>(sums, product); },
                     {"a visitor does not handle matmul; add a function for it, or one that takes any_other"});
}

TEST(walks, begin_at_a_value_of_the_program) {
  const ir::program p = chain(1);
  EXPECT_THROW(examine::topological_order(p, {7}), examine::value_is_unknown);
  test::expect_error([&] { examine::topological_order(p, {7}); },
                     {"value %7 is not in the program, which has values %0 to %5"});
  test::expect_error([] { examine::operands_of(ir::program(), 0); },
                     {"value %0 is not in the program, which has no va"});
}

TEST(examined, is_also_a_program_of_nothing) {
  const ir::program none;
  EXPECT_TRUE(examine::transform_with_steps(none, unchanged) == none);
  EXPECT_TRUE(examine::topological_order(none).empty());
  EXPECT_TRUE(examine::partition(none, in_one).parts.empty());
  EXPECT_TRUE(examine::are_similar(none, none));
  EXPECT_EQ(examine::hash_of(none), examine::hash_of(ir::program()));
  EXPECT_TRUE(examine::hashes_of(none).empty() && examine::stored_by_mpms(none).empty());
  EXPECT_TRUE(examine::needs_of(none, values()).inputs.empty() && examine::values_in_memory(none).empty());
  EXPECT_TRUE(examine::spread_tags(none) == none && examine::counts_of_tags(none).empty());
  EXPECT_TRUE(examine::rewrite(none, distribute) == none);
}

template <int K> constexpr auto scoped_layers(auto v, auto h) {
  if constexpr (K == 0) {
    return h;
  } else {
    constexpr char name[] = {'n', '0' + K / 100, '0' + K / 10 % 10, '0' + K % 10, 0};
    return scoped_layers<K - 1>(v, scope<fixed_string<5>(name)>(
                                       v, [](auto, auto h) { return tanh(h); }, h));
  }
}
constexpr auto of_many_scopes = [](auto v) { return scoped_layers<200>(v, v(vertex_feature<"x", 3>)); };
TEST(scopes, are_as_many_as_a_program_writes) {
  const ir::program p = stg::canonical<ref<of_many_scopes>>::value.thaw();
  EXPECT_EQ(p.scopes.size(), 200);
  for (const char* path : {"n001/tanh", "n100/tanh", "n200/tanh"}) EXPECT_EQ(examine::find(p, path).size(), 1) << path;
  EXPECT_EQ(ir::to_text(ir::from_text(ir::to_text(p))), ir::to_text(p));
}

TEST(copies, are_what_a_function_makes_of_each_statement) {
  EXPECT_TRUE(a_copy_that_changes_nothing_is_equal());
  EXPECT_TRUE(statements_that_stand_twice_are_copied_twice());
  EXPECT_TRUE(a_copy_is_what_the_function_writes());
  EXPECT_TRUE(scopes_go_along());
}

TEST(questions, are_answered_by_users_and_operands) {
  EXPECT_TRUE(operands_are_read_in_order_and_as_often_as_they_stand());
  EXPECT_TRUE(users_are_found_with_and_without_multiplicity());
  EXPECT_TRUE(all_users_are_found_through_any_number_of_steps());
  const ir::program p = squares();
  EXPECT_THROW(examine::operands_of(p, 5), examine::value_is_unknown);
  EXPECT_THROW(examine::users(p).of(-1), examine::value_is_unknown);
  EXPECT_THROW(examine::all_users_of(p, 5), examine::value_is_unknown);
  EXPECT_THROW(examine::dependencies_of(p, 5), examine::value_is_unknown);
  EXPECT_THROW(examine::needs_of(p, 5), examine::value_is_unknown);
  EXPECT_THROW(examine::are_equal(p, 0, p, 5), examine::value_is_unknown);
}

TEST(questions, are_answered_by_what_a_value_needs) {
  EXPECT_TRUE(dependencies_are_what_a_value_is_made_of());
  EXPECT_THROW(examine::dependencies_within(squares(), 3, ir::flags(4, 1)), examine::set_is_of_another_program);
  test::expect_error([] { examine::dependencies_within(squares(), 3, ir::flags(4, 1)); },
                     {"a set of 4 marks is none of a program of 5 statements; give a mark for each"});
  EXPECT_TRUE(an_output_needs_inputs_and_extents());
  EXPECT_TRUE(steps_of_scans_need_what_their_results_need());
  EXPECT_TRUE(a_gradient_of_its_own_is_not_needed());
  EXPECT_TRUE(mpms_stores_what_joins_and_is_shared());
  EXPECT_TRUE(values_in_memory_are_inputs_outputs_and_what_other_rows_read());
}

TEST(questions, are_answered_by_counting) {
  EXPECT_TRUE(operations_are_counted_with_and_without_duplicates());
  EXPECT_TRUE(calls_are_counted());
}

TEST(questions, are_answered_by_comparing) {
  EXPECT_TRUE(hashes_go_with_equality());
  EXPECT_TRUE(values_are_equal_wherever_they_stand());
  EXPECT_TRUE(gradients_of_their_own_are_compared());
  EXPECT_TRUE(kinds_are_compared_by_their_names());
  EXPECT_TRUE(steps_have_one_hash_whatever_is_around());
  EXPECT_TRUE(a_chain_with_many_ways_is_compared_and_hashed_once());
  EXPECT_TRUE(names_and_scopes_do_not_matter());
  EXPECT_TRUE(steps_are_compared_too());
}

TEST(tags, go_along_and_are_counted) {
  EXPECT_TRUE(tags_are_those_of_the_lambda());
  EXPECT_TRUE(passes_carry_them());
  EXPECT_TRUE(gradients_carry_those_of_the_values_they_know());
  EXPECT_TRUE(one_value_of_two_has_the_tags_of_both());
  EXPECT_TRUE(equality_does_not_look_at_them());
  EXPECT_TRUE(they_go_into_the_program_that_is_traced());
  EXPECT_TRUE(steps_carry_them());
  EXPECT_TRUE(called_programs_take_them_along_when_inlined());
  EXPECT_TRUE(parts_and_copies_take_them_along());
  EXPECT_TRUE(an_axis_is_one_that_the_value_has());
  EXPECT_THROW(examine::tags_of(canonical(tagged_heads), 99), examine::value_is_unknown);
}

TEST(tags, spread_along_axes) {
  EXPECT_TRUE(products_lead_on());
  EXPECT_TRUE(heads_spread_through_attention());
  EXPECT_TRUE(rows_of_edges_are_not_those_of_vertices());
  EXPECT_TRUE(moves_along_axes_are_followed());
  EXPECT_TRUE(steps_are_led_through());
  EXPECT_TRUE(ignored_axes_lead_nowhere());
}

TEST(tags, are_printed_behind_names) {
  const std::string text = ir::to_text(canonical(tagged_heads));
  for (const char* part :
       {"(2, 4)    #head[0]\n", "(2, 1)    #score\n", "(2, 4)    #out[rows]\n", "(8, 8)    #weights\n"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(index_form, is_an_equation_in_indices) {
  EXPECT_TRUE(a_sum_over_edges_is_one_over_neighbours());
  EXPECT_TRUE(attention_is_its_equations());
  EXPECT_TRUE(one_statement_reads_its_operands_by_name());
  EXPECT_TRUE(moving_along_axes_is_arithmetic());
  EXPECT_TRUE(parentheses_are_where_they_are_needed());
  EXPECT_TRUE(a_division_of_integers_goes_towards_zero());
  EXPECT_TRUE(ways_are_cut_where_they_meet());
  EXPECT_TRUE(ways_that_only_move_are_cut_too());
  EXPECT_TRUE(what_no_output_needs_has_a_form());
  EXPECT_TRUE(a_value_with_its_own_gradient_is_what_it_is());
  EXPECT_TRUE(kinds_are_named());
  EXPECT_TRUE(letters_that_mean_something_are_escaped());
}

TEST(index_form, is_of_no_mask_and_of_no_call) {
  const ir::program p = canonical(random_value), q = canonical(repeated);
  EXPECT_THROW(examine::index_form_to_inputs(p, p.outputs[0].at), examine::operation_has_no_index_form);
  test::expect_error([&] { examine::index_form_to_inputs(p, p.outputs[0].at); }, {"keep_mask has no index form"});
  test::expect_error([&] { examine::index_form_to_inputs(q, q.outputs[0].at); }, {"result has no index form"});
  EXPECT_THROW(examine::index_form(p, p.size()), examine::value_is_unknown);
}

TEST(parts, are_programs_by_themselves) {
  EXPECT_TRUE(a_program_is_one_part_or_several());
  EXPECT_TRUE(what_goes_between_parts_has_a_name());
  EXPECT_TRUE(sources_are_in_every_part_that_reads_them());
  EXPECT_TRUE(scans_stay_with_their_results());
  EXPECT_TRUE(gradients_of_their_own_stay_with_their_values());
  EXPECT_TRUE(checks_and_names_go_along());
  EXPECT_TRUE(extents_are_those_that_a_part_needs());
}

TEST(parts, that_need_one_another_are_listed) {
  EXPECT_THROW(in_a_circle(), examine::parts_form_a_cycle);
  test::expect_error([] { in_a_circle(); }, {"parts form a cycle: part 1 needs part 2, which needs part 1; give"});
}

/// A line for each value that goes from a part to another, and to the caller.
TEST(parts, are_drawn_with_what_goes_between_them) {
  const ir::program p = canonical([](auto v) { return outputs(exp(v(x)) + v(y), exp(v(x))); });
  const ir::value_id e = first_of(p, ir::opcode::exp);
  const examine::partitioned cut = examine::partition(p, [&](node n) { return n.at == e ? 7 : 5; });
  const std::string dot = examine::to_dot(cut), svg = examine::to_svg(cut);
  const auto has = [](const std::string& all, const std::string& part) { return all.find(part) != std::string::npos; };
  EXPECT_TRUE(has(dot, "subgraph cluster_part0_ {\n    label=\"part 7\";"));
  EXPECT_TRUE(has(dot, "subgraph cluster_part1_ {\n    label=\"part 5\";"));
  const int reads = entry_named(cut.parts[1].program, "value 1");
  ir::value_id reader = 0;
  while (cut.parts[1].program[reader].code != ir::opcode::input || cut.parts[1].program[reader].entry() != reads)
    ++reader;
  EXPECT_TRUE(has(dot, "  part0_output0 -> part1_v" + std::to_string(reader) + " [style=dashed];\n"));
  EXPECT_TRUE(has(dot, "  part1_output0 -> output0 [style=dashed];\n"));
  EXPECT_TRUE(has(dot, "  part0_output0 -> output1 [style=dashed];\n"));
  EXPECT_TRUE(has(svg, ">part 7</text>") && has(svg, ">part 5 reads part 7</text>") && has(svg, "value 1"));
}

// ---- programs and parts that run ----

/// Numbers for the inputs of a program over a graph, for the oracle and as tensors; extents with names are 3, steps 4.
struct drawn_inputs {
  drawn_inputs(const ir::program& p, const graph& g) {
    for (const ir::statement& s : p.statements) {
      if (s.code != ir::opcode::input) continue;
      const std::int64_t rows = s.where == ir::space::vertex ? g.vertices()
                                : s.where == ir::space::edge ? g.edges()
                                                             : 1;
      std::vector<std::int64_t> axes;
      if (s.is_sequence()) axes.push_back(4);
      if (s.where != ir::space::graph) axes.push_back(rows);
      for (int a = 0; a < s.dims.rank; ++a) axes.push_back(s.dims.axes[a].is_static() ? s.dims.axes[a].code : 3);
      const dimensions shape{std::span<const std::int64_t>(axes)};
      oracle::array numbers;
      for (std::int64_t k = 0; k < shape.size(); ++k)
        numbers.push_back(s.type == i32 ? static_cast<double>(k % 3)
                                        : std::sin(static_cast<double>(k + 7 * s.entry())));
      const std::string name(p.inputs[s.entry()].name.view());
      if (name.empty()) env.entries[s.entry()] = numbers;
      else env.inputs[name] = numbers;
      tensors.push_back(s.type == i32 ? any_tensor(tensor_of<std::int32_t>(shape, numbers))
                                      : any_tensor(tensor_of<float>(shape, numbers)));
      names.push_back(name);
      if (name.empty()) inputs.emplace_back(s.entry(), tensors.back());
      else inputs.emplace_back(std::string_view(names.back()), tensors.back());
    }
  }
  template <class T> static tensor<T> tensor_of(const dimensions& shape, oracle::array& numbers) {
    tensor<T> made(shape);
    for (std::int64_t k = 0; k < shape.size(); ++k) {
      made.data()[k] = static_cast<T>(numbers[static_cast<std::size_t>(k)]);
      numbers[static_cast<std::size_t>(k)] = static_cast<double>(made.data()[k]);
    }
    return made;
  }

  oracle::environment env{};
  std::deque<any_tensor> tensors{};
  std::deque<std::string> names{};
  std::vector<program_input> inputs{};
};
void expect_close(const std::vector<any_tensor>& found, const std::vector<oracle::array>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto& t = std::get<tensor<float>>(found[k]);
    ASSERT_EQ(t.size(), std::ssize(expected[k])) << "output " << k;
    for (std::int64_t i = 0; i < t.size(); ++i) {
      const double e = expected[k][static_cast<std::size_t>(i)];
      EXPECT_NEAR(t.data()[i], e, 1e-5 * (1 + std::abs(e))) << "output " << k << ", number " << i;
    }
  }
}
graph five_vertices() { return graph::from_edges(5, {0, 1, 2, 3, 4, 0, 2}, {1, 2, 0, 0, 2, 3, 1}); }

constexpr auto several_kinds_of_output = [](auto v) {
  auto e = v.in_edges();
  auto score = e.src(x) * e(ew);
  return outputs(score, sum(score), sum(v(x), all_vertices), v(x), v(x) + W);
};
TEST(programs, run_on_the_kernels_of_the_library) {
  const graph g = five_vertices();
  for (const ir::program& p : {canonical(attention), canonical(two_losses), canonical(repeated), canonical(rounds_both),
                               canonical(twice), canonical(several_kinds_of_output), trace(attention)}) {
    const drawn_inputs in(p, g);
    const runnable run(p);
    const std::vector<oracle::array> expected = oracle::interpret(p, g, in.env);
    expect_close(run(g, in.inputs), expected);
    expect_close(run(g, in.inputs), expected);
  }
}
/// Of authors, papers and who wrote which; and a scan that sees another graph at each step.
TEST(programs, run_over_several_kinds_and_over_graphs_that_change) {
  graphs kinds;
  kinds.add_vertices(author, 2).add_vertices(paper, 3);
  kinds.add_edges(writes, {0, 1, 1}, {0, 0, 2});
  const auto ages = tensor<float>::from({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto mean_ages = runnable(canonical(written_by))(kinds, {{"age", ages}});
  EXPECT_EQ(std::get<tensor<float>>(mean_ages[0])(0, 1), 4);
  EXPECT_EQ(std::get<tensor<float>>(mean_ages[0])(2, 0), 5);

  const std::vector<snapshot_edges> days{{{0, 1}, {1, 2}, {1, 1}}, {{2}, {0}, {1}}};
  const auto sequence = graph_sequence::from_steps(3, days);
  const ir::program p = canonical([](auto v) {
    return scan<"T">(
        v, [](auto at, auto h) { return h + sum(at.in_edges().src(at(series))); }, zeros<4>(v));
  });
  const auto over_time = tensor<float>::full({2, 3, 4}, 1);
  const auto seen = runnable(p)(sequence, {{"s", over_time}});
  for (int vertex = 0; vertex < 3; ++vertex) EXPECT_EQ(std::get<tensor<float>>(seen[0])(vertex, 0), 1);
  const tensor<float> X({3, 4});
  const runnable outside(canonical([](auto v) { return sum(v.in_edges().src(v(x))); }));
  test::expect_error(
      [&] {
        outside(sequence, {{"x", X}});
      },
      {"a graph_sequence has a graph for each step of a scan; the"});
}
TEST(programs, are_gradients_too_whose_inputs_have_no_names) {
  const graph g = five_vertices();
  const program_with_gradient d = differentiate(canonical(attention), {0}, keeping::everything);
  const drawn_inputs in(d.gradient, g);
  expect_close(runnable(d.gradient)(g, in.inputs), oracle::interpret(d.gradient, g, in.env));
}
TEST(parts, run_one_after_the_other) {
  const graph g = five_vertices();
  for (const ir::program& p :
       {canonical(attention), canonical(two_losses), canonical(repeated), canonical(several_kinds_of_output)}) {
    const drawn_inputs in(p, g);
    const std::vector<oracle::array> expected = oracle::interpret(p, g, in.env);
    for (const examine::partitioned& cut :
         {examine::partition(p, in_one), in_stages(p), examine::partition(p, [](node n) { return n.at; })})
      expect_close(runnable_parts(cut)(g, in.inputs), expected);
  }
}
TEST(programs, say_what_a_call_lacks) {
  const graph g = five_vertices();
  const ir::program p = canonical([](auto v) { return matmul(v(x), W); });
  const runnable run(p);
  const runnable_parts parts(examine::partition(p, in_one));
  const tensor<float> X({5, 4}), V({4, 4});
  const tensor<double> wide({4, 4});
  test::expect_error([&] { run(g, {{"x", X}}); }, {"input 'W' is not given; add it to the call"});
  test::expect_error([&] { run(g, {{"x", X}, {"x", X}}); }, {"input 'x' is given twice; give each input once"});
  test::expect_error([&] { run(g, {{"z", X}}); }, {"the program has no input 'z'; give those that it reads"});
  test::expect_error([&] { run(g, {{7, X}}); }, {"the program has no input '#7'; give those that it reads"});
  test::expect_error(
      [&] {
        run(g, {{"x", X}, {"W", wide}});
      },
      {"input 'W' takes a tensor of f32; convert what is given, x.to<T>()"});
  test::expect_error([&] { run(g, {{"x", V}, {"W", V}}); }, {"input 'x' has 4 rows; the graph has 5 vertices"});
  test::expect_error(
      [&] {
        parts(g, {{"x", X}, {"W", V}, {"z", X}});
      },
      {"no part of the program has input 'z'; give what the parts read, by name"});
  ir::program broken = p;
  broken.statements[0].dims.axes[0] = ir::extent(7);
  test::expect_error([&] { runnable{broken}; },
                     {"a program to be run breaks a rule of programs at value %2; see stg::"});
}

TEST(finding, is_by_regular_expressions) {
  EXPECT_TRUE(letters_are_themselves());
  EXPECT_TRUE(sets_are_of_letters());
  EXPECT_TRUE(pieces_are_repeated());
  EXPECT_TRUE(alternatives_are_of_all_that_stands_there());
  EXPECT_TRUE(a_match_takes_linear_time());
  EXPECT_TRUE(values_are_found_by_scope_and_operation());
  EXPECT_TRUE(values_are_found_by_their_names());
  EXPECT_TRUE(values_are_found_in_steps());
}

TEST(finding, says_what_is_wrong_with_an_expression_and_where) {
  for (const char* wrong : {"a)", "(a", "*a", "a{", "a{2", "a{300}", "a{3,2}", "[a", "[b-a]", "\\q", "\\", "(?=a)",
                            "^a", "a$", "((a{100}){100}){100}"})
    EXPECT_THROW(regular_expression{wrong}, examine::expression_is_wrong) << wrong;
  test::expect_error([] { regular_expression("conv("); },
                     {"regular expression 'conv(', letter 5: a group is not closed; write ')'"});
}

TEST(rules, find_patterns_by_data_flow) {
  EXPECT_TRUE(a_product_over_a_sum_is_distributed());
  EXPECT_TRUE(operands_are_tried_in_both_orders());
  EXPECT_TRUE(other_operands_keep_their_order());
  EXPECT_TRUE(a_wildcard_is_one_value());
  EXPECT_TRUE(constants_are_told_by_their_number());
  EXPECT_TRUE(attributes_agree());
  EXPECT_TRUE(patterns_are_lambdas_of_the_language());
  EXPECT_TRUE(a_plain_relation_is_any());
  EXPECT_TRUE(a_relation_with_a_name_is_that());
}

TEST(rules, limit_their_wildcards) {
  EXPECT_TRUE(a_wildcard_is_limited_by_space());
  EXPECT_TRUE(a_wildcard_is_limited_by_shape());
  EXPECT_TRUE(a_wildcard_is_limited_by_type_and_operation());
  EXPECT_TRUE(names_of_extents_are_wildcards());
}

TEST(rules, are_applied_where_nobody_else_reads_what_goes) {
  EXPECT_TRUE(a_value_read_outside_is_refused());
  EXPECT_TRUE(a_kept_value_is_computed_as_before());
  EXPECT_TRUE(a_wildcard_inside_of_the_match_is_a_use_outside());
  EXPECT_TRUE(matches_are_disjoint_and_in_order());
  EXPECT_TRUE(another_order_is_taken_where_the_first_is_refused());
  EXPECT_TRUE(sites_are_chosen());
  EXPECT_TRUE(values_of_a_pattern_have_names());
}

TEST(rules, write_what_stands_in_the_place) {
  EXPECT_TRUE(a_narrower_replacement_is_repeated());
  EXPECT_TRUE(numbers_take_the_type_of_what_they_meet());
  EXPECT_TRUE(names_and_scopes_of_the_result_stay());
  EXPECT_TRUE(a_program_without_a_match_stays());
  EXPECT_TRUE(steps_are_rewritten_too());
}

TEST(rules, come_with_the_library) {
  EXPECT_TRUE(products_go_over_sums_both_ways());
  EXPECT_TRUE(each_way_is_chosen_per_site());
  EXPECT_TRUE(a_factor_leaves_a_sum_along_an_axis_that_it_lacks());
  EXPECT_TRUE(a_factor_leaves_a_sum_over_edges_and_vertices());
  EXPECT_TRUE(factors_are_summed_along_their_own_axes());
  EXPECT_TRUE(what_is_repeated_is_read_as_it_was());
  EXPECT_TRUE(a_sum_of_what_is_repeated_is_a_multiple());
  EXPECT_TRUE(repeated_rows_are_multiplied_once());
  EXPECT_TRUE(what_a_zero_makes_dead_is_left_out());
  EXPECT_TRUE(zeros_that_are_given_back_are_written());
  EXPECT_TRUE(zeros_are_known_in_steps());
  EXPECT_TRUE(two_passes_are_rules());
}

/// Right where b has no axis 0, which nothing says.
constexpr auto careless = rewrite_rule([](auto, auto a, auto b) { return sum(a * b, axis<0>, keepdim); },
                                       [](auto, auto a, auto b) { return b * sum(a, axis<0>, keepdim); },
                                       any_value.shaped<extent<"N">>(), any_value);
TEST(rules, say_where_they_do_not_fit) {
  const ir::program right = canonical([](auto v) { return sum(v(x) * v(xv), axis<0>, keepdim); });
  EXPECT_TRUE(pass::verify(examine::rewrite(right, careless)) == pass::finding());
  const ir::program wrong = canonical([](auto v) { return sum(v(x) * v(y), axis<0>, keepdim); });
  EXPECT_THROW(examine::rewrite(wrong, careless), examine::replacement_does_not_fit);
  test::expect_error([&] { examine::rewrite(wrong, careless); },
                     {"a replacement of value %3 has another space, shape or type; choose where by rule.where("});
  ir::program broken = canonical([](auto v) { return v(x) * (v(y) + 1.0); });
  broken.statements[0].dims.axes[0] = ir::extent(7);
  EXPECT_THROW(examine::rewrite(
                   broken, rewrite_rule([](auto, auto a) { return a + 1.0; }, [](auto, auto a) { return a - -1.0; })),
               examine::rewriting_breaks_a_rule);
}

// ---- what it takes ----

/// The least of the times that f takes, in milliseconds of this thread.
template <class F> double milliseconds(const F& f, int times = 5) {
  double least = 1e9;
  for (int k = 0; k < times; ++k) {
    timespec from{}, to{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    f();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    const double taken =
        1e3 * static_cast<double>(to.tv_sec - from.tv_sec) + 1e-6 * static_cast<double>(to.tv_nsec - from.tv_nsec);
    least = taken < least ? taken : least;
  }
  return least;
}

ir::program named_chain(int steps) {
  ir::program p = chain(steps);
  for (ir::value_id i = 0; i < p.size(); ++i) p.names.push_back({text(std::to_string(i)), i});
  return p;
}

/// x times one number after the other, none of which is near 1.
ir::program small_numbers(int steps) {
  ir::program p = chain(1);
  pass::value at{&p, p.outputs[0].at};
  for (int k = 0; k < steps; ++k) at = at * pass::constant(p, f32, 1e-9 * (k + 1));
  p.outputs[0].at = at.id;
  return p;
}

ir::program tagged_chain(int steps) {
  ir::program p = chain(steps);
  for (ir::value_id i = 3; i < p.size(); ++i)
    p.tags.push_back({text("tag " + std::to_string(i % 7)), i, ir::tag::rows});
  return p;
}

/// A mask of its own for each step, of an axis whose extent has a name of its own.
ir::program masked_chain(int steps) {
  ir::program p;
  p.inputs = {ir::input{text("x")}};
  ir::statement s;
  s.where = ir::space::vertex;
  p.emit(s);
  for (int k = 0; k < steps; ++k) {
    s = ir::statement();
    s.code = ir::opcode::keep_mask;
    s.where = ir::space::vertex;
    s.set_site(k);
    s.set_drop_probability(0.5);
    s.dims.push(ir::extent(-1 - k));
    p.extents.push_back(ir::polynomial(text("F" + std::to_string(k))));
    const pass::value mask{&p, p.emit(s)};
    const pass::value total = pass::reduce(ir::opcode::reduce_sum, mask, 1);
    p.outputs.push_back(ir::output{total.id, {}});
  }
  return p;
}

/// Fails where f takes more than 50 ms for 10,000 statements, or for 16 times as many more than `most` times as long,
/// where 256 would be quadratic. What is more than 16 is the cost of memory that no cache holds any more, of copies
/// most.
template <class F>
void expect_linear(const char* what, const F& f, ir::program (*of)(int) = chain, int steps = 3333, int most = 120) {
  const ir::program some = of(steps), many = of(16 * steps);
  const double first = milliseconds([&] { f(some); }), limit = most * first + 1;
  double more = milliseconds([&] { f(many); }, 2);
  for (int again = 0; again < 4 && more > limit; ++again)  // others may have had the memory meanwhile
    more = std::min(more, milliseconds([&] { f(many); }, 1));
  std::cout << what << ": " << first << " ms for " << some.size() << " statements, " << more << " ms for "
            << many.size() << "\n";
  EXPECT_LE(first, test::is_sanitized ? 1000 : 50) << what;
  EXPECT_LE(more, limit) << what;
}

/// What the gradient reads are as many outputs of the forward program.
TEST(differentiate, takes_linear_time) {
  for (const keeping keep : {keeping::chosen, keeping::everything})
    expect_linear(
        "differentiate",
        [keep](const ir::program& p) { EXPECT_GT(4 * differentiate(p, {0}, keep).forward.outputs.size(), p.size()); },
        chain, 1000, 80);
}

TEST(examined, takes_linear_time) {
  expect_linear("walk", [](const ir::program& p) { examine::topological_order(p); });
  expect_linear("fold", [](const ir::program& p) { depth_of(p); });
  expect_linear("transform", [](const ir::program& p) { examine::transform(p, unchanged); });
  expect_linear(
      "transform of names", [](const ir::program& p) { examine::transform(p, unchanged); }, named_chain);
  expect_linear(
      "transform of tags", [](const ir::program& p) { examine::transform(p, unchanged); }, tagged_chain);
  expect_linear(
      "order of names and tags",
      [](ir::program p) {
        p.names = named_chain((p.size() - 3) / 3).names;
        pass::order(p);
      },
      tagged_chain);
  expect_linear(
      "counts of tags", [](const ir::program& p) { examine::counts_of_tags(p); }, tagged_chain);
  expect_linear(
      "spread of tags", [](const ir::program& p) { examine::spread_tags(p); }, tagged_chain);
  expect_linear(
      "transform of small numbers", [](const ir::program& p) { examine::transform(p, unchanged); }, small_numbers);
  expect_linear("users", [](const ir::program& p) { examine::users(p).uses(0); });
  expect_linear("all users", [](const ir::program& p) { examine::all_users_of(p, 0); });
  expect_linear("dependencies", [](const ir::program& p) { examine::dependencies_of(p, p.outputs[0].at); });
  expect_linear("needs", [](const ir::program& p) { examine::needs_of(p, p.outputs[0].at); });
  expect_linear("values in memory", [](const ir::program& p) { examine::values_in_memory(p); });
  expect_linear("stored by mpms", [](const ir::program& p) { examine::stored_by_mpms(p); });
  expect_linear("counts", [](const ir::program& p) { examine::distinct_counts_of(p); });
  expect_linear("hash", [](const ir::program& p) { examine::hash_of(p); });
  expect_linear("hashes of values", [](const ir::program& p) { examine::hashes_of(p); });
  expect_linear("equality", [](const ir::program& p) { EXPECT_TRUE(p == p); });
  expect_linear("equality of values",
                [](const ir::program& p) { examine::are_equal(p, p.outputs[0].at, p, p.outputs[0].at); });
  expect_linear("index form",
                [](const ir::program& p) { examine::to_text(p, examine::index_form_to_inputs(p, p.outputs[0].at)); });
  expect_linear(
      "index form of names",
      [](const ir::program& p) { examine::to_text(p, examine::index_form_to_inputs(p, p.outputs[0].at)); },
      named_chain);
  expect_linear(
      "text", [](const ir::program& p) { ir::to_text(p); }, named_chain, 300);
  expect_linear(
      "graph of groups",
      [](const ir::program& p) { examine::to_dot(p, examine::groups_by(p, [](node n) { return n.at; })); }, named_chain,
      300);
  expect_linear(
      "drawing", [](const ir::program& p) { examine::to_svg(p); }, named_chain, 300);
  expect_linear("partition", [](const ir::program& p) {
    EXPECT_EQ(examine::partition(p, [](node n) { return n.at / 30; }).parts.size(), p.size() / 30 + 1);
  });
  expect_linear("matches",
                [](const ir::program& p) { EXPECT_EQ(examine::matches_of(p, factored).size(), (p.size() - 3) / 3); });
  expect_linear("rewrite", [](const ir::program& p) { EXPECT_LT(examine::rewrite(p, factored).size(), p.size()); });
  expect_linear("refused matches", [](const ir::program& p) { EXPECT_TRUE(examine::rewrite(p, distribute) == p); });
  expect_linear("zeros", [](const ir::program& p) { EXPECT_TRUE(rules::without_zeros(p) == p); });
  expect_linear("similar", [](const ir::program& p) { EXPECT_TRUE(examine::are_similar(p, p)); });
  expect_linear(
      "similar with extents and sites", [](const ir::program& p) { EXPECT_TRUE(examine::are_similar(p, p)); },
      masked_chain);
}

}  // namespace
}  // namespace stg::examined
