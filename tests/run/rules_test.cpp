// test: draft programs_at_run_time
// Every operation's rules at run time: result and refusals as a table written by hand says, and which gradients pass.
#include "support/formulas.hpp"    // with_formulas
#include "support/rule_cases.hpp"  // rule_cases
#include "support/samples.hpp"     // x, y, s

#include <stg/analysis/verify.hpp>  // verify
#include <stg/pass/autodiff.hpp>    // autodiff
#include <stg/pass/cse.hpp>         // cse

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // min
#include <set>        // set
#include <sstream>    // istringstream
#include <string>     // string
#include <vector>     // vector

namespace stg {
namespace {

using ir::opcode;
using op::rule;

/// The word of a list of names that an enumeration spells in order.
template <class Enumeration, class Names> Enumeration named_in(const Names& names, std::string_view word) {
  int at = 0;
  for (std::string_view name : names) {
    if (name == word) return static_cast<Enumeration>(at);
    ++at;
  }
  ADD_FAILURE() << "nothing is called " << word;
  return Enumeration();
}
constexpr std::string_view space_names[] = {"vertex", "edge", "graph"};
constexpr std::string_view type_names[] = {"f32", "f64", "i32", "boolean"};
constexpr std::string_view rule_names[] = {"none",
                                           "operand_is_defined_before_use",
                                           "operand_count_is_right",
                                           "spaces_agree",
                                           "shapes_broadcast",
                                           "scalar_types_agree",
                                           "shape_follows_from_operands",
                                           "one_name_has_one_shape",
                                           "one_label_names_one_value",
                                           "sparse_input_is_multiplied",
                                           "output_is_a_value",
                                           "part_lies_within_axis",
                                           "steps_stay_in_scans"};
opcode opcode_named(std::string_view word) {
  std::vector<std::string_view> names;
  for (int i = 0; i < ir::opcode_count; ++i) names.push_back(ir::name_of(static_cast<opcode>(i)));
  return named_in<opcode>(names, word);
}

/// The text between separators, without spaces at its ends.
std::vector<std::string> parts(const std::string& of, const std::string& separator) {
  std::vector<std::string> all;
  std::size_t from = 0;
  while (from <= of.size()) {
    const std::size_t to = std::min(of.find(separator, from), of.size());
    std::string part = of.substr(from, to - from);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    all.push_back(part);
    from = to + separator.size();
  }
  return all;
}

/// Space, type and shape of a value as the table writes it; F is the program's first run-time extent.
ir::statement value_of(std::istringstream words, std::string first) {
  ir::statement s;
  s.where = named_in<ir::space>(space_names, first);
  words >> first;
  s.type = named_in<scalar_type>(type_names, first);
  while (words >> first) s.dims.push(ir::extent(first == "F" ? -1 : std::stoi(first)));
  return s;
}
ir::statement value_of(const std::string& written) {
  std::istringstream words(written);
  std::string first;
  words >> first;
  return value_of(std::move(words), first);
}

/// Writes an operand: an input, or what a sparse product takes.
void append_operand(ir::program& p, const std::string& written) {
  std::istringstream words(written);
  std::string kind;
  words >> kind;
  const std::string rest = written.substr(std::min(kind.size(), written.size()));
  ir::statement s;
  if (kind == "one" || kind == "two") {
    s = value_of("graph" + rest);
    s.code = opcode::constant;
    s.set_value(kind == "one" ? 1 : 2);
  } else if (kind == "keep") {
    s = value_of(rest);
    s.code = opcode::keep_mask;
  } else {
    s = value_of(kind == "sparse" ? "vertex" + rest : written);
    s.code = opcode::input;
    s.set_entry(p.inputs.size());
    ir::input in;
    in.name = text("input ");
    in.name.append(static_cast<char>('0' + s.entry()));
    in.sparse = kind == "sparse";
    p.inputs.push_back(in);
  }
  p.append(s);
}

struct rule_case {
  std::string line;
  opcode code{};
  std::vector<std::string> operands;
  std::int64_t attribute = 0;
  int axis = 0;
  std::string outcome;  // "" where the operands give a result, else "refused" or "found"
  rule broken = rule::none;
  ir::statement result;

