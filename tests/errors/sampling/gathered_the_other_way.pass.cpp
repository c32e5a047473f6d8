#include <stg/stg.hpp>

#include <stg/sampling/gather.hpp>

auto rows_of(const stg::batch& b, const stg::tensor<float>& features) { return stg::gather(features, b.vertices); }
