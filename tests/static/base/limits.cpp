// test: alone
// What the target stg::stg raises: this takes more than g++ or clang allows in one constant by itself.
constexpr int spend(int rounds) {
  int n = 0;
  for (int i = 0; i < rounds; ++i)
    for (int k = 0; k < 120'000; ++k) n += k & 1;
  return n;
}
static_assert(spend(20) == 20 * 60'000);
