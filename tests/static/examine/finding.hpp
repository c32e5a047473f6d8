// Values found by what they are called: functions that are true, in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/dsl/keep.hpp>
#include <stg/examine/find.hpp>

namespace stg::examined {

using examine::regular_expression;

constexpr bool letters_are_themselves() {
  const regular_expression r("conv1/score");
  return r.matches("conv1/score") && !r.matches("conv1/scores") && !r.matches("xconv1/score") && !r.matches("") &&
         regular_expression("").matches("") && !regular_expression("").matches("a") &&
         regular_expression("\\.\\*\\\\").matches(".*\\") && !regular_expression("a\\.b").matches("axb");
}
constexpr bool sets_are_of_letters() {
  const regular_expression r("[a-c_][^/0-9]\\d\\w\\S.");
  return r.matches("a-7_!?") && r.matches("_x0Zz\n") && !r.matches("d-7_!?") && !r.matches("a/7_!?") &&
         !r.matches("a-x_!?") && !r.matches("a-7-!?") && !r.matches("a-7_ ?") && !r.matches("a-7_!") &&
         regular_expression("[]a-]+").matches("-]a") && regular_expression("[\\d.]+").matches("0.2") &&
         regular_expression("\\D\\W\\s").matches("a-\t") && regular_expression("é").matches("é");
}
constexpr bool pieces_are_repeated() {
  const regular_expression any("(ab|c)*"), some("a+b?"), twice("a{2}"), more("(ab){2,}"), few("a{1,3}b"), none("a{0}b");
  return any.matches("") && any.matches("ccabc") && !any.matches("ca") && some.matches("aa") && some.matches("ab") &&
         !some.matches("b") && !some.matches("abb") && twice.matches("aa") && !twice.matches("a") &&
         !twice.matches("aaa") && more.matches("ababab") && !more.matches("ab") && few.matches("aaab") &&
         !few.matches("aaaab") && !few.matches("b") && none.matches("b") && !none.matches("ab");
}
constexpr bool alternatives_are_of_all_that_stands_there() {
  const regular_expression r("ab|c(d||e)f|"), deep("((a|b)|(c|(d|e)))x");
  return r.matches("ab") && r.matches("cdf") && r.matches("cf") && r.matches("cef") && r.matches("") &&
         !r.matches("abf") && !r.matches("c") && deep.matches("ex") && deep.matches("ax") && !deep.matches("x") &&
         regular_expression("(?:a|b)c").matches("bc");
}
/// What takes others exponential time: every letter can be taken in many ways.
constexpr bool a_match_takes_linear_time() {
  const std::string_view letters = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  return !regular_expression("(a*)*b").matches(letters) && !regular_expression("(a|a)*(a|aa)+b").matches(letters) &&
         regular_expression("(a?){64}a{64}").matches(letters);
}

constexpr bool values_are_found_by_scope_and_operation() {
  const ir::program p = trace(twice), q = canonical(twice);
  const auto first = examine::find(p, "first/.*"), both = examine::find(p, "(first|second)/(exp|mul)");
  return first.size() == 3 && p[first[0]].code == ir::opcode::input && p[first[2]].code == ir::opcode::mul &&
         both.size() == 4 && examine::find(p, "add").size() == 1 && examine::find(p, "exp").empty() &&
         examine::find(q, "first/exp") == examine::find(q, "second/exp") && examine::find(q, "first/exp").size() == 1;
}
constexpr bool values_are_found_by_their_names() {
  const ir::program p = canonical(attention);
  const auto score = examine::find(p, "s.+e"), inputs = examine::find(p, "[A-Z]|x");
  const ir::program scoped = trace([](auto v) { return scope<"conv1">(v, attention); });
  const ir::program kept = canonical([](auto v) { return exp(saved(v(x) * 2.0)); });  // a word about a value is no name
  return examine::find(kept, "saved").empty() && score.size() == 1 && p[score[0]].code == ir::opcode::leaky_relu &&
         inputs.size() == 3 && p[inputs[0]].code == ir::opcode::input &&
         examine::find(scoped, "conv\\d/score").size() == 1;
}
constexpr bool values_are_found_in_steps() {
  const ir::program p = canonical(repeated);
  const auto found = examine::find_with_steps(p, "tanh|scan");
  return found.size() == 2 && found[0].in == &p && found[1].in == &p.callees[0] &&
         found[1].code() == ir::opcode::tanh && examine::find(p, "tanh").empty();
}
constexpr bool all_that_is_called_is_found() {
  return letters_are_themselves() && sets_are_of_letters() && pieces_are_repeated() &&
         alternatives_are_of_all_that_stands_there() && a_match_takes_linear_time() &&
         values_are_found_by_scope_and_operation() && values_are_found_by_their_names() && values_are_found_in_steps();
}

}  // namespace stg::examined
