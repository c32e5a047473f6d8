"""The numbers of numbers.hpp: made alike in C++ and in Python, so that inputs of a gigabyte need not be written and read."""
MASK = 0xFFFFFFFF


def bits_of(index, seed):
    """32 bits from an index and a seed: the finaliser of MurmurHash3 (Appleby, 2011) over a line through both. For ints, and
    for arrays of 64-bit integers: products may run over, their lower 32 bits are right."""
    h = (index * 2654435761 + seed * 2246822519) & MASK
    h = h ^ (h >> 16)
    h = (h * 0x85EBCA6B) & MASK
    h = h ^ (h >> 13)
    h = (h * 0xC2B2AE35) & MASK
    return h ^ (h >> 16)


def number(index, seed, scale=1.0):
    return scale * ((bits_of(index, seed) >> 8) / 16777216.0 - 0.5)


def tensor(torch, shape, seed, scale, device):
    """A tensor of f32 whose element i is number(i, seed, scale), in slabs: integers take twice its memory, and more."""
    count = 1
    for extent in shape:
        count *= extent
    result = torch.empty(count, dtype=torch.float32, device=device)
    slab = 1 << 24
    for first in range(0, count, slab):
        last = min(count, first + slab)
        h = bits_of(torch.arange(first, last, dtype=torch.int64, device=device), seed)
        result[first:last] = scale * ((h >> 8).float() / 16777216.0 - 0.5)
    return result.reshape(shape)
