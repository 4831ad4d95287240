"""Programs that misbehave, by name: `hostile.py NAME --config CONFIG …`. Discovery works in all of them."""

import json
import os
import select
import signal
import sys
import time

CATALOG = {"streams": [{"tap_stream_id": "contacts", "stream": "contacts", "schema": {}, "metadata": []}]}


def put(text):
    os.write(1, text.encode())


def record(number):
    return json.dumps({"type": "RECORD", "stream": "contacts", "record": {"id": f"C-{number}", "name": "x" * 100}}) + "\n"


def state(number):
    return json.dumps({"type": "STATE", "value": {"last": number}}) + "\n"


def config():
    with open(sys.argv[sys.argv.index("--config") + 1], encoding="utf-8") as file:
        return json.load(file)


def endless_line():
    block = "x" * 65536
    put('{"type": "RECORD", "stream": "contacts", "record": {"id": "')
    while True:
        put(block)


def no_newline():
    put(state(0) + record(1).rstrip("\n"))


def garbage():
    put(record(1) + state(1))
    os.write(1, bytes(range(128, 256)) + b"\n")


def text():
    put(record(1) + state(1) + "Traceback: something went wrong\n")


def no_message():
    put(record(1) + '["RECORD"]\n')


def no_stream():
    put(record(1) + '{"type": "RECORD", "record": {}}\n')


def slow():
    for byte in (record(1) + state(1)).encode():
        os.write(1, bytes([byte]))
        time.sleep(0.001)


def dies():
    put("".join(record(number) for number in range(1, 301)) + state(300) + record(301) + '{"type": "REC')
    os.kill(os.getpid(), signal.SIGKILL)


def ignores_signals():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = os.fork()
    with open(config()["pids"], "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    if child:
        put(record(1) + state(1) + "".join(record(number) for number in range(2, 201)))
    while True:
        time.sleep(1)


def floods():
    line = "DEBUG " + "y" * 1000 + "\n"
    for number in range(20000):
        sys.stderr.write(line)
    sys.stderr.write("CRITICAL no more\n")
    sys.stderr.flush()
    put(record(1))
    sys.exit(3)


def early_state():
    put(record(1) + state(1) + state(2) + record(2))
    if "failing" not in config():
        put(state(2))
    else:
        sys.exit(4)


def many():
    """Notes how many lines are written each time that the reader lets it wait."""
    os.set_blocking(1, False)
    count = int(config()["count"])
    if "pids" in config():
        with open(config()["pids"], "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))
    written = 0
    rest = b""
    number = 0
    while number < count or rest:
        if not rest:
            number += 1
            rest = (record(number) + (state(number) if number % 1000 == 0 else "")).encode()
        try:
            rest = rest[os.write(1, rest):]
            written = number if not rest else written
        except BlockingIOError:
            with open(config()["progress"], "a", encoding="utf-8") as file:
                file.write(f"{written}\n")
            select.select([], [1], [])


def surroundings():
    directory = os.getcwd()
    facts = {
        "id": "C-1",
        "name": json.dumps({
            "environment": sorted(name for name in os.environ if name not in ("LC_CTYPE", "__CF_USER_TEXT_ENCODING")),
            "directory": directory,
            "mode": oct(os.stat(directory).st_mode & 0o777),
            "files": {name: oct(os.stat(name).st_mode & 0o777) for name in sorted(os.listdir("."))},
            "arguments": sys.argv[2:],
            "home": os.environ["HOME"],
        }),
    }
    put(json.dumps({"type": "RECORD", "stream": "contacts", "record": facts}) + "\n")


def unauthorised():
    sys.stderr.write("INFO refreshing\nTraceback (most recent call last):\n  File x\nException: 401 Client Error: Unauthorized for url\n")
    sys.exit(1)


def silent():
    with open(config()["pids"], "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    put(record(1) + state(1))
    signal.pause()


def hangs():
    put(record(1))
    os.close(1)
    signal.pause()


PROGRAMS = {name: value for name, value in globals().items() if callable(value)}

if "--discover" in sys.argv:
    json.dump(CATALOG, sys.stdout)
else:
    PROGRAMS[sys.argv[1]]()
