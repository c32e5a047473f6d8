// Shapes and extents as types: one spelling for equal ones, broadcasting as in the program.
#include <stg/dsl/shape.hpp>

namespace stg {

static_assert(std::is_same_v<broadcast_t<shape<8, 16>, shape<16>>, shape<8, 16>>);
static_assert(std::is_same_v<broadcast_t<shape<8, 1>, shape<1, 16>>, shape<8, 16>>);
static_assert(std::is_same_v<broadcast_t<shape<>, shape<extent<"F">>>, shape<extent<"F">>>);
static_assert(!broadcasts<shape<8, 16>, shape<8>>);
static_assert(!broadcasts<shape<extent<"F">>, shape<extent<"G">>>);
static_assert(broadcasts<shape<extent<"F">>, shape<1>>);

constexpr auto F = extent<"F">;
constexpr auto G = extent<"G">;
static_assert(F + 2 == 2 + F);
static_assert(F * G == G * F);
static_assert(2 * F + G * 1 == G + F + F);
static_assert(!(F + 1 == F));

static_assert(detail::elements(shape<2, 3>()) == ir::polynomial(6));
static_assert(detail::elements(shape<2, F>()) == 2 * F);
static_assert(detail::elements(shape<>()) == ir::polynomial(1));

static_assert(std::is_same_v<decltype(detail::drop_axis<1>(shape<2, 3, 4>())), shape<2, 4>>);
static_assert(
    std::is_same_v<decltype(detail::replace_axis<0, 7>(shape<2, 3>(), std::make_index_sequence<2>())), shape<7, 3>>);

}  // namespace stg
