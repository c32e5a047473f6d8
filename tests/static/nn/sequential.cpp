// sequential: a Hana tuple of layers is the same program as the layers written out.
#include <stg/dsl/trace.hpp>      // trace
#include <stg/nn/conv.hpp>        // gcn_conv
#include <stg/nn/sequential.hpp>  // sequential
#include <stg/pass/order.hpp>     // order

#include <boost/hana/drop_back.hpp>  // drop_back

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 32>;
constexpr auto W1 = parameter<"W1", 32, 16>;
constexpr auto W2 = parameter<"W2", 16, 7>;

constexpr auto layers = boost::hana::make_tuple([](auto v, auto h) { return relu(nn::gcn_conv(v, h, W1)); },
                                                [](auto v, auto h) { return nn::gcn_conv(v, h, W2); });
constexpr auto as_a_sequence = [](auto v) { return nn::sequential(v, v(x), layers); };
constexpr auto written_out = [](auto v) { return nn::gcn_conv(v, relu(nn::gcn_conv(v, v(x), W1)), W2); };
static_assert(pass::order(trace(as_a_sequence)) == pass::order(trace(written_out)));

constexpr auto shortened = [](auto v) { return nn::sequential(v, v(x), boost::hana::drop_back(layers)); };
constexpr auto first_only = [](auto v) { return relu(nn::gcn_conv(v, v(x), W1)); };
static_assert(pass::order(trace(shortened)) == pass::order(trace(first_only)));

}  // namespace
}  // namespace stg
