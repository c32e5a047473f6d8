#!/usr/bin/env python3
"""Gives tables of pyarrow to stg through Arrow's C data interface and holds what comes back to them. Prints NAME<tab>RESULT.

usage: arrow_peer.py LIBRARY FOLDER
"""
import ctypes
import gc
import sys

import numpy as np
import pyarrow as pa

SCHEMA_BYTES, ARRAY_BYTES = 72, 80
VIEWED = [pa.int32(), pa.int64(), pa.float16(), pa.float32(), pa.float64(), pa.timestamp("us", "UTC"), pa.timestamp("s"), pa.duration("ns"), pa.date32()]
COPIED = [pa.int8(), pa.int16(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.bool_()]


class Refused(Exception):
    pass


def through_stg(library, given, missing=float("nan")):
    """A record batch or an array, through the capsules that __arrow_c_array__ gives, and back."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    schema, array = given.__arrow_c_array__()
    to_schema, to_array = ctypes.create_string_buffer(SCHEMA_BYTES), ctypes.create_string_buffer(ARRAY_BYTES)
    error = library.there_and_back(pointer(schema, b"arrow_schema"), pointer(array, b"arrow_array"), missing, to_schema, to_array)
    if error:
        raise Refused(error.decode())
    return pa.RecordBatch._import_from_c(ctypes.addressof(to_array), ctypes.addressof(to_schema))


def values(type, count):
    numbers = np.arange(count) % 100
    return pa.array(numbers % 2 == 1) if pa.types.is_boolean(type) else pa.array(numbers.astype("f2"), type) if pa.types.is_float16(type) \
        else pa.array(numbers, pa.int32() if type == pa.date32() else pa.int64()).cast(type) if pa.types.is_temporal(type) else pa.array(numbers, type)


def numbers_of(array):
    if pa.types.is_temporal(array.type):
        array = array.view(pa.int32() if array.type == pa.date32() else pa.int64())
    return array.to_numpy(zero_copy_only=False).astype("f8")


def held_to_columns(library):
    count = 0
    for type in VIEWED + COPIED:
        whole = values(type, 1000)
        for offset, length in ((0, 1000), (3, 900), (999, 1), (17, 0)):
            column = whole.slice(offset, length)
            back = through_stg(library, pa.RecordBatch.from_arrays([column], ["x"]).slice(0)).column(0)
            assert np.array_equal(numbers_of(back), numbers_of(column)), (type, offset)
            if type in VIEWED and length > 0:
                width = type.bit_width // 8
                assert back.buffers()[1].address + back.offset * width == column.buffers()[1].address + column.offset * width, type
            count += 1
    return f"{count} columns of {len(VIEWED) + len(COPIED)} types, sliced; {len(VIEWED)} types at the same addresses"


def held_to_slices(library):
    """Slices of batches, whose offset is their columns' in pyarrow, and of struct arrays, whose offset is their own."""
    batch = pa.RecordBatch.from_arrays([values(pa.int64(), 50), values(pa.float32(), 50)], ["id", "w"]).slice(7, 20)
    assert through_stg(library, batch).to_pydict() == batch.to_pydict()
    struct = pa.StructArray.from_arrays([values(pa.int64(), 50), values(pa.float32(), 50)], ["id", "w"]).slice(7, 20)
    assert through_stg(library, struct).to_pydict() == batch.to_pydict()
    lists = pa.FixedSizeListArray.from_arrays(values(pa.float32(), 120), 6).slice(5, 9)
    assert through_stg(library, pa.RecordBatch.from_arrays([lists], ["h"])).column(0).to_pylist() == lists.to_pylist()
    return "a batch, a struct array, lists of one length"


def held_to_refusals(library):
    missing = pa.RecordBatch.from_arrays([pa.array([1, None, 3])], ["x"])
    refused = {"row 1 is null": missing, "is of text": pa.RecordBatch.from_arrays([pa.array(["a"])], ["x"]),
               "is of a dictionary": pa.RecordBatch.from_arrays([pa.array(["a", "a"]).dictionary_encode()], ["x"]),
               "is of lists": pa.RecordBatch.from_arrays([pa.array([[1], [1, 2]])], ["x"]),
               "fits int64": pa.RecordBatch.from_arrays([pa.array([2**63], pa.uint64())], ["x"]),
               "is of decimals": pa.RecordBatch.from_arrays([pa.array([1]).cast(pa.decimal128(19, 0))], ["x"])}
    for text, batch in refused.items():
        try:
            through_stg(library, batch)
        except Refused as error:
            assert text in str(error), error
        else:
            raise AssertionError(f"not refused: {text}")
    assert through_stg(library, missing, -7).column(0).to_pylist() == [1, -7, 3]
    assert through_stg(library, missing.slice(1, 2), 0).column(0).to_pylist() == [0, 3]
    return f"{len(refused)} refusals, nulls with what stands for them"


def held_to_memory(library):
    """All that pyarrow allocated is free again once the last column that came back is gone."""
    gc.collect()
    before = pa.total_allocated_bytes()
    kept = through_stg(library, pa.RecordBatch.from_arrays([values(pa.float64(), 100000), values(pa.int64(), 100000)], ["a", "b"])).column(0)
    gc.collect()
    assert kept[99999].as_py() == 99 and pa.total_allocated_bytes() > before
    del kept
    gc.collect()
    assert pa.total_allocated_bytes() == before, (pa.total_allocated_bytes(), before)
    return "freed with the last column"


def main():
    library = ctypes.CDLL(sys.argv[1])
    library.there_and_back.restype = ctypes.c_char_p
    library.there_and_back.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
    for name, held in {"pyarrow, columns there and back": held_to_columns, "pyarrow, slices": held_to_slices,
                       "pyarrow, refusals": held_to_refusals, "pyarrow, memory": held_to_memory}.items():
        print(f"{name}\t{held(library)}")


if __name__ == "__main__":
    main()
