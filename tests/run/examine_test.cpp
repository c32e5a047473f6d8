// test: draft programs_at_run_time, proof kernels 0
// What examines programs, at run time: the bodies that tests/static/examine/ asserts, and errors in words.
#include "../static/examine/finding.hpp"     // values_are_found_by_their_names, …
#include "../static/examine/indices.hpp"     // attention_is_its_equations, …
#include "../static/examine/partitions.hpp"  // what_goes_between_parts_has_a_name, …
#include "../static/examine/questions.hpp"   // users_are_found_with_and_without_multiplicity, …
#include "../static/examine/rewrites.hpp"    // matches_are_disjoint_and_in_order, …
#include "../static/examine/scopes.hpp"      // scopes_are_a_tree, …
#include "../static/examine/tags.hpp"        // passes_carry_them, …
#include "../static/examine/walks.hpp"       // statements_come_in_their_order, …
#include "../static/rules/shipped.hpp"       // products_go_over_sums_both_ways, …

#include "expect_error.hpp"  // expect_error

#include <stg/examine/picture.hpp>  // to_dot, to_svg
#include <stg/ir/text.hpp>          // from_text, to_text
#include <stg/stg.hpp>              // the language

#include <gtest/gtest.h>  // TEST

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

TEST(scopes, are_a_tree) {
  EXPECT_TRUE(scopes_are_a_tree());
  EXPECT_TRUE(values_are_members_of_their_innermost_scope());
  EXPECT_TRUE(parameters_are_those_of_scopes_within());
  EXPECT_TRUE(a_tree_is_flattened_to_a_depth());
  EXPECT_TRUE(scopes_of_a_called_layer_are_those_of_its_calls());
  EXPECT_TRUE(values_of_steps_stand_where_the_scan_does());
  const ir::program p = trace(nested), none;
  EXPECT_EQ(examine::to_text(scope_tree(p)).substr(0, 77),
            "the program: 4 values, W, A\n  encoder: 1 value, W\n    inner: 2 values\n      n");
  EXPECT_EQ(examine::to_text(scope_tree(none)), "the program: 0 values\n");
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

}  // namespace
}  // namespace stg::examined
