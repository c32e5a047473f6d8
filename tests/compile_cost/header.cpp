// The language, included and not used: what a layer costs comes on top of it.
#include <stg/stg.hpp>
