// What a program's lambda takes is known without a look into its body.
#include <stg/dsl/trace.hpp>  // TakesOne

namespace {
template <class F> constexpr bool takes_one(const F&) { return stg::detail::TakesOne<F>; }

// A body that is wrong: to look into it would be an error.
constexpr auto of_value = [](auto v) { return no_such_function(v); };
constexpr auto of_reference = [](auto&& v) { return no_such_function(v); };
constexpr auto of_constant = [](const auto& v) { return no_such_function(v); };
static_assert(takes_one(of_value) && takes_one(of_reference) && takes_one(of_constant));

static_assert(!takes_one([] {}));
static_assert(!takes_one([](auto v, auto w) { return no_such_function(v, w); }));
static_assert(!takes_one([](int) {}));
static_assert(!takes_one([n = 1](auto v) { return v(n); }));  // which has a sentence of its own
struct last final {
  template <class V> constexpr V operator()(V v) const { return v; }
};
static_assert(!takes_one(last()));  // called as it is
}  // namespace