  /// The operands, and the statement on them with the result that the table states.
  ir::program operands_alone() const {
    ir::program p;
    p.intern(ir::polynomial(text("F")));
    for (const std::string& operand : operands) append_operand(p, operand);
    return p;
  }
  ir::statement statement(ir::program& p) const {
    ir::statement s = result;
    s.code = code;
    s.attribute_ = attribute;
    s.axis_ = axis;
    for (std::size_t k = 0; k < operands.size(); ++k) s.operands[k] = static_cast<ir::value_id>(k);
    if (code == opcode::input) {
      s.set_entry(p.inputs.size());
      p.inputs.push_back(ir::input());
    }
    return s;
  }
};

std::vector<opcode> operations_named(const std::string& word) {
  std::vector<opcode> all;
  const int arity = word == "unary" ? 1 : word == "binary" ? 2 : 0;
  if (arity == 0) return {opcode_named(word)};
  [&]<class... Op>(test::operations<Op...>) {
    ((Op::arity == arity ? all.push_back(Op::code) : void()), ...);
  }(test::with_formulas);
  return all;
}

std::vector<rule_case> cases() {
  std::vector<rule_case> all;
  std::istringstream table{std::string(test::rule_cases)};
  for (std::string line; std::getline(table, line);) {
    if (line.empty()) continue;
    rule_case c;
    c.line = line;
    const std::vector<std::string> columns = parts(line, "|"), sides = parts(columns.at(2), "->");
    if (!sides.at(0).empty()) c.operands = parts(sides[0], ",");
    std::istringstream settings(columns[1]);
    for (std::string what; settings >> what;) what == "axis" ? settings >> c.axis : settings >> c.attribute;
    const std::vector<std::string> outcome = parts(sides.at(1), " as ");
    std::istringstream words(outcome[0]);
    std::string first;
    words >> first;
    std::string stated = outcome.back();
    if (first == "refused" || first == "found") {
      c.outcome = first;
      words >> first;
      c.broken = named_in<rule>(rule_names, first);
      if (outcome.size() == 1) stated = c.operands[0];
    }
    c.result = value_of(stated);
    std::istringstream codes(columns[0]);
    for (std::string word; codes >> word;)
      for (const opcode code : operations_named(word)) {
        c.code = code;
        all.push_back(c);
      }
  }
  return all;
}

/// What a statement brings itself: its operation's rule leaves it as it is.
bool brings_type(opcode code) { return code == opcode::cast; }
bool brings_space(opcode code) { return code == opcode::broadcast_to; }
bool brings_shape(opcode code) {
  return code == opcode::broadcast_to || code == opcode::reshape || code == opcode::concat || code == opcode::slice ||
         code == opcode::pad;
}

ir::program with(ir::program p, const ir::statement& s) {
  p.append(s);
  return p;
}

void expect_result(const rule_case& c) {
  ir::program p = c.operands_alone();
  const ir::statement stated = c.statement(p);
  EXPECT_EQ(pass::verify(with(p, stated)), pass::finding());
  if (c.operands.empty()) return;  // a source says itself what it is
  ir::statement other_space = stated, other_type = stated, other_shape = stated;
  other_space.where = stated.where == ir::space::graph ? ir::space::vertex : ir::space::graph;
  other_type.type = stated.type == scalar_type::f32 ? scalar_type::f64 : scalar_type::f32;
  if (stated.dims.rank == 0) other_shape.dims.push(ir::extent(7));
  else other_shape.dims.axes[stated.dims.rank - 1] = ir::extent(7);
  auto finds = [&](const ir::statement& s) { return pass::verify(with(p, s)).what; };
  EXPECT_TRUE(brings_space(c.code) || finds(other_space) == rule::spaces_agree);
  EXPECT_TRUE(brings_type(c.code) || finds(other_type) == rule::scalar_types_agree);
  EXPECT_TRUE(brings_shape(c.code) || finds(other_shape) == rule::shape_follows_from_operands);

  ir::statement inferred = stated;
  if (!brings_space(c.code)) inferred.where = other_space.where;
  if (!brings_type(c.code)) inferred.type = other_type.type;
  if (!brings_shape(c.code)) inferred.dims = other_shape.dims;
  op::info_of(c.code).infer(p, inferred);
  EXPECT_EQ(inferred.where, stated.where);
  EXPECT_EQ(inferred.type, stated.type);
  EXPECT_EQ(inferred.dims, stated.dims);
}

void expect_refusal(const rule_case& c) {
  ir::program p = c.operands_alone();
  ir::statement s = c.statement(p);
  EXPECT_EQ(pass::verify(with(p, s)).what, c.broken);
  if (c.outcome == "found") return;
  try {
    op::info_of(c.code).infer(p, s);
    ADD_FAILURE() << "the rule takes it";
  } catch (const op::rule_is_broken& thrown) {
    EXPECT_EQ(thrown.what, c.broken);
  }
}

TEST(rules, results_and_refusals_are_those_of_the_table) {
  std::set<opcode> with_result, with_refusal;
  for (const rule_case& c : cases()) {
    SCOPED_TRACE(std::string(ir::name_of(c.code)) + ": " + c.line);
    c.outcome.empty() ? expect_result(c) : expect_refusal(c);
    (c.outcome.empty() ? with_result : with_refusal).insert(c.code);
  }
  for (int i = 0; i < ir::opcode_count; ++i) {
    const auto code = static_cast<opcode>(i);
    if (op::has_own_programs(code)) continue;
    const op::info& known = op::info_of(code);
    EXPECT_TRUE(with_result.contains(code)) << "the table has no result of " << ir::name_of(code);
    const bool takes_all = code == opcode::input || (known.kind == op::category::pointwise && known.arity == 1);
    EXPECT_TRUE(takes_all || with_refusal.contains(code)) << "the table has no refusal of " << ir::name_of(code);
  }
}

// ---- which gradients pass ----

ir::value_id input_named(const ir::program& p, std::string_view name) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == opcode::input && p.inputs[p[i].entry()].name.view() == name) return i;
  return ir::no_value;
}
pass::joint_program gradient_for(const ir::program& p, std::string_view name) {
  return pass::autodiff(p, {0}, {input_named(p, name)});
}

