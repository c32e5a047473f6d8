// The other side of the sums: cuSPARSE and a copy, or on the host plain loops.
#include "sum.hpp"

#include <stg/runtime/parallel.hpp>  // parallel

#include <cmath>   // sqrt
#include <memory>  // make_shared

namespace device_bench {

sum_inputs make_sum_inputs(const subject& on) {
  sum_inputs in;
  const stg::adjacency rows = on.graph.in_edges();
  in.w = numbers({rows.edges()}, 3);
  in.c = stg::tensor<float>({rows.rows()});
  in.normalised = stg::tensor<float>({rows.edges()});
  for (std::int64_t v = 0; v < rows.rows(); ++v)
    in.c.data()[v] = static_cast<float>(1 / std::sqrt(static_cast<double>(rows.degree(v))));
  constexpr std::int64_t parts = 256;
  stg::parallel(parts, [&](std::int64_t p) {
    for (std::int64_t v = rows.split(p, parts); v < rows.split(p + 1, parts); ++v)
      for (auto k = rows.begin(v); k != rows.end(v); ++k)  // edge_id(k) is k along in-edges
        in.normalised.data()[k] = in.c.data()[v] * in.c.data()[rows.neighbour(k)];
  });
  in.there_w = stg::edge_values<float>::in_id_order(in.w.to(place));
  in.there_normalised = in.normalised.to(place);
  in.there_c = in.c.to(place);
#if !defined(STG_BENCH_ON_HOST)
  in.csr = make_csr(on.graph, place);
#endif
  return in;
}

#if defined(STG_BENCH_ON_HOST)
way copy_on_device() {
  return {"copy", "copy", [] {}, {{"bytes", 0}}};
}

opponent make_opponent(const subject& on, const sum_inputs& in, const stg::tensor<float>& x,
                       const stg::tensor<float>& b, std::int64_t) {
  const auto nothing = [] {};
  return {[&] { return weighted_sum(on.graph, in.w, x); },
          [&] {
            auto y = weighted_sum(on.graph, in.normalised, x);
            bias_and_relu(y, b);
            return y;
          },
          {{"plain loops", "loops", nothing}},
          {{"plain loops", "loops", nothing}}};
}
#else
namespace {
const stg::gpu::purpose why{"bench_gpu"};
}

way copy_on_device() {
  const auto on = stg::gpu::device::open(place.device(), why);
  const auto from = std::make_shared<stg::tensor<float> >(stg::dimensions{copied_bytes / 4}, place),
             to = std::make_shared<stg::tensor<float> >(stg::dimensions{copied_bytes / 4}, place);
  const auto run = [on, from, to] {
    stg::gpu::check(
        on->calls(), why, "cudaMemcpyAsync",
        on->calls().copy_async(to->data(), from->data(), copied_bytes, stg::gpu::direction::on_device, on->stream()));
  };
  return {"copy", "copy", run, {{"bytes", 2.0 * copied_bytes}}};  // read and written
}

opponent make_opponent(const subject& on, const sum_inputs& in, const stg::tensor<float>& x,
                       const stg::tensor<float>& b, std::int64_t width) {
  const std::int64_t n = on.graph.vertices();
  const auto X = std::make_shared<stg::tensor<float> >(x.to(place)),
             B = std::make_shared<stg::tensor<float> >(b.to(place)),
             y = std::make_shared<stg::tensor<float> >(stg::dimensions{n, width}, place);
  const auto product = [&](const stg::tensor<float>& values) {
    return std::make_shared<sparse_product>(in.csr, const_cast<float*>(values.data()), X->data(), y->data(), width);
  };
  const auto plain = product(in.there_w.values()), normalised = product(in.there_normalised);
  const auto stream = stg::gpu::device::open(place.device(), why)->stream();
  const auto run_plain = [plain, X] { plain->run(); };
  const auto run_normalised = [normalised, X, B, y, n, width, stream] {
    normalised->run();
    add_bias_and_relu(y->data(), B->data(), n, width, stream);
  };
  const auto result_of = [y](const auto& run) {
    return [y, run] {
      run();
      return y->to(stg::host);
    };
  };
  const way copy = copy_on_device();
  return {result_of(run_plain),
          result_of(run_normalised),
          {{"cusparse", plain->algorithm(), run_plain, plain->tried()}, copy},
          {{"cusparse", normalised->algorithm() + " and an epilogue", run_normalised, normalised->tried()}, copy}};
}
#endif

}  // namespace device_bench
