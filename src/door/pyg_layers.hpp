// What PyG's file has of each layer, for both ways.
#pragma once

#include "pyg_io.hpp"  // io

#include <stg/door/pyg_weights.hpp>  // weights

namespace stg::nn::pyg {

#define STG_DESCRIBES_LAYER(layer) void describe(io file, weights::layer& of);
STG_EACH_LAYER_OF_PYG(STG_DESCRIBES_LAYER)
#undef STG_DESCRIBES_LAYER

/// PyTorch's LSTM and GRU, with what stands behind its names: "_l0", "_l0_reverse", "".
void describe_lstm(io file, weights::lstm& of, const std::string& behind);
/// A Linear of this name.
void describe_linear(io file, const std::string& name, weights::linear& of);
/// The same where the file, or what is written, has it.
void describe_linear_if_there(io file, const std::string& name, weights::linear& of);
/// Matrices NAME.0.weight, NAME.1.weight, … of a polynomial.
void describe_terms(io file, const std::string& name, std::vector<values>& of);

}  // namespace stg::nn::pyg
