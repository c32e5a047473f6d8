// column_kernel: the compiled kernel of a sweep's loops for one group of its columns.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/compiled_plan.hpp>  // choose_sweep, unit_names

namespace stg::cpu {

/// None: choose is null.
struct column_kernel {
  choose_sweep choose = nullptr;
  unit_names names{};
  std::int64_t columns = 0;  // of all groups together
};

}  // namespace stg::cpu
