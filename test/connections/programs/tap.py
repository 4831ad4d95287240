"""A Singer tap for the tests, without a library: contacts and accounts with bookmarks, and a stream nobody maps.

Its source is a JSON file that the configuration names. `state_every` is the number of records between two states, 0 for none at all. Each run uses up the refresh token of the configuration and writes the next one back; a
token that was used before is refused.
"""

import argparse
import json
import sys

STREAMS = {"contacts": "id", "accounts": "id", "notes": "id"}


def schema(stream):
    properties = {"id": {"type": "string"}, "name": {"type": ["null", "string"]}, "updated_at": {"type": "string", "format": "date-time"}}
    return {"type": "object", "properties": properties}


def metadata():
    fields = [{"breadcrumb": ["properties", name], "metadata": {"inclusion": "available"}} for name in ("id", "name", "updated_at")]
    return [{"breadcrumb": [], "metadata": {"inclusion": "available"}}] + fields


def catalog(source):
    streams = [stream for stream in STREAMS if stream in source]
    return {"streams": [{"tap_stream_id": s, "stream": s, "schema": schema(s), "metadata": metadata()} for s in streams]}


def is_selected(stream):
    chosen = {tuple(entry["breadcrumb"]): entry["metadata"].get("selected") for entry in stream["metadata"]}
    return chosen[()] and all(chosen.values())


def write(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def rotate(config, path):
    if "refresh_token" in config:
        with open(config["source"] + ".used", "a+", encoding="utf-8") as used:
            used.seek(0)
            if config["refresh_token"] in used.read().split():
                sys.stderr.write("CRITICAL 400 invalid_grant\n")
                sys.exit(1)
            used.write(config["refresh_token"] + "\n")
        name, number = config["refresh_token"].rsplit("-", 1)
        config["refresh_token"] = f"{name}-{int(number) + 1}"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)


def sync(source, streams, state, every):
    for stream in streams:
        if not is_selected(stream):
            continue
        name = stream["stream"]
        since = state.get("bookmarks", {}).get(name, "")
        write({"type": "SCHEMA", "stream": name, "schema": schema(name), "key_properties": ["id"], "bookmark_properties": ["updated_at"]})
        write({"type": "ACTIVATE_VERSION", "stream": name, "version": 1})
        records = sorted((r for r in source[name] if r["updated_at"] > since), key=lambda record: record["updated_at"])
        for number, record in enumerate(records, 1):
            write({"type": "record", "stream": name, "record": record, "time_extracted": "2026-11-20T16:45:33.000Z"})
            state.setdefault("bookmarks", {})[name] = record["updated_at"]
            if every and number % every == 0:
                write({"type": "STATE", "value": state})
        if every:
            write({"type": "STATE", "value": state})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    parser.add_argument("--catalog")
    parser.add_argument("--properties")
    parser.add_argument("--state")
    parser.add_argument("--discover", action="store_true")
    args = parser.parse_args()
    with open(args.config, encoding="utf-8") as file:
        config = json.load(file)
    with open(config["source"], encoding="utf-8") as file:
        source = json.load(file)
    rotate(config, args.config)
    if config.get("api_key") == "wrong-key-0123456789":
        sys.stderr.write(f"INFO using {config['api_key']}\nCRITICAL 403 Client Error: key {config['api_key']} is refused\n")
        sys.exit(1)
    if args.discover:
        json.dump(catalog(source), sys.stdout, indent=2)
        return
    state = json.load(open(args.state, encoding="utf-8")) if args.state else {}
    if args.catalog and config.get("ignores_catalog"):
        # As the taps do that are older than catalogs.
        sys.stderr.write("INFO No properties were selected\n")
        return
    chosen = json.load(open(args.catalog or args.properties, encoding="utf-8"))
    sync(source, chosen["streams"], state, config.get("state_every", 100))


if __name__ == "__main__":
    main()
