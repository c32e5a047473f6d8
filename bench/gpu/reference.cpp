// Plain loops on the host, and distances between arrays.
#include "reference.hpp"

#include <stg/runtime/dense.hpp>     // product, reduced_product
#include <stg/runtime/parallel.hpp>  // parallel, threads

#include <algorithm>  // max
#include <cmath>      // abs, exp, isfinite, sqrt
#include <limits>     // numeric_limits
#include <vector>     // vector

namespace device_bench {

namespace {

using stg::tensor;

/// body(first row, last row) on all threads: parts of equal work, edges and rows.
template <class Body> void each_part(const stg::adjacency& rows, const Body& body) {
  const std::int64_t parts = 16 * stg::threads();
  stg::parallel(parts, [&](std::int64_t p) { body(rows.split(p, parts), rows.split(p + 1, parts)); });
}
/// The same over rows alone; f(part, first, last).
template <class Body> void each_slab(std::int64_t rows, std::int64_t parts, const Body& body) {
  stg::parallel(parts, [&](std::int64_t p) { body(p, rows * p / parts, rows * (p + 1) / parts); });
}

tensor<float> product(const tensor<float>& x, const tensor<float>& w, bool transpose_w) {
  const std::int64_t rows = x.extent(0), inner = x.extent(1), cols = w.extent(transpose_w ? 0 : 1);
  auto y = tensor<float>::for_overwrite({rows, cols});
  std::vector<float> scratch(static_cast<std::size_t>(stg::product_scratch<float>(inner, cols)));
  stg::product(x.data(), w.data(), y.data(), scratch.data(), rows, inner, cols, transpose_w);
  return y;
}

float leaky(float s) { return s > 0 ? s : 0.2f * s; }
float slope_at(float s) { return s > 0 ? 1.0f : 0.2f; }
float dot(const float* a, const float* b, std::int64_t n) {
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// What lies per vertex and head between forward and backward.
struct attention {
  std::int64_t heads, dim, width;
  tensor<float> h;                     // (n, H·D)
  tensor<float> el, er, saved, delta;  // (n, H): scores of both ends, log Σ exp, ⟨cotangent, out⟩
};

/// ⟨h[v], a⟩ for each head.
tensor<float> scores(const tensor<float>& h, const tensor<float>& a) {
  const std::int64_t n = h.extent(0), heads = a.extent(0), dim = a.extent(1);
  auto s = tensor<float>::for_overwrite({n, heads});
  each_slab(n, 64, [&](std::int64_t, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first * heads; i < last * heads; ++i)
      s.data()[i] = dot(h.data() + i * dim, a.data() + i % heads * dim, dim);
  });
  return s;
}

tensor<float> forward(const stg::adjacency& in, attention& a) {
  const std::int64_t n = in.rows();
  auto out = tensor<float>::for_overwrite({n, a.heads, a.dim});
  each_part(in, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> sum(static_cast<std::size_t>(a.dim));
    for (std::int64_t i = first * a.heads; i < last * a.heads; ++i) {
      const std::int64_t v = i / a.heads, head = i % a.heads;
      const auto score = [&](std::int64_t k) {
        return leaky(a.el.data()[in.neighbour(k) * a.heads + head] + a.er.data()[i]);
      };
      float largest = -std::numeric_limits<float>::infinity();
      for (auto k = in.begin(v); k != in.end(v); ++k) largest = std::max(largest, score(k));
      double total = 0;
      sum.assign(sum.size(), 0);
      for (auto k = in.begin(v); k != in.end(v); ++k) {
        const float e = std::exp(score(k) - largest);
        const float* row = a.h.data() + in.neighbour(k) * a.width + head * a.dim;
        total += static_cast<double>(e);
        for (std::int64_t d = 0; d < a.dim; ++d) sum[static_cast<std::size_t>(d)] += static_cast<double>(e * row[d]);
      }
      a.saved.data()[i] = largest + static_cast<float>(std::log(total));
      for (std::int64_t d = 0; d < a.dim; ++d)  // every vertex has its loop, so total > 0
        out.data()[i * a.dim + d] = static_cast<float>(sum[static_cast<std::size_t>(d)] / total);
    }
  });
  return out;
}

/// d_er, from a sweep along in-edges.
tensor<float> of_destinations(const stg::adjacency& in, const attention& a, const tensor<float>& g) {
  auto d_er = tensor<float>::for_overwrite({in.rows(), a.heads});
  each_part(in, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first * a.heads; i < last * a.heads; ++i) {
      const std::int64_t v = i / a.heads, head = i % a.heads;
      double sum = 0;
      for (auto k = in.begin(v); k != in.end(v); ++k) {
        const std::int64_t u = in.neighbour(k);
        const float s = a.el.data()[u * a.heads + head] + a.er.data()[i];
        const float along = dot(g.data() + i * a.dim, a.h.data() + u * a.width + head * a.dim, a.dim);
        sum += static_cast<double>(std::exp(leaky(s) - a.saved.data()[i]) * slope_at(s) * (along - a.delta.data()[i]));
      }
      d_er.data()[i] = static_cast<float>(sum);
    }
  });
  return d_er;
}

