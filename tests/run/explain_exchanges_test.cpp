// test: draft calls
// explain_exchanges: what is sent, to how many ranks, and what runs meanwhile; verify_overlap: where nothing does.
#include <stg/call/explain_exchanges.hpp>         // exchanges, explain_exchanges, verify_overlap
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/stg.hpp>                            // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max_element
#include <string>     // string
#include <vector>     // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto x = vertex_feature<"x", f64, 8>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", f64, 8, 8>;
constexpr auto V = parameter<"V", f64, 8, 4>;

constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  auto norm = rsqrt(v.in_degree() + 1.0);
  auto h = tag<"hidden">(relu(norm * sum(e.src(norm * matmul(v(x), W)))));
  return cross_entropy(matmul(norm * sum(e.src(tag<"scaled">(norm * h))), V), v(label));
};
/// The sum over all vertices is read at once.
constexpr auto centred = [](auto v) { return v(x) - tag<"middle">(sum(tanh(v(x)), all_vertices)); };

graph ring(std::int64_t n) {
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v < n; ++v) {
    src.insert(src.end(), {v, (v + 1) % n});
    dst.insert(dst.end(), {(v + 1) % n, v});
  }
  return graph::from_edges(n, src, dst);
}

TEST(explain_exchanges, has_the_bytes_that_are_sent) {
  const graph on = ring(90);
  const cut parts = cut::by_ranges(on, 3);
  const tensor<double> X({90, 8});
  const tensor<std::int32_t> Y({90});
  auto params = parameters<loss>();
  initialize(params, 1);
  std::vector<std::int64_t> sent(3), said(3);
  run_ranks(3, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const auto me = static_cast<std::size_t>(here.rank());
    for (const exchange_report& e : exchanges<loss>(part)) said[me] += e.bytes;
    EXPECT_EQ(here.sent_messages(), 0);
    auto step = value_and_grad<loss>();
    (void)step(part, x = part.rows(X), label = part.rows(Y), params).loss;
    const std::int64_t numbers = 5 * 8 * 2;  // that ranks compare before the call
    sent[me] = here.sent_bytes() - numbers;
  });
  EXPECT_EQ(said, sent);
  std::int64_t all = 0;
  for (const exchange_report& e : exchanges<loss>(parts, 3)) all += e.bytes;
  EXPECT_EQ(all, sent[0] + sent[1] + sent[2]);
}

TEST(explain_exchanges, says_what_runs_meanwhile) {
  const cut parts = cut::by_ranges(ring(90), 3);
  const std::string text = explain_exchanges<loss>(parts, 3);
  EXPECT_THAT(text, HasSubstr("exchanges of 3 ranks\nforward\n"));
  EXPECT_THAT(text, HasSubstr("\ngradient\n"));
  EXPECT_THAT(text, HasSubstr("rows of vertices, 6 in 384 bytes to 2 ranks"));
  EXPECT_THAT(text, HasSubstr("meanwhile 28 interior rows of 30 in unit"));
  EXPECT_THAT(text, HasSubstr("rows of vertices, made again"));
  EXPECT_THAT(text, HasSubstr("sums of blocks"));
  EXPECT_THAT(text, HasSubstr("in all "));
}

template <class Body> std::string error_of(const Body& body) {
  try {
    body();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST(explain_exchanges, overlap_is_verified) {
  const cut parts = cut::by_ranges(ring(90), 3), strips = cut::of(ring(4), [] {
                                                   tensor<std::int32_t> each({4});
                                                   for (std::int32_t v = 0; v < 4; ++v) each(v) = v;
                                                   return each;
                                                 }());
  EXPECT_EQ(error_of([&] { verify_overlap<loss>(parts, 3, "scaled"); }), "");
  EXPECT_THAT(error_of([&] { verify_overlap<loss>(strips, 4, "scaled"); }),
              HasSubstr("no row of its own has its neighbours here; cut the graph into parts with fewer edges"));
  EXPECT_THAT(error_of([&] { verify_overlap<centred>(parts, 3, "middle"); }), HasSubstr("reads the sum at once"));
  EXPECT_THAT(error_of([&] { verify_overlap<loss>(parts, 3, "nobody"); }),
              HasSubstr("no value \"nobody\" is exchanged; there are: %"));
}

}  // namespace
}  // namespace stg
