#include <stg/stg.hpp>

double measured(const stg::tensor<float>& logits) { return stg::accuracy(logits, stg::tensor<std::int32_t>({4})); }
