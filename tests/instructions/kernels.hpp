// What is counted: kernels on one fixed graph, each behind a name and a call.
#pragma once

#include <stg/runtime/graph.hpp>  // graph

#include <cstdint>     // int64_t
#include <functional>  // function
#include <string>      // string
#include <vector>      // vector

namespace instructions {

struct kernel {
  std::string name;
  std::int64_t size = 0;                  // how many edges, rows, entries or numbers one call works on
  std::string each;                       // which of these
  std::function<void()> prepare = [] {};  // before every call; not counted
  std::function<void()> run;
};

void add_sums(std::vector<kernel>& all, const stg::graph& on);
void add_attention(std::vector<kernel>& all, const stg::graph& on);
void add_recurrence(std::vector<kernel>& all);
void add_products(std::vector<kernel>& all, const stg::graph& on);

}  // namespace instructions
