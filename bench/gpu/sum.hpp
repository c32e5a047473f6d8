// Weighted sums of neighbours, plain and with what a graph convolution does after them, beside cuSPARSE.
#pragma once

#include "../layers.hpp"  // of_width
#include "layers.hpp"     // normalised_of
#include "numbers.hpp"    // numbers
#include "on.hpp"         // compiled, place
#include "reference.hpp"  // weighted_sum, largest_difference
#include "session.hpp"    // session

#if !defined(STG_BENCH_ON_HOST)
#include "cusparse.hpp"      // sparse_product
#include "hand_kernels.hpp"  // add_bias_and_relu
#endif

namespace device_bench {

/// What the sums of one graph share, whatever their width.
struct sum_inputs {
  stg::tensor<float> w, normalised;  // (edges): any weights, and c[u] c[v] for an edge u → v; on the host
  stg::tensor<float> c;              // (vertices): 1 / √degree
  stg::edge_values<float> there_w;   // where programs run, as the next two
  stg::tensor<float> there_normalised, there_c;
#if !defined(STG_BENCH_ON_HOST)
  csr_rows csr;
#endif
};
sum_inputs make_sum_inputs(const subject& on);

/// Bytes that a copy moves beside the sums, within the device: what bandwidth is measured with.
inline constexpr std::int64_t copied_bytes = std::int64_t{1} << 29;

/// The copy, as a way; nothing on the host.
way copy_on_device();

/// What cuSPARSE gives, or on the host the plain loops: what stg's results are compared with, and ways to time.
struct opponent {
  std::function<stg::tensor<float>()> plain, normalised;  // on the host
  std::vector<way> plain_ways, normalised_ways;
};
opponent make_opponent(const subject& on, const sum_inputs& in, const stg::tensor<float>& x,
                       const stg::tensor<float>& b, std::int64_t width);

inline constexpr double largest_limit = 1e-4;  // of a difference, in units of the array's largest number

template <int Width> void measure_sums(const subject& on, const sum_inputs& in, const session& to) {
  using plain = layers::of_width<Width>;
  using normalised = normalised_of<Width>;
  const std::string size = on.name + ":" + std::to_string(Width) + ":forward";
  if (!to.wants("sum:" + size) && !to.wants("convolution:" + size)) return;
  const std::int64_t n = on.graph.vertices();
  const auto x = numbers({n, Width}, 1), b = numbers({Width}, 2);
  const auto X = x.to(place), B = b.to(place);
  const opponent other = make_opponent(on, in, x, b, Width);

  const auto compare = [&](case_record& record, const auto& model, const std::function<stg::tensor<float>()>& theirs,
                           const std::vector<way>& ways, const auto&... bound) {
    auto y = model(on.there, bound...);
    record.checks.push_back(
        {"out: stg and " + ways.front().who, largest_difference(y.to(stg::host), theirs()), largest_limit});
    std::vector<way> all = ways;
    const std::string wrong = disagreement(record.checks);
    if (wrong.empty()) all.push_back({"stg", "stg", [&] { model.into(y, on.there, bound...); }});
    record.entries = to.in_turn(all);
    if (!wrong.empty()) record.entries.push_back({"stg", "stg", {}, {}, wrong});
  };
  to.run("sum:" + size, on, [&](case_record& record) {
    compare(record, compiled<plain::edge_weighted_sum>(), other.plain, other.plain_ways, plain::x = X,
            plain::w = in.there_w);
  });
  to.run("convolution:" + size, on, [&](case_record& record) {
    compare(record, compiled<normalised::layer>(), other.normalised, other.normalised_ways, normalised::x = X,
            normalised::c = in.there_c, normalised::b = B);
  });
}

extern template void measure_sums<16>(const subject&, const sum_inputs&, const session&);
extern template void measure_sums<64>(const subject&, const sum_inputs&, const session&);
extern template void measure_sums<128>(const subject&, const sum_inputs&, const session&);
extern template void measure_sums<256>(const subject&, const sum_inputs&, const session&);

}  // namespace device_bench
