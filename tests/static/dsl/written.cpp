// Numbers that stand in a call know their line, and so does a mistake that such a number is: its kind, word and line.
#include "../pass/symbols.hpp"

#include <stg/dsl/keep.hpp>          // keep
#include <stg/dsl/written.hpp>       // written, written_index, here
#include <stg/gradient.hpp>          // gradient
#include <stg/nn/conv/spectral.hpp>  // appnp, sgc, cheb_conv
#include <stg/nn/norm.hpp>           // layer_norm

namespace stg {

constexpr int line_of(written n) { return n.line; }
constexpr int line_of_call(here at = here()) { return at.line; }
constexpr int line_of_index(written_index i) { return i.line; }
static_assert(line_of(0.5) == __LINE__ && line_of(1) == __LINE__ && line_of_index(2) == __LINE__);
static_assert(line_of_call() == __LINE__);
static_assert(written(3) == 3.0 && written(0.25f) == 0.25);
static_assert(!std::is_convertible_v<expr<space::graph, shape<>, scalar_type::f32>, written>);
static_assert(!std::is_convertible_v<int, here>);  // nobody writes one by accident

constexpr mistaken_place place_of(auto lambda) {
  tracer t;
  detail::recorded_by(t, lambda);
  return t.program.wrong == t.first_mistake.what ? t.first_mistake : mistaken_place();
}
constexpr bool is_at(auto lambda, ir::mistake what, std::string_view word, int line) {
  const mistaken_place p = place_of(lambda);
  return p.what == what && p.word.view() == word && p.line == line;
}
constexpr auto dropped = [](auto v) { return dropout(v(x), 1.5); };
static_assert(is_at(dropped, ir::mistake::dropout_of_everything, "dropout", __LINE__ - 1));
constexpr auto clamped = [](auto v) { return clamp(v(x), 1, -1); };
static_assert(is_at(clamped, ir::mistake::bounds_exchanged, "clamp", __LINE__ - 1));
constexpr auto shared = [](auto v) { return nn::appnp(v, v(x), 3, -0.1); };
static_assert(is_at(shared, ir::mistake::share_outside, "alpha", __LINE__ - 1));
constexpr auto hopped = [](auto v) { return nn::sgc(v, v(x), W, -1); };
static_assert(is_at(hopped, ir::mistake::hops_below_0, "hops", __LINE__ - 1));
constexpr auto normed = [](auto v) { return nn::layer_norm(v(x), 4); };
static_assert(is_at(normed, ir::mistake::eps_outside, "eps", __LINE__ - 1));
constexpr auto third = [](auto v) { return v(x)[4]; };
static_assert(is_at(third, ir::mistake::entry_outside, "x", __LINE__ - 1));
constexpr auto in_parameter = [](auto v) { return sum(v(x), axis<0>) * sum(W[-5], axis<0>); };
static_assert(is_at(in_parameter, ir::mistake::entry_outside, "W", __LINE__ - 1));  // of no vertex yet
constexpr auto kept = [](auto v) {
  keep<"conv">(v, keeping::inputs);
  return tanh(v(x));
};
static_assert(is_at(kept, ir::mistake::keeps_nothing, "conv", __LINE__ - 3));
constexpr auto of_another = [](auto v) { return gradient(sum(sum(v(y), axis<0>), all_vertices), v(x)); };
static_assert(is_at(of_another, ir::mistake::gradient_of_another_value, "gradient", __LINE__ - 1));
constexpr auto ranged = [](auto v) { return v(x) + initialized(parameter<"r", 4>, init::uniform(1, 0)); };
static_assert(is_at(ranged, ir::mistake::begins_in_no_range, "r", __LINE__ - 1));

// What a number may be.
constexpr bool is_right(auto lambda) { return detail::recorded(lambda).wrong == ir::mistake::none; }
static_assert(is_right([](auto v) { return dropout(v(x), 0); }));
static_assert(is_right([](auto v) { return clamp(v(x), 1.0, 1.0); }));
static_assert(is_right([](auto v) { return nn::appnp(v, v(x), 0, 1); }));
static_assert(is_right([](auto v) { return nn::cheb_conv(v, v(x), 1.5, W, W); }));
static_assert(is_right([](auto v) { return nn::layer_norm(v(x), 0); }));
static_assert(is_right([](auto v) { return v(x)[-4] + v(x)[3]; }));
static_assert(is_right([](auto v) { return v(x) + initialized(parameter<"r", 4>, init::uniform(1, 1)); }));

}  // namespace stg
