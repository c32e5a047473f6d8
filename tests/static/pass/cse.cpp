// cse: merges across scopes and orders of operands, keeps both scopes, never merges random masks.
#include "symbols.hpp"

#include <stg/pass/cse.hpp>

namespace stg {

using pass::cse;

static_assert(cse(trace([](auto v) {
                auto first = v(x), second = v(y);
                return first + second;
              })) == cse(trace([](auto v) {
                auto first = v(x), second = v(y);
                return second + first;
              })));
static_assert(!(cse(trace([](auto v) {
                  auto first = v(x), second = v(y);
                  return first - second;
                })) == cse(trace([](auto v) {
                  auto first = v(x), second = v(y);
                  return second - first;
                }))));

constexpr auto layers = [](auto v) {
  auto layer = [](auto v) { return stg::exp(v(x)); };
  auto first = scope<"first">(v, layer);
  auto second = scope<"second">(v, layer);
  return outputs(first, second);
};
static_assert(trace(layers).size() == 4);
static_assert(cse(trace(layers)).size() == 2);
static_assert(cse(trace(layers)).outputs[0].at == cse(trace(layers)).outputs[1].at);
static_assert(cse(trace(layers))[1].scopes == 3, "both scopes are kept");

constexpr auto masks = [](auto v) { return dropout(v(x), 0.5) + dropout(v(x), 0.5); };
static_assert(count_of(cse(trace(masks)), ir::opcode::keep_mask) == 2);

// Numbers are the same by their bits.
constexpr auto signed_zeros = [](auto v) { return v(x) / 0.0 + v(x) / -0.0 + v(x) / 0.0; };
static_assert(count_of(cse(trace(signed_zeros)), ir::opcode::constant) == 2);
constexpr auto nans = [](auto v) { return v(x) * __builtin_nan("") + v(y) * __builtin_nan(""); };
static_assert(count_of(cse(trace(nans)), ir::opcode::constant) == 1);

static_assert(cse(cse(trace(layers))) == cse(trace(layers)));

}  // namespace stg