TEST(rules, no_gradient_passes_a_step) {
  using samples::x, samples::y;
  const ir::program steps[] = {trace([](auto v) { return sign(v(x)); }), trace([](auto v) { return stg::floor(v(x)); }),
                               trace([](auto v) { return stg::ceil(v(x)); }),
                               trace([](auto v) { return stg::round(v(x)); }),
                               trace([](auto v) { return stg::fmod(v(y), v(x)); })};
  for (const ir::program& p : steps) EXPECT_THROW(gradient_for(p, "x"), pass::operation_has_no_gradient);
  EXPECT_NO_THROW(gradient_for(steps[4], "y"));
}

TEST(rules, no_gradient_passes_an_operation_of_a_user_that_has_none) {
  using samples::x, samples::y;
  const ir::program own[] = {trace([](auto v) { return stg::apply<test::bump>(v(x)); }),
                             trace([](auto v) { return stg::apply<test::hypotenuse>(v(x), v(y)); }),
                             trace([](auto v) { return stg::apply<test::hypotenuse>(v(y), v(x)); }),
                             trace([](auto v) { return stg::apply<test::between>(v(y), 2, v(x)); })};
  for (const ir::program& p : own) EXPECT_THROW(gradient_for(p, "x"), pass::operation_has_no_gradient);
}

TEST(rules, a_gradient_passes_through_a_scan_beside_a_step) {
  using samples::x, samples::y;
  const ir::program beside = trace([](auto v) {
    const auto [h, n, all] = scan<3>(
        v, [](auto, auto h, auto n) { return next(tanh(h), stg::floor(n) + 1.0).gives(stg::floor(h)); }, v(x), v(y));
    return outputs(h, n, all);
  });
  EXPECT_NO_THROW(pass::autodiff(beside, {0}, {input_named(beside, "x")}));
  EXPECT_THROW(pass::autodiff(beside, {0, 1}, {input_named(beside, "y")}), pass::operation_has_no_gradient);
  EXPECT_THROW(pass::autodiff(beside, {2}, {input_named(beside, "x")}), pass::operation_has_no_gradient);
  EXPECT_NO_THROW(pass::autodiff(beside, {0, 1}, {input_named(beside, "x")}));
  const ir::program through = trace([](auto v) {  // the second state goes on to the first
    const auto [h, n] = scan<3>(
        v, [](auto, auto h, auto n) { return next(tanh(h + n), stg::floor(n)); }, v(x), v(y));
    return outputs(h);
  });
  EXPECT_THROW(pass::autodiff(through, {0}, {input_named(through, "y")}), pass::operation_has_no_gradient);
  EXPECT_NO_THROW(pass::autodiff(through, {0}, {input_named(through, "x")}));
}

TEST(rules, detach_takes_a_value_out_of_the_gradient) {
  EXPECT_THROW(gradient_for(trace([](auto v) { return detach(v(samples::x)); }), "x"), pass::input_has_no_gradient);
}

TEST(rules, what_only_a_plain_call_reads_is_not_trained) {
  const ir::program p = trace([](auto v) { return training(2.0 * v(samples::x), v(samples::y)); });
  EXPECT_NO_THROW(gradient_for(p, "x"));
  EXPECT_THROW(gradient_for(p, "y"), pass::input_has_no_gradient);
}

}  // namespace
}  // namespace stg
