#!/usr/bin/env python3
"""Holds a log that run_log_written wrote to its readers: TensorBoard, pandas, json and an XML parser. Prints NAME<tab>RESULT.

usage: run_log_peer.py PROGRAM FOLDER
"""
import json
import math
import subprocess
import sys
import xml.dom.minidom
from pathlib import Path

import numpy as np
import pandas as pd
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import metadata

VALUES = 'loss/"val", é'


def expected(step):
    """The loss of the run that wrote a step last."""
    return np.float32(1 / (1 + step) + (0 if step < 60 else 5))


def held_to_tensorboard(folder):
    events = EventAccumulator(str(folder), size_guidance={"scalars": 0, "tensors": 0}, purge_orphaned_data=True)
    events.Reload()
    tags = events.Tags()
    assert sorted(tags["scalars"]) == sorted(["loss/train", VALUES, "strange/nan", "strange/infinite", "strange/small"]), tags
    train = events.Scalars("loss/train")
    assert [e.step for e in train] == list(range(140))
    assert all(np.float32(e.value) == expected(e.step) for e in train)
    assert [e.value for e in events.Scalars(VALUES)] == [0.25 * step for step in range(140)]
    assert math.isnan(events.Scalars("strange/nan")[-1].value) and events.Scalars("strange/infinite")[-1].value == -math.inf
    assert events.Scalars("strange/small")[-1].step == 1 << 40
    content = events.SummaryMetadata("_hparams_/session_start_info").plugin_data.content
    start = metadata.parse_session_start_info_plugin_data(content)
    read = {name: value.string_value or value.number_value or value.bool_value for name, value in start.hparams.items()}
    assert read == {"learning rate": 0.01, "heads": 8, "self loops": True, "model": 'gat, "v2" of été'}, read
    return f"{sum(len(events.Scalars(tag)) for tag in tags['scalars'])} scalars, {len(read)} settings"


def held_to_pandas(folder):
    table = pd.read_csv(folder / "scalars.csv")
    assert list(table.columns) == ["time", "step", "name", "value"] and len(table) == 326
    train = table[table.name == "loss/train"]
    assert all(v == 1 / (1 + s) + (0 if i < 80 else 5) for i, (s, v) in enumerate(zip(train.step, train.value)))
    assert table.value.isna().sum() == 2 and (table.value == -math.inf).sum() == 2
    return f"{len(table)} rows"


def held_to_json(folder):
    lines = [json.loads(line) for line in (folder / "scalars.jsonl").read_text(encoding="utf-8").splitlines()]
    scalars = [line for line in lines if "value" in line]
    assert len(scalars) == 326 and len([line for line in lines if "hyper_parameters" in line]) == 2
    assert [line["purge_step"] for line in lines if "purge_step" in line] == [60]
    assert [line["value"] for line in scalars if line["name"] == "strange/nan"] == ["NaN", "NaN"]
    return f"{len(lines)} lines"


def held_to_xml(folder):
    charts = xml.dom.minidom.parse(str(folder / "curves.svg")).getElementsByTagName("path")
    assert len(charts) == 5
    return f"{len(charts)} curves"


def main():
    program, folder = Path(sys.argv[1]), Path(sys.argv[2])
    subprocess.run([program, folder], check=True)
    for name, held in {"TensorBoard, `EventAccumulator`": held_to_tensorboard, "pandas, `read_csv`": held_to_pandas,
                       "Python's `json`": held_to_json, "Python's `xml`": held_to_xml}.items():
        print(f"{name}\t{held(folder)}")


if __name__ == "__main__":
    main()
