// Bytes that a unit of a plan moves at least, in one call.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/launch.hpp>     // launch
#include <stg/codegen/plan_data.hpp>  // plan_data

namespace stg::codegen {

/// Of the unit, or of the chain that begins with it, by the rules of explain's formulas (src/call/cost.hpp). 0 of a
/// scan, whose steps are programs of their own. l: the call.
std::int64_t unit_bytes(const plan_data& plan, int unit, const launch& l);

}  // namespace stg::codegen
