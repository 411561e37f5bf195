"""Code that wants to be paid for nothing, or to do harm. None is paid, and nothing of it survives.

What is left behind is looked for behind each test, in conftest.py.
"""

import resource
import time

import pytest
from run_code import Limits, RowTests, outcomes, read_tests
from sandbox import GRACE_SECONDS

SECOND = Limits(seconds=1.0, memory_mb=256)
TWO = ["assert f(1) == 2", "assert f(3) == 4"]
EXPECTING = ["try:\n    f(1)\nexcept Exception:\n    pass\nelse:\n    assert False"]
SWALLOWING = ["try:\n    f(1)\nexcept:\n    pass"]


def asserting(
    asserts: list[str], limits: Limits = SECOND, *, all_of_them: bool = False
) -> RowTests:
    tests = read_tests("asserts", (asserts,), all_of_them=all_of_them, limits=limits)
    assert tests is not None
    return tests


def passes(code: str, asserts: list[str]) -> bool:
    return not any(outcomes(code, asserting(asserts)))


def in_f(body: str) -> str:
    lines = body.replace("\n", "\n    ")
    return f"def f(x):\n    {lines}\n"


LEAVING = ["import sys; sys.exit(0)", "import os; os._exit(0)", "raise SystemExit(0)"]


@pytest.mark.parametrize("body", LEAVING)
@pytest.mark.parametrize("asserts", [TWO, EXPECTING, SWALLOWING], ids=["two", "any", "bare"])
def test_leaving_early_pays_nothing(body: str, asserts: list[str]) -> None:
    assert not passes(body, asserts)
    assert not passes(in_f(body), asserts)


@pytest.mark.parametrize(
    "code",
    [
        "import atexit\natexit.register(print, 'all tests pass')",
        "import sys\nsys.excepthook = lambda *_: print('OK')\nraise ValueError",
        "print('PASSED 2 of 2')",
        "def f(x): return print('2 passed')",
        (
            "import os\nfor place in range(3, 32):\n"
            "    try: os.write(place, b'\\0\\0\\0\\2\"\"' * 9)\n"
            "    except OSError: pass\ndef f(x): pass"
        ),
        "open('result.json', 'w').write('{\"passed\": 2}')",
    ],
)
def test_what_the_code_says_of_itself_is_not_heard(code: str) -> None:
    assert not passes(code, TWO)


@pytest.mark.parametrize(
    "code",
    [
        "class Equal:\n    def __eq__(self, other): return True\ndef f(x): return Equal()",
        (
            "class Equal(int):\n"
            "    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n"
            "def f(x): return Equal()"
        ),
        (
            "class Meta(type):\n    def __eq__(self, other): return True\n"
            "class Equal(metaclass=Meta): pass\ndef f(x): return Equal"
        ),
        "from unittest.mock import ANY\ndef f(x): return ANY",
        "class Equal(list):\n    def __eq__(self, other): return True\ndef f(x): return [Equal()]",
        "class Equal(str):\n    def __eq__(self, other): return True\ndef f(x): return (Equal(),)",
    ],
)
def test_equality_is_not_decided_by_the_code(code: str) -> None:
    assert not passes(code, TWO)
    assert not passes(code, ["assert f(1) == [2]"])
    assert not passes(code, ["assert f(1) == (2,)"])
    assert not passes(code, ["assert 2 in f(1)"])
    assert not passes(code, ["assert not f(1) != 2"])


def test_an_object_does_not_learn_what_is_expected_of_it() -> None:
    names = ("sub", "rsub", "add", "radd", "mul", "rmul", "truediv", "mod", "divmod", "xor", "pow")
    methods = "".join(f"    def __{name}__(self, other): return 0\n" for name in names)
    methods += "    def __abs__(self): return 0\n    def __float__(self): return 0.0\n"
    for name in ("startswith", "endswith", "issubset", "issuperset", "isdigit", "is_integer"):
        methods += f"    def {name}(self, *other): return True\n"
    code = f"class Any:\n{methods}def f(x): return Any()\n"
    for claim in (
        *("abs(f(1) - 2) < 1e-6", "abs(2 - f(1)) < 1e-6", "not f(1) - 2", "f(1) % 7 == 0"),
        *("f(1).startswith('a')", "f(1).issubset({1})", "f(1).isdigit()", "f(1) ^ 2 == 0"),
        *("__import__('math').isclose(f(1), 0)", "f(1).__contains__(2)", "f(1).is_integer()"),
    ):
        assert not passes(code, [f"assert {claim}"]), claim


def test_order_and_truth_are_not_decided_by_the_code() -> None:
    code = (
        "class Any:\n"
        "    def __lt__(self, other): return True\n"
        "    def __gt__(self, other): return True\n"
        "    def __contains__(self, item): return True\n"
        "    def __bool__(self): return False\n"
        "def f(x): return Any()\n"
    )
    for claim in ("f(1) < 2", "2 < f(1)", "2 in f(1)", "not f(1)"):
        assert not passes(code, [f"assert {claim}"])


