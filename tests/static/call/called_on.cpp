// called_on: the kinds that programs are called on, and the mistakes of calls on them.
#include "pass/symbols.hpp"

#include <stg/call/called_on.hpp>        // CalledOn, mistake_on, form_on
#include <stg/op/aggregate.hpp>          // sum
#include <stg/runtime/named_values.hpp>  // named_values

#include <type_traits>  // is_same_v

namespace stg {

using namespace detail;

static_assert(CalledOn<graph> && CalledOn<graphs> && CalledOn<graph_sequence> && CalledOn<blocks>);
static_assert(!CalledOn<tensor<float>> && !CalledOn<named_values<>> && !CalledOn<int>);

constexpr auto plain = [](auto v) { return sum(v.in_edges().src(x)); };
using of_plain = ref<plain>;
template <class Ref, class On> constexpr call_mistake wrong = mistake_on<Ref, no_entries, On, all_inputs_bound>;

static_assert(wrong<of_plain, graph> == call_mistake());
static_assert(wrong<of_plain, graphs> == call_mistake{.has_needless_sets = true});
static_assert(wrong<of_plain, graph_sequence> == call_mistake{.steps = pass::graph_mistake::outside_of_scans});
static_assert(wrong<of_plain, blocks> == call_mistake());

// Only where all inputs are bound is anything else said.
static_assert(mistake_on<of_plain, no_entries, graphs, was_said> == call_mistake());
static_assert(is_right_on<of_plain, no_entries, graph, all_inputs_bound>);
static_assert(!is_right_on<of_plain, no_entries, graphs, all_inputs_bound>);
static_assert(!is_right_on<of_plain, no_entries, graph, was_said>);

// On blocks another form of the program runs.
static_assert(std::is_same_v<form_on<of_plain, no_entries, graph>, of_plain>);
static_assert(std::is_same_v<form_on<of_plain, no_entries, graph_sequence>, of_plain>);
static_assert(std::is_same_v<form_on<of_plain, no_entries, blocks>, over_hops<of_plain>>);

}  // namespace stg