/// d_el, and d_h as far as it comes by the weighted sum; from a sweep along out-edges.
tensor<float> of_sources(const stg::adjacency& out, const attention& a, const tensor<float>& g, tensor<float>& d_h) {
  auto d_el = tensor<float>::for_overwrite({out.rows(), a.heads});
  each_part(out, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> sum(static_cast<std::size_t>(a.dim));
    for (std::int64_t i = first * a.heads; i < last * a.heads; ++i) {
      const std::int64_t u = i / a.heads, head = i % a.heads;
      double score = 0;
      sum.assign(sum.size(), 0);
      for (auto k = out.begin(u); k != out.end(u); ++k) {
        const std::int64_t at = out.neighbour(k) * a.heads + head;
        const float s = a.el.data()[i] + a.er.data()[at], alpha = std::exp(leaky(s) - a.saved.data()[at]);
        const float* row = g.data() + at * a.dim;
        score +=
            static_cast<double>(alpha * slope_at(s) * (dot(row, a.h.data() + i * a.dim, a.dim) - a.delta.data()[at]));
        for (std::int64_t d = 0; d < a.dim; ++d)
          sum[static_cast<std::size_t>(d)] += static_cast<double>(alpha * row[d]);
      }
      d_el.data()[i] = static_cast<float>(score);
      for (std::int64_t d = 0; d < a.dim; ++d)
        d_h.data()[i * a.dim + d] = static_cast<float>(sum[static_cast<std::size_t>(d)]);
    }
  });
  return d_el;
}

/// Σ_v s[v] h[v] for each head, (heads, dim): the gradient of what scores are made with.
tensor<float> of_scores(const tensor<float>& s, const attention& a) {
  constexpr std::int64_t slabs = 64;
  std::vector<double> parts(static_cast<std::size_t>(slabs * a.width));
  each_slab(s.extent(0), slabs, [&](std::int64_t p, std::int64_t first, std::int64_t last) {
    double* sum = parts.data() + p * a.width;
    for (std::int64_t i = first * a.heads; i < last * a.heads; ++i)
      for (std::int64_t d = 0; d < a.dim; ++d)
        sum[i % a.heads * a.dim + d] += static_cast<double>(s.data()[i] * a.h.data()[i * a.dim + d]);
  });
  auto result = tensor<float>::for_overwrite({a.heads, a.dim});
  for (std::int64_t c = 0; c < a.width; ++c) {
    double sum = 0;
    for (std::int64_t p = 0; p < slabs; ++p) sum += parts[static_cast<std::size_t>(p * a.width + c)];
    result.data()[c] = static_cast<float>(sum);
  }
  return result;
}

double squares(const float* a, std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(a[i]);
  return sum;
}
double largest(const tensor<float>& t) {
  double most = 0;
  for (const float v : t) most = std::max(most, std::abs(static_cast<double>(v)));
  return most;
}