@pytest.mark.parametrize(
    "code",
    [
        "import builtins\nbuiltins.AssertionError = type('Fine', (Exception,), {})",
        "import builtins\nbuiltins.len = builtins.sorted = builtins.abs = lambda *_: 2",
        "import builtins\nbuiltins.__import__ = None",
        "import json, operator, os\njson.dumps = json.loads = lambda *_: ''\nos.write = print",
        "def abs(x): return 2\ndef sorted(x): return [2]\ndef f(x): return 'x'",
        "import sys\nfor module in list(sys.modules.values()):\n    vars(module).clear()",
    ],
)
def test_patched_builtins_reach_no_test(code: str) -> None:
    asserts = ["assert abs(f(1)) == 2", "assert sorted(f(1)) == [2]"]
    assert not passes(code, asserts)
    assert not passes(f"{code}\ndef f(x): return -7", asserts[:1])


FORGED = [
    '{"builtin": "eval"}',
    '{"builtin": "type"}',
    '{"builtin": "SystemExit"}',
    '{"new": ["os.system", ["true"]]}',
    '{"new": ["builtins.type", ["x", [], {}]]}',
    '{"new": ["builtins.range", [1]]}',
    '{"error": ["BaseException", []]}',
    '{"error": ["Exception", [[0, "x"]]]}',
    '{"yours": 0}',
    '{"yours": -1}',
    '{"mine": [0, [2]], "int": "0x2"}',
    '{"int": "two"}',
    '{"dict": [[[], 2]]}',
    '{"set": [[]]}',
    "[" * 100_000,
    "9" * 5000,
    "nonsense",
]


@pytest.mark.parametrize("forged", FORGED, ids=lambda text: text[:24])
def test_a_forged_message_is_no_value(forged: str) -> None:
    code = (
        "import sys, os\n"
        "def f(x):\n"
        f"    content = {forged!r}.encode()\n"
        "    reply = b'[\"return\", ' + content + b', []]'\n"
        "    message = len(reply).to_bytes(4, 'big') + reply\n"
        "    for place in range(3, 32):\n"
        "        try: os.write(place, message)\n"
        "        except OSError: pass\n"
        "    return 3\n"
    )
    assert not passes(code, ["assert f('1 + 1')('1 + 1') == 2"])
    assert not passes(code, ["assert f(len) == 2"])


def test_a_function_of_the_tests_is_called_and_not_looked_into() -> None:
    code = (
        "def f(function):\n"
        "    try:\n"
        "        return function.__globals__\n"
        "    except AttributeError:\n"
        "        return function(3)\n"
    )
    assert passes(code, ["secret = 17\nassert f(lambda x: x + 1) == 4"])


LOOKING = """
import gc, glob, os, sys

def look():
    places = [str(sys.argv), str(dict(os.environ)), repr(gc.get_objects())]
    frame = sys._getframe()
    while frame is not None:
        places.append(repr({**frame.f_globals, **frame.f_locals}))
        frame = frame.f_back
    for kind in ("cmdline", "environ", "mem", "fd/*"):
        places += [content(name) for name in glob.glob("/proc/*/" + kind)]
    for name in glob.glob("*") + glob.glob("../*") + glob.glob("../../*"):
        places.append(content(name))
    for name in ("/dev/stdin", "/proc/self/fd/0", globals().get("__file__", "")):
        places.append(content(name))
    return [place[:200] for place in places if "19-TERCES"[::-1] in place]

def content(name):
    try:
        with open(name, errors="replace") as file:
            return file.read(10**6)
    except OSError:
        return ""
"""


def test_the_tests_are_nowhere_to_be_found() -> None:
    asserts = ["assert look() == []  # SECRET-91"]
    assert passes(LOOKING, asserts)
    # It finds what is there.
    assert not passes(LOOKING + "hidden = 'SECRET-91'", asserts)


