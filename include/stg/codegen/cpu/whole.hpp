// Steps that read whole arrays: dense and sparse products, products and values reduced over all vertices.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/codegen/plan_view.hpp>  // launch

namespace stg::cpu {

/// Computes statement i; the workspace is its own.
void run_whole(const codegen::plan_data& plan, int i, const codegen::launch& l);

/// Bytes that it needs for its partial sums, or for a parameter laid out anew.
std::int64_t whole_workspace(const codegen::plan_data& plan, int i, const codegen::launch& l);

}  // namespace stg::cpu
