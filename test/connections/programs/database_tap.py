"""A Singer tap of a database for the tests, as those of tables are: the catalog has the name of a table and an id with its schema, and each stream
that is selected needs a replication method in its metadata.

`says` of the configuration is which of the two its messages say, or a third name; `always` are streams that it writes without being asked.
"""

import argparse
import json
import sys

TABLES = {"contacts": [("C-1", 1), ("C-2", 2), ("C-3", 3)], "accounts": [("A-1", 1)], "audit": [("X-1", 1), ("X-2", 2)]}


def write(message):
    sys.stdout.write(json.dumps(message) + "\n")


def catalog():
    return {"streams": [{"tap_stream_id": f"public-{table}", "stream": table, "schema": {}, "metadata": []} for table in TABLES]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config")
    parser.add_argument("--catalog")
    parser.add_argument("--state")
    parser.add_argument("--discover", action="store_true")
    args = parser.parse_args()
    if args.discover:
        json.dump(catalog(), sys.stdout)
        return
    with open(args.config, encoding="utf-8") as file:
        config = json.load(file)
    with open(args.catalog, encoding="utf-8") as file:
        streams = json.load(file)["streams"]
    state = {}
    if args.state:
        with open(args.state, encoding="utf-8") as file:
            state = json.load(file)
    for stream in streams:
        table = stream["stream"]
        about = next(entry["metadata"] for entry in stream["metadata"] if entry["breadcrumb"] == [])
        if not about.get("selected") and table not in config.get("always", []):
            continue
        method = about.get("replication-method")
        if method not in ("FULL_TABLE", "INCREMENTAL"):
            sys.exit(f"CRITICAL {stream['tap_stream_id']} has no replication method")
        key = about["replication-key"] if method == "INCREMENTAL" else None
        name = {"stream": table, "id": stream["tap_stream_id"]}.get(config["says"], config["says"])
        write({"type": "SCHEMA", "stream": name, "schema": {}, "key_properties": ["id"]})
        for row_id, number in TABLES[table]:
            if key is None or number > state.get(table, 0):
                write({"type": "RECORD", "stream": name, "record": {"id": row_id, "name": f"Name of {row_id}", "number": number}})
        if key is not None:
            state[table] = max(number for _, number in TABLES[table])
    write({"type": "STATE", "value": state})


main()