SPAWNING = [
    "import os\nos.fork()",
    "import os\nwhile True: os.fork()",
    "import os\nos.forkpty()",
    "import os\nif not os.fork():\n    os.setsid()\n    while os.fork(): pass",
    "import subprocess\nsubprocess.Popen(['sleep', '1000'], start_new_session=True)",
    "import os\nos.posix_spawn('/bin/sleep', ['sleep', '1000'], {})",
    "import os\nassert os.system('sleep 1000 &') == 0",
    "import multiprocessing\nmultiprocessing.Process(target=print).start()",
    "import os\nos.execv('/bin/sleep', ['sleep', '1000'])",
    "import os\nos.setsid()",
    "import ctypes\nassert ctypes.CDLL(None).syscall(435, None, 0) >= 0",
    "import ctypes\nassert ctypes.CDLL(None).unshare(0x10000000) == 0",
]
REACHING_OUT = [
    "import os\nos.kill(os.getppid(), 9)",
    "import os\nos.kill(-1, 9)",
    "import os\nos.kill(0, 9)",
    "import os\nos.killpg(os.getpgid(0), 9)",
    "import signal\nsignal.pidfd_send_signal(0, 9)",
    "import fcntl, os\nfcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())",
    "import resource, os\nresource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "import resource\nresource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))",
    "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))",
    "import ctypes, os\nassert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0",
    "import ctypes\nassert ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0",
    "import socket\nsocket.socket()",
    "import socket\nsocket.create_connection(('127.0.0.1', 22))",
    "import socket\nsocket.socket(socket.AF_UNIX).connect('/run/x')",
    (
        "import socket\na, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "a.sendto(b'x', '\\0name')"
    ),
    "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')",
    "open('/etc/passwd')",
    "open('/proc/self/status')",
    "import os\nos.listdir('/')",
    "import os\nos.listdir('..')",
    "open('../x', 'w')",
    "import os\nos.mkdir('x')",
    "import os\nos.chmod('.', 0)",
    "import os\nos.truncate('/etc/hostname', 0)",
    "import os\nos.memfd_create('x')",
    "import os\nos.nice(-5)",
]


@pytest.mark.parametrize("code", SPAWNING + REACHING_OUT)
def test_the_machine_is_out_of_reach(code: str) -> None:
    right = "\ndef f(x): return x + 1"
    assert passes(right, TWO)
    assert not passes(code + right, TWO)


def test_threads_and_files_of_its_own_are_left_to_it() -> None:
    code = (
        "import asyncio, tempfile, threading\n"
        "def f(x):\n"
        "    found = []\n"
        "    thread = threading.Thread(target=found.append, args=(x,))\n"
        "    thread.start()\n"
        "    thread.join()\n"
        "    with tempfile.NamedTemporaryFile('w+') as file:\n"
        "        file.write(str(found[0]))\n"
        "        file.seek(0)\n"
        "        return asyncio.run(asyncio.sleep(0, int(file.read()) + 1))\n"
    )
    assert passes(code, TWO)


GREEDY = [
    in_f("return len('a' * 10**10)"),
    in_f("return [[0] * 10**8 for _ in range(10**3)]"),
    in_f("found = []\nwhile True: found.append('a' * 10**6)"),
    in_f("while True: print('a' * 10**6)"),
    in_f("with open('x', 'w') as file:\n    while True: file.write('a' * 10**6)"),
    in_f("for number in range(10**6):\n    open(str(number), 'w').write('a' * 10**6)"),
    in_f("for number in range(10**6): open(str(number), 'w').close()"),
    in_f("return 'a' * 10**8"),
    in_f("found = []\nfor _ in range(10**5): found = [found]\nreturn found"),
    in_f("found = []\nfound.append(found)\nreturn found"),
    in_f("return 10**(10**7)"),
    in_f("return f(x)"),
    in_f("import ctypes\nreturn ctypes.string_at(0)"),
    in_f("import sys\nsys.setrecursionlimit(10**9)\ndef deep(): return deep()\nreturn deep()"),
    in_f("import threading\nwhile True: threading.Thread(target=f, args=(x,)).start()"),
    in_f("while True: pass"),
    in_f("import time\ntime.sleep(1000)"),
    in_f("raise Exception('a' * 10**8)"),
    "print('a' * 10**6)\nwhile True: pass",
    "import sys\nprint('a' * 10**8, file=sys.stderr)\nx = 'a' * 10**10",
    "def f(x):\n    while True: yield x",
]


@pytest.mark.parametrize("code", GREEDY)
def test_greed_ends_within_its_limits_and_does_not_reach_this_process(code: str) -> None:
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    assert not passes(code, ["assert list(f(1)) == [2]"])
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 * 1024  # KiB
    # What is bounded, and not how fast this machine is today.
    assert time.monotonic() - began < SECOND.seconds + 2 * GRACE_SECONDS + 20


def test_a_test_that_swallows_the_end_of_its_time_has_failed() -> None:
    code = in_f("while True: pass")
    swallowing = "for _ in range(3):\n    try: f(1)\n    except BaseException: pass"
    assert not passes(code, [swallowing])


def test_one_endless_test_does_not_cost_the_others() -> None:
    code = "def f(x):\n    while x == 3: pass\n    return x + 1\n"
    asserts = ["assert f(1) == 2", "assert f(3) == 4", "assert f(5) == 6", "assert f(6) == 8"]
    first, second, third, fourth = outcomes(code, asserting(asserts, all_of_them=True))
    assert (first, third) == ("", "")
    assert "no end within 1 s" in second
    assert "AssertionError" in fourth


def test_the_first_failure_stops_the_rest_where_all_must_pass() -> None:
    found = outcomes("def f(x): return 0", asserting(TWO * 100))
    assert found == ("AssertionError",)
