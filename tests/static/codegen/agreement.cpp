// What headers and library agree on is written down whole: every member of what they hand over, every word of its
// enumerations.
#include <stg/codegen/agreement.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace stg::codegen {
namespace {

struct anything {
  template <class T> operator T() const;
};
template <class T, std::size_t... I> constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), anything())...}; };
}
template <class T, std::size_t Most = 40> constexpr std::size_t most_elements() {
  if constexpr (takes<T>(std::make_index_sequence<Most>())) return Most;
  else return most_elements<T, Most - 1>();
}
/// more: elements that its arrays have beyond the first.
template <class T> constexpr bool is_whole(std::size_t more = 0) {
  return most_elements<T>() - more == std::size(layout<T>) - 1;
}
static_assert(is_whole<ir::shape>(ir::shape::max_rank - 1) &&
                  is_whole<ir::statement>(ir::statement::max_operands - 1) &&
                  is_whole<ir::term>(ir::term::max_factors - 1) && is_whole<ir::input>() && is_whole<ir::output>() &&
                  is_whole<ir::label>() && is_whole<ir::tag>() && is_whole<ir::decision>() &&
                  is_whole<ir::label_range>() && is_whole<ir::kind>() && is_whole<ir::program_sizes>(),
              "stg internal: a struct of programs has members that codegen/agreement.hpp does not list");
static_assert(is_whole<pass::step>() && is_whole<pass::planned_unit>() && is_whole<pass::planned_loop>() &&
                  is_whole<pass::planned_value>() && is_whole<pass::planned_result>() && is_whole<pass::value_mode>() &&
                  is_whole<pass::lifetime>() && is_whole<pass::connection>() && is_whole<plan_data>(),
              "stg internal: a struct of plans has members that codegen/agreement.hpp does not list");
static_assert(is_whole<graph_view>() && is_whole<random_draws>() && is_whole<call_resources>() &&
                  is_whole<scan_context>() && is_whole<launch>() && is_whole<cpu::unit_names>() &&
                  is_whole<long_rows>() && is_whole<kind_rows>() && is_whole<stg::detail::call_sizes>() &&
                  is_whole<buffer>(),
              "stg internal: a struct of calls has members that codegen/agreement.hpp does not list");

template <auto Word> constexpr bool has_name() {
  const std::string_view of = __PRETTY_FUNCTION__;
  return of[of.find("Word = ") + 7] != '(';
}
/// Numbered from 0 on, and no word has a number behind them.
template <class E> constexpr bool has_all_words() {
  for (std::size_t n = 0; n < std::size(words<E>); ++n)
    if (words<E>[n] != n) return false;
  return has_name<static_cast<E>(std::size(words<E>) - 1)>() && !has_name<static_cast<E>(std::size(words<E>))>();
}
static_assert(has_all_words<ir::space>() && has_all_words<ir::direction>() && has_all_words<scalar_type>() &&
                  has_all_words<keeping>() && has_all_words<ir::decided>() && has_all_words<ir::decided_of>() &&
                  has_all_words<pass::unit_kind>() && has_all_words<pass::sweep_side>() &&
                  has_all_words<pass::edge_mode>() && has_all_words<pass::connection_kind>(),
              "stg internal: an enumeration has words that codegen/agreement.hpp does not list, in their order");

}  // namespace
}  // namespace stg::codegen
