// test: draft cuda
// Tensors, sets of them, sparse tensors and graphs on devices, on a CUDA of the host's.
#include "expect_error.hpp"          // expect_error
#include "support/cuda_on_host.hpp"  // cuda_on_host
#include "support/each_call.hpp"     // fail_each_call, fake_cuda

#include <stg/base/name.hpp>              // name
#include <stg/data/dataset.hpp>           // mask_of, normalize_rows
#include <stg/data/npy.hpp>               // write_npy
#include <stg/runtime/accuracy.hpp>       // accuracy
#include <stg/runtime/binding.hpp>        // bind_inputs
#include <stg/runtime/cuda.hpp>           // cuda
#include <stg/runtime/cuda/product.hpp>   // stream
#include <stg/runtime/graph.hpp>          // graph
#include <stg/runtime/kept.hpp>           // kept_store
#include <stg/runtime/named_values.hpp>   // named_values
#include <stg/runtime/optimizer.hpp>      // sgd
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor

#include <gtest/gtest.h>  // TEST

#include <algorithm>         // equal
#include <initializer_list>  // initializer_list
#include <vector>            // vector

namespace stg {
namespace {

using test::expect_error;
using test::fake_cuda;

using cuda_tensor = test::cuda_on_host;
using cuda_graph = cuda_tensor;
using cuda_binding = cuda_tensor;

tensor<float> three_by_two() { return tensor<float>::from({3, 2}, {1, 2, 3, 4, 5, 6}); }
graph triangle() {
  const std::int64_t src[] = {0, 1, 2, 0}, dst[] = {1, 2, 0, 0};
  return graph::from_edges(3, src, dst);
}
/// Whether two ranges of the host hold the same.
template <class A, class B> bool same(const A& a, const B& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
template <class A> bool same(const A& a, std::initializer_list<double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto x, double y) { return static_cast<double>(x) == y; });
}
/// Any array of a device's.
template <class T> std::vector<T> fetched(const T* there, std::int64_t count, int device = 0) {
  std::vector<T> here(static_cast<std::size_t>(count));
  detail::copy_memory(host, here.data(), cuda(device), there, count * static_cast<std::int64_t>(sizeof(T)));
  return here;
}

TEST(cuda_place, is_spelled_as_a_user_writes_it) {
  EXPECT_EQ(spelled(host), "stg::host");
  EXPECT_EQ(spelled(cuda()), "stg::cuda()");
  EXPECT_EQ(spelled(cuda(3)), "stg::cuda(3)");
  EXPECT_EQ(to_string(host), "the host");
  EXPECT_EQ(to_string(cuda(3)), "CUDA device 3");
  EXPECT_FALSE(location(cuda(-1)).is_host());
  EXPECT_EQ(cuda(1, {.tf32 = true}).options().tf32, true);
}

TEST_F(cuda_tensor, goes_to_a_device_and_back) {
  const auto x = three_by_two();
  EXPECT_EQ(x.place(), host);
  const auto y = x.to(cuda(1));
  EXPECT_EQ(y.place(), cuda(1));
  EXPECT_EQ(y.shape(), x.shape());
  EXPECT_TRUE(y.owns_memory());
  EXPECT_NE(y.data(), x.data());
  for (const auto& z : {y.to(host), y.to(cuda(0)).to(host), y.clone().to(host), y.to(cuda(1)).to(host), x.to(host)})
    EXPECT_TRUE(same(z, x));
  EXPECT_EQ(y.clone().place(), cuda(1));
  EXPECT_EQ(y.view().place(), cuda(1));
  EXPECT_EQ(y.reshape({6}).place(), cuda(1));
  EXPECT_TRUE(same(y.reshape({6}).to(host), x));
}

TEST_F(cuda_tensor, of_every_type_and_of_no_elements) {
  EXPECT_TRUE(same(tensor<bool>::from({2}, {true, false}).to(cuda()).to(host), {1, 0}));
  EXPECT_TRUE(same(tensor<std::int32_t>::from({2}, {1, -2}).to(cuda()).to(host), {1, -2}));
  EXPECT_TRUE(same(tensor<double>::from({}, {1.5}).to(cuda()).to(host), {1.5}));
  EXPECT_EQ(tensor<float16>({2}).to(cuda()).to(host).shape(), dimensions{2});
  const auto none = tensor<float>({0, 3}).to(cuda());
  EXPECT_EQ(none.place(), cuda());
  EXPECT_EQ(none.to(host).shape(), (dimensions{0, 3}));
}

TEST_F(cuda_tensor, of_zeros_and_assigned_in_place) {
  tensor<float> y({3, 2}, cuda());
  EXPECT_TRUE(same(y.to(host), {0, 0, 0, 0, 0, 0}));
  const float* const before = y.data();
  y.assign(three_by_two());
  EXPECT_EQ(y.data(), before);
  tensor<float> x({3, 2});
  x.assign(y);
  EXPECT_TRUE(same(x, three_by_two()));
  expect_error(
      [&] {
        y.assign(tensor<float>({2, 3}));
      },
      {"tensor of shape (3, 2) is assigned one of shape (2, 3); the shapes must be equal"});
}

TEST_F(cuda_tensor, moves_with_its_place) {
  auto y = three_by_two().to(cuda());
  tensor<float> z(std::move(y));
  EXPECT_EQ(y.place(), host);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(z.place(), cuda());
  z = three_by_two();
  EXPECT_EQ(z.place(), host);
  EXPECT_EQ(z.at(2, 1), 6);
}

TEST_F(cuda_tensor, is_not_read_on_the_host) {
  auto y = three_by_two().to(cuda(1));
  const auto sentence = {
      std::string_view("stg: tensor of shape (3, 2) lies on CUDA device 1; write x.to(stg::host) to read it here")};
  expect_error([&] { y.begin(); }, sentence);
  expect_error(
      [&] {
        for (float v : y) EXPECT_EQ(v, 0);
      },
      sentence);
  expect_error([&] { y.fill(1); }, sentence);
  expect_error([&] { y.at(0, 0); }, sentence);
  expect_error([&] { sparse(y); }, sentence);
  expect_error([&] { triangle().edge_values(y); }, sentence);
  expect_error([&] { write_npy("/no folder/y.npy", y); }, sentence);
  expect_error([&] { accuracy(y, tensor<std::int32_t>({3}), tensor<bool>({3})); }, sentence);
  expect_error([&] { accuracy(three_by_two(), tensor<std::int32_t>({3}), tensor<bool>({3}, cuda())); },
               {"tensor of shape (3,) lies on CUDA device 0"});
  expect_error([&] { normalize_rows(y); }, sentence);
  auto sparse_y = sparse(three_by_two()).to(cuda(1));
  expect_error([&] { normalize_rows(sparse_y); }, sentence);
  expect_error([&] { mask_of(tensor<std::int32_t>({3}).to(cuda()), 5); },
               {"tensor of shape (3,) lies on CUDA device 0"});
  named_values<named_value<name<'w'>, tensor<float>>> here, there;
  here.get<0>() = three_by_two();
  there.get<0>() = three_by_two().to(cuda(1));
  sgd optimiser(here);
  expect_error([&] { optimiser.step(there); }, {"the gradient of 'w' lies on CUDA device 1"});
  expect_error([] { tensor<float>({1}, cuda()).item(); }, {"tensor of shape (1,) lies on CUDA device 0"});
#ifndef NDEBUG
  EXPECT_DEATH(y(0, 0) = 1, "tensor on a device; write x.to");
#endif
}

TEST_F(cuda_tensor, there_is_no_such_device_or_no_memory_on_it) {
  const auto x = three_by_two();
  expect_error([&] { x.to(cuda(2)); }, {"there is no CUDA device 2; this machine has 0 to 1"});
  fake.machine.memory = 16 << 20;
  const tensor<float> large({8 << 20});
  expect_error([&] { large.to(cuda()); }, {"tensor needs 32.00 MiB on CUDA device 0; 16.00 MiB of 16.00 MiB are free"});
  EXPECT_TRUE(same(x.to(cuda()).to(host), x));
}

TEST_F(cuda_tensor, edge_values_and_named_sets_go_as_a_whole) {
  const auto w = triangle().edge_values(tensor<float>::from({4}, {1, 2, 3, 4}));
  const auto there = w.to(cuda());
  EXPECT_EQ(there.place(), cuda());
  EXPECT_TRUE(same(there.to(host).values(), w.values()));
  expect_error([&] { triangle().to_input_order(there); }, {"tensor of shape (4,) lies on CUDA device 0"});

  struct first;
  struct second;
  named_values<named_value<first, tensor<float>>, named_value<second, sparse_tensor<float>>> set;
  set.get<0>() = three_by_two();
  set.get<1>() = sparse(three_by_two());
  const auto on_device = set.to(cuda(1));
  EXPECT_EQ(on_device.get<0>().place(), cuda(1));
  EXPECT_EQ(on_device.get<1>().place(), cuda(1));
  EXPECT_TRUE(same(on_device.to(host).get<0>(), three_by_two()));
}

TEST_F(cuda_tensor, sparse_goes_with_its_transpose) {
  const auto x = sparse(tensor<double>::from({2, 3}, {0, 5, 0, 7, 0, 9}));
  const auto y = x.to(cuda());
  EXPECT_EQ(y.place(), cuda());
  EXPECT_EQ(y.entries(), 3);
  EXPECT_EQ(y.shape(), x.shape());
  EXPECT_TRUE(same(fetched(y.view().by_row.offsets, 3), {0, 1, 3}));
  EXPECT_TRUE(same(fetched(y.view().by_row.index, 3), {1, 0, 2}));
  EXPECT_TRUE(same(fetched(y.view().by_row.value, 3), {5, 7, 9}));
  EXPECT_TRUE(same(fetched(y.view().by_column.offsets, 4), {0, 1, 2, 3}));
  EXPECT_TRUE(same(fetched(y.view().by_column.index, 3), {1, 0, 1}));
  EXPECT_TRUE(same(fetched(y.view().by_column.value, 3), {7, 5, 9}));
  const auto back = y.to(host), moved = y.to(cuda(1));
  EXPECT_EQ(&back.view(), &x.view());
  EXPECT_TRUE(same(fetched(moved.view().by_row.value, 3, 1), {5, 7, 9}));
  expect_error([&] { y.dense(); }, {"tensor of shape (2, 3) lies on CUDA device 0; write x.to(stg::host)"});
}

TEST_F(cuda_graph, has_its_rows_on_the_device_and_the_rest_here) {
  const graph g = triangle();
  const graph d = g.to(cuda());
  EXPECT_EQ(g.place(), host);
  EXPECT_EQ(d.place(), cuda());
  EXPECT_EQ(d.vertices(), 3);
  EXPECT_EQ(d.edges(), 4);
  EXPECT_EQ(d.in_edges().rows(), 3);
  EXPECT_FALSE(d.out_edges().ids_are_positions());

  // What a kernel reads: offsets and all else through the view, at addresses of the device's.
  const std::int64_t edges = g.edges();
  for (const bool in : {true, false}) {
    const adjacency here = in ? g.in_edges() : g.out_edges();
    const adjacency there = in ? d.in_edges() : d.out_edges();
    std::int64_t checked = -1;
    gpu::stream s(gpu::device::open(0));
    fake.launch(s.handle(), [&, here, there] {
      checked = there.edges();
      for (std::int64_t v = 0; v < 3; ++v) EXPECT_EQ(there.begin(v), here.begin(v));
      for (std::int64_t k = 0; k < edges; ++k) {
        EXPECT_EQ(there.neighbour(k), here.neighbour(k));
        EXPECT_EQ(there.edge_id(k), here.edge_id(k));
      }
    });
    s.synchronize({});
    EXPECT_EQ(checked, edges);
  }
  EXPECT_EQ(d.edge_list(), g.edge_list());
  EXPECT_TRUE(same(d.in_degrees(), g.in_degrees()));
  EXPECT_EQ(d.add_self_loops().edge_list(), g.add_self_loops().edge_list());
  EXPECT_EQ(d.add_remaining_self_loops().edge_list(), g.add_remaining_self_loops().edge_list());
  EXPECT_EQ(d.add_self_loops().place(), host);
  const auto w = tensor<float>::from({4}, {1, 2, 3, 4});
  EXPECT_TRUE(same(d.edge_values(w).values(), g.edge_values(w).values()));

  EXPECT_TRUE(d.to(host).is_same_as(g));
  EXPECT_TRUE(d.to(cuda()).is_same_as(d));
  EXPECT_FALSE(d.is_same_as(g));
  EXPECT_TRUE(d.to(cuda(1)).to(host).is_same_as(g));
  EXPECT_EQ(graph().to(cuda()).edges(), 0);
  expect_error([&] { g.to(cuda(5)); }, {"there is no CUDA device 5"});
}

TEST_F(cuda_graph, keeps_the_hosts_alive) {
  graph d = triangle().to(cuda());
  EXPECT_EQ(d.edge_list(), triangle().edge_list());
}

/// x (rows, inner) times w (inner, cols) by hand, each stored as the form says.
template <class T>
void check_product(gpu::product_form form, std::int64_t rows, std::int64_t inner, std::int64_t cols) {
  tensor<T> x = form.transpose_x ? tensor<T>({inner, rows}) : tensor<T>({rows, inner});
  tensor<T> w = form.transpose_w ? tensor<T>({cols, inner}) : tensor<T>({inner, cols});
  for (std::int64_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<T>(k * 3 - 7);
  for (std::int64_t k = 0; k < w.size(); ++k) w.data()[k] = static_cast<T>(k * 5 % 11);
  auto expected = tensor<T>::full({rows, cols}, form.add ? 3 : 0);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c)
      for (std::int64_t i = 0; i < inner; ++i)
        expected(r, c) += (form.transpose_x ? x(i, r) : x(r, i)) * (form.transpose_w ? w(c, i) : w(i, c));

  gpu::stream s(gpu::device::open(0));
  gpu::products multiply(s);
  const auto on_x = x.to(cuda()), on_w = w.to(cuda());
  auto on_y = tensor<T>::full({rows, cols}, 3).to(cuda());
  multiply.run(on_x.data(), on_w.data(), on_y.data(), rows, inner, cols, form, {});
  EXPECT_TRUE(same(on_y.to(host), expected)) << form.transpose_x << form.transpose_w << form.add;
}

TEST_F(cuda_tensor, products_of_every_form_are_row_major) {
  for (const bool transpose_x : {false, true})
    for (const bool transpose_w : {false, true})
      for (const bool add : {false, true}) {
        check_product<float>({transpose_x, transpose_w, add}, 3, 4, 5);
        check_product<double>({transpose_x, transpose_w, add}, 5, 2, 3);
        check_product<float>({transpose_x, transpose_w, add}, 3, 0, 5);
        check_product<float>({transpose_x, transpose_w, add}, 0, 4, 5);
      }
}

/// Brings a number to where kept values lie.
struct brought final : kept_computation {
  location where;
  float number;
  brought(location where, float number) : where(where), number(number) {}
  void operator()(std::byte* memory) const override {
    detail::copy_memory(where, memory, host, &number, sizeof number);
  }
};

TEST_F(cuda_graph, kept_values_lie_where_it_does) {
  const graph g = triangle(), d = g.to(cuda()), other = g.to(cuda(1));
  const kept_store store;
  const char form = 0;
  const auto kept = [&](const graph& on, float number, std::int64_t bytes) {
    const auto values = store.get({&form, &on, nullptr, 0, nullptr, 0}, bytes, brought(on.place(), number));
    float here = 0;
    detail::copy_memory(host, &here, on.place(), values.get(), sizeof here);
    return here;
  };
  EXPECT_EQ(kept(d, 1, 4), 1);
  EXPECT_EQ(kept(d, 2, 4), 1);  // those of the first call
  EXPECT_EQ(kept(other, 3, 4), 3);
  EXPECT_EQ(kept(g, 4, 4), 4);
  EXPECT_EQ(kept(other, 5, 8), 5);
  EXPECT_EQ(store.runs(), 4u);
}

// A program of one statement: input h, (vertices, 2).
struct one_input {
  ir::statement statements[1]{};
  ir::input inputs[1]{};
  one_input() {
    statements[0].code = ir::opcode::input;
    statements[0].where = ir::space::vertex;
    statements[0].dims.rank = 1;
    statements[0].dims.axes[0].code = 2;
    inputs[0].name = text("h");
  }
  void bind(const graph& on, const bound_input& input, location runs_on) const {
    bind_inputs({statements, inputs, {}, {}}, on, {&input, 1}, {}, runs_on);
  }
};

TEST_F(cuda_binding, an_input_lies_where_the_program_runs) {
  const one_input program;
  const auto at = [](location where) { return bound_input{nullptr, {3, 2}, where}; };
  const graph here = triangle(), there = here.to(cuda()), other = here.to(cuda(1));
  program.bind(here, at(host), host);
  program.bind(there, at(cuda()), cuda());
  expect_error([&] { program.bind(there, at(host), cuda()); },
               {"stg: input 'h' lies on the host, the program runs on CUDA device 0; write h.to(stg::cuda())"});
  expect_error([&] { program.bind(here, at(cuda(1)), host); },
               {"stg: input 'h' lies on CUDA device 1, the program runs on the host; write h.to(stg::host)"});
  expect_error([&] { program.bind(other, at(cuda()), cuda(1)); },
               {"stg: input 'h' lies on CUDA device 0, the program runs on CUDA device 1; write h.to(stg::cuda(1))"});
  expect_error([&] { program.bind(here, at(cuda()), cuda()); },
               {"stg: graph lies on the host, the program runs on CUDA device 0; write graph.to(stg::cuda())"});
  expect_error([&] { program.bind(other, at(cuda()), cuda()); },
               {"stg: graph lies on CUDA device 1, the program runs on CUDA device 0; write graph.to(stg::cuda())"});
  program.bind(there, {nullptr, {3, 2}, host, true}, cuda());  // a number goes wherever the program runs
}

TEST(cuda_tensor_faults, no_call_that_fails_leaks_or_changes_a_tensor) {
  using test::fail_each_call;
  const auto there_and_back = [](fake_cuda&) {
    const auto x = three_by_two();
    const auto y = x.to(cuda()), z = y.to(cuda(1)), c = z.clone();
    EXPECT_TRUE(same(c.to(host), x));
  };
  EXPECT_GE(fail_each_call("there and back", there_and_back), 30);
  const auto zeros = [](fake_cuda&) { tensor<float>({3, 2}, cuda()); };
  EXPECT_GE(fail_each_call("zeros", zeros), 9);
  const auto replaced = [](fake_cuda& fake) {
    auto y = tensor<float>::full({2}, 1);
    try {
      y = three_by_two().to(cuda());
    } catch (const error&) {
      EXPECT_TRUE(same(y, {1, 1}));
      throw;
    }
    fake.recover();
    EXPECT_TRUE(same(y.to(host), three_by_two()));
  };
  EXPECT_GE(fail_each_call("replaced", replaced), 10);
  const graph g = triangle();
  const auto whole = [&g](fake_cuda&) {
    const graph d = g.to(cuda());
    const auto x = sparse(three_by_two()).to(cuda(1));
    EXPECT_EQ(d.edges() + x.entries(), 10);
  };
  EXPECT_GE(fail_each_call("graph and sparse tensor", whole), 30);
}

}  // namespace
}  // namespace stg