/// Squares of what edges whose score is within rounding of 0 move each gradient by, when they take the other side.
struct moved {
  double x = 0, W = 0, a_src = 0, a_dst = 0;
};
moved of_undecided(const stg::adjacency& in, const attention& a, const gat_inputs& given) {
  constexpr double rounding = 5e-7;  // of sums of some hundred numbers, in units of the largest score
  const float near = static_cast<float>(rounding * (largest(a.el) + largest(a.er)));
  const std::int64_t rows = given.W.extent(0);
  // per head: what d_el moves d_x by, and d_er; ‖W a‖²
  std::vector<double> of_src(static_cast<std::size_t>(a.heads)), of_dst(of_src);
  for (std::int64_t head = 0; head < a.heads; ++head)
    for (std::int64_t i = 0; i < rows; ++i) {
      const float* w = given.W.data() + i * a.width + head * a.dim;
      const auto square = [&](const tensor<float>& t) {
        const double p = static_cast<double>(dot(w, t.data() + head * a.dim, a.dim));
        return p * p;
      };
      of_src[static_cast<std::size_t>(head)] += square(given.a_src);
      of_dst[static_cast<std::size_t>(head)] += square(given.a_dst);
    }
  const std::int64_t parts = 16 * stg::threads();
  std::vector<moved> by_part(static_cast<std::size_t>(parts));
  stg::parallel(parts, [&](std::int64_t p) {
    moved m;
    for (std::int64_t v = in.split(p, parts); v < in.split(p + 1, parts); ++v)
      for (auto k = in.begin(v); k != in.end(v); ++k)
        for (std::int64_t head = 0; head < a.heads; ++head) {
          const std::int64_t u = in.neighbour(k), i = v * a.heads + head, j = u * a.heads + head;
          const float s = a.el.data()[j] + a.er.data()[i];
          if (std::abs(s) > near) continue;
          const float* row = a.h.data() + u * a.width + head * a.dim;
          const double by =
              static_cast<double>(std::exp(leaky(s) - a.saved.data()[i]) * 0.8f *
                                  (dot(given.cotangent.data() + i * a.dim, row, a.dim) - a.delta.data()[i]));
          const double square = by * by;
          m.a_src += square * squares(row, a.dim);
          m.a_dst += square * squares(a.h.data() + v * a.width + head * a.dim, a.dim);
          m.x += square * (of_src[static_cast<std::size_t>(head)] + of_dst[static_cast<std::size_t>(head)]);
          m.W +=
              square * (squares(given.x.data() + u * rows, rows) * squares(given.a_src.data() + head * a.dim, a.dim) +
                        squares(given.x.data() + v * rows, rows) * squares(given.a_dst.data() + head * a.dim, a.dim));
        }
    by_part[static_cast<std::size_t>(p)] = m;
  });
  moved all;
  for (const moved& m : by_part) {
    all.x += m.x;
    all.W += m.W;
    all.a_src += m.a_src;
    all.a_dst += m.a_dst;
  }
  return all;
}

struct distance {
  double largest = 0, of_largest = 0, squares = 0, of_squares = 0;
};
distance between(const tensor<float>& a, const tensor<float>& b) {
  constexpr std::int64_t slabs = 256;
  std::vector<distance> parts(slabs);
  each_slab(a.size(), slabs, [&](std::int64_t p, std::int64_t first, std::int64_t last) {
    distance d;
    for (std::int64_t i = first; i < last; ++i) {
      const double y = static_cast<double>(b.data()[i]), apart = static_cast<double>(a.data()[i]) - y;
      if (!std::isfinite(apart)) d.largest = std::numeric_limits<double>::infinity();
      d.largest = std::max(d.largest, std::abs(apart));
      d.of_largest = std::max(d.of_largest, std::abs(y));
      d.squares += apart * apart;
      d.of_squares += y * y;
    }
    parts[static_cast<std::size_t>(p)] = d;
  });
  distance all;
  for (const distance& d : parts) {
    all.largest = std::max(all.largest, d.largest);
    all.of_largest = std::max(all.of_largest, d.of_largest);
    all.squares += d.squares;
    all.of_squares += d.of_squares;
  }
  return all;
}
double quotient(double difference, double scale) { return scale > 0 ? difference / scale : difference; }

}  // namespace

