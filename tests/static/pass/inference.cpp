// inference: dropout is the identity when a program is called plainly.
#include "symbols.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/inference.hpp>

namespace stg {

constexpr auto dropped = [](auto v) { return stg::exp(dropout(v(x), 0.5)); };
constexpr auto kept = [](auto v) { return stg::exp(v(x)); };
static_assert(pass::dce(pass::fold(pass::cse(pass::inference(trace(dropped))))) == trace(kept));
static_assert(pass::inference(trace(kept)) == trace(kept));

constexpr auto on_edges = [](auto v) { return sum(dropout(v.in_edges()(w), 0.9)); };
constexpr auto plain_edges = [](auto v) { return sum(v.in_edges()(w)); };
static_assert(pass::dce(pass::fold(pass::cse(pass::inference(trace(on_edges))))) == trace(plain_edges));

}  // namespace stg