tensor<float> weighted_sum(const stg::graph& g, const tensor<float>& w, const tensor<float>& x) {
  const stg::adjacency in = g.in_edges();
  const std::int64_t width = x.extent(1);
  auto y = tensor<float>::for_overwrite({g.vertices(), width});
  each_part(in, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> sum(static_cast<std::size_t>(width));
    for (std::int64_t v = first; v < last; ++v) {
      sum.assign(sum.size(), 0);
      for (auto k = in.begin(v); k != in.end(v); ++k) {
        const float *row = x.data() + in.neighbour(k) * width, weight = w.data()[in.edge_id(k)];
        for (std::int64_t f = 0; f < width; ++f)
          sum[static_cast<std::size_t>(f)] += static_cast<double>(weight * row[f]);
      }
      for (std::int64_t f = 0; f < width; ++f)
        y.data()[v * width + f] = static_cast<float>(sum[static_cast<std::size_t>(f)]);
    }
  });
  return y;
}

void bias_and_relu(tensor<float>& y, const tensor<float>& b) {
  for (std::int64_t i = 0; i < y.size(); ++i) y.data()[i] = std::max(y.data()[i] + b.data()[i % b.size()], 0.0f);
}

gat_results gat_layer(const stg::graph& g, const gat_inputs& in) {
  const std::int64_t n = g.vertices(), heads = in.a_src.extent(0), dim = in.a_src.extent(1);
  auto h = product(in.x, in.W, false);
  attention a{heads, dim, heads * dim, {}, scores(h, in.a_src), scores(h, in.a_dst), tensor<float>({n, heads}), {}};
  a.h = std::move(h);
  gat_results r;
  r.out = forward(g.in_edges(), a);
  a.delta = tensor<float>::for_overwrite({n, heads});
  each_slab(n, 64, [&](std::int64_t, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first * heads; i < last * heads; ++i)
      a.delta.data()[i] = dot(in.cotangent.data() + i * dim, r.out.data() + i * dim, dim);
  });
  auto d_h = tensor<float>::for_overwrite({n, heads * dim});
  const auto d_er = of_destinations(g.in_edges(), a, in.cotangent);
  const auto d_el = of_sources(g.out_edges(), a, in.cotangent, d_h);
  each_slab(n, 64, [&](std::int64_t, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first * heads; i < last * heads; ++i)
      for (std::int64_t d = 0; d < dim; ++d)
        d_h.data()[i * dim + d] += d_el.data()[i] * in.a_src.data()[i % heads * dim + d] +
                                   d_er.data()[i] * in.a_dst.data()[i % heads * dim + d];
  });
  const moved m = of_undecided(g.in_edges(), a, in);
  r.a_src = of_scores(d_el, a);
  r.a_dst = of_scores(d_er, a);
  r.x = product(d_h, in.W, true);
  const std::int64_t rows = in.x.extent(1), cols = heads * dim;
  r.W = tensor<float>::for_overwrite({rows, cols});
  std::vector<float> scratch(static_cast<std::size_t>(stg::reduced_product_scratch(n, rows, cols)));
  stg::reduced_product(in.x.data(), d_h.data(), r.W.data(), scratch.data(), n, rows, cols);
  const auto share = [](double moved_squares, const tensor<float>& t) {
    return 3 * std::sqrt(moved_squares / squares(t.data(), t.size()));
  };
  r.undecided = {share(m.x, r.x), share(m.W, r.W), share(m.a_src, r.a_src), share(m.a_dst, r.a_dst)};
  return r;
}

double largest_difference(const tensor<float>& a, const tensor<float>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  const distance d = between(a, b);
  return quotient(d.largest, d.of_largest);
}
double overall_difference(const tensor<float>& a, const tensor<float>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  const distance d = between(a, b);
  if (!std::isfinite(d.largest)) return d.largest;
  return quotient(std::sqrt(d.squares), std::sqrt(d.of_squares));
}

}  // namespace device_bench
