"""A judge against an endpoint on this machine: slow, busy, broken, redirecting, refusing."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import judges
import pytest
from judge import explain_judge, score_judge
from judges import Judge

RUBRIC = "Grade this.\nAsked: {prompt}\nGold: {gold}\nSaid: {completion}\n{{end}}"


class Endpoint:
    """An endpoint that answers as `reply` says: a text, a status with headers, or raw bytes."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.reply: Callable[[str], Any] = lambda _: "GRADE: 10"
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with endpoint.lock:
                    endpoint.asked.append(body)
                    endpoint.headers.append(dict(self.headers))
                    endpoint.paths.append(self.path)
                    endpoint.at_once += 1
                    endpoint.most_at_once = max(endpoint.at_once, endpoint.most_at_once)
                try:
                    self.answer(endpoint.reply(body["messages"][-1]["content"]))
                except (BrokenPipeError, ConnectionResetError):
                    pass
                finally:
                    with endpoint.lock:
                        endpoint.at_once -= 1

            def answer(self, said: object) -> None:
                status, headers = 200, {}
                if isinstance(said, tuple):
                    status, headers = said
                    said = b"no"
                if isinstance(said, str) or said is None:
                    said = json.dumps({"choices": [{"message": {"content": said}}]}).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(said) if isinstance(said, bytes) else 9))
                self.end_headers()
                if isinstance(said, bytes):
                    self.wfile.write(said)
                    return
                for part in said:  # drop by drop
                    self.wfile.write(part)
                    self.wfile.flush()
                    time.sleep(0.1)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    found = Endpoint()
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses before requests that are sent again, which these tests do not wait for."""
    found: list[float] = []
    monkeypatch.setattr(judges, "time", Clock(found))
    return found


class Clock:
    """The clock without its pauses."""

    def __init__(self, pauses: list[float]) -> None:
        self.pauses = pauses

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    monotonic = staticmethod(time.monotonic)


def judge_of(endpoint: Endpoint, **keys: Any) -> Judge:  # noqa: ANN401 - keys of any type
    keys = {"rubric": RUBRIC, "scale": (1.0, 10.0), "max_calls": 1000, **keys}
    return Judge(endpoint.url, "grader", **keys)


def test_a_grade_is_paid_as_a_share_of_the_scale(endpoint: Endpoint) -> None:
    judge = judge_of(endpoint, temperature=0.0)
    endpoint.reply = lambda _: "It is fine.\n\n**GRADE: 5.5**\n"
    prompt = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "2+2?"}]
    assert score_judge(judge, "{gold} is 4", prompt=prompt, gold="4") == 0.5
    assert explain_judge(judge, "{gold} is 4", prompt=prompt, gold="4") == (
        "grader gives 5.5 on 1 to 10"
    )
    (asked,) = endpoint.asked  # the second time it is remembered
    assert endpoint.paths == ["/v1/chat/completions"]
    assert (asked["model"], asked["temperature"]) == ("grader", 0.0)
    text = asked["messages"][0]["content"]
    assert text.startswith(
        "Grade this.\nAsked: system: Be kind.\n\nuser: 2+2?\nGold: 4\nSaid: {gold} is 4\n{end}\n\n"
    )
    assert text.endswith("GRADE: <number>")
    assert "Authorization" not in endpoint.headers[0]


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("GRADE: 7", 7.0),
        ("grade = 7.", 7.0),
        ("`Grade: 1`", 1.0),
        ("# **Grade:** 10 ", 10.0),
        ("<think>GRADE: 2</think>\nGRADE: 3", 3.0),
        ("GRADE: 7/10", None),
        ("GRADE: 11", None),
        ("GRADE: 0", None),
        ("GRADE: -1", None),
        ("GRADE: \u0667", None),
        ("GRADE: 10\nThe completion asked for that grade.", None),
        ("GRADE: <number>", None),
        ("7", None),
        ("", None),
        (None, None),
        (b"<html>502</html>", None),
        (b"{}", None),
        (b"[" * 100_000, None),
        (b'{"choices": []}', None),
        (b'{"choices": [{"message": {"content": 7}}]}', None),
        (b"\xff\xfe", None),
    ],
)
@pytest.mark.filterwarnings("ignore:grader has not judged")
def test_only_a_grade_in_the_last_line_and_on_the_scale_counts(
    endpoint: Endpoint, reply: object, grade: float | None
) -> None:
    endpoint.reply = lambda _: reply
    judge = judge_of(endpoint)
    assert judge.reply_to("a").grade == grade
    assert judge.not_judged == (grade is None)
    assert len(endpoint.asked) == 1  # a reply that cannot be read is no reason to ask again


def test_what_is_not_judged_is_counted_and_warned_of_ever_more_seldom(endpoint: Endpoint) -> None:
    endpoint.reply = lambda _: "I would rather not."
    judge = judge_of(endpoint)
    with pytest.warns(UserWarning, match="has not judged") as warned:
        assert [score_judge(judge, f"{number}") for number in range(9)] == [None] * 9
    assert [str(each.message) for each in warned] == [
        f"grader has not judged {count} of {count} calls: no grade in 'I would rather not.'"
        for count in (1, 2, 4, 8)
    ]
    endpoint.reply = lambda _: "GRADE: 10"
    assert score_judge(judge, "0") == 1.0  # another time it is judged


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_a_busy_endpoint_is_asked_again_after_longer_and_longer_pauses(
    endpoint: Endpoint, pauses: list[float], status: int
) -> None:
    replies = iter([(status, {}), (status, {}), (status, {"Retry-After": "30"}), "GRADE: 10"])
    endpoint.reply = lambda _: next(replies)
    judge = judge_of(endpoint)
    assert score_judge(judge, "a") == 1.0
    assert judge.calls == 4
    assert [1 <= pauses[0] <= 1.5, 2 <= pauses[1] <= 3, 30 <= pauses[2] <= 45] == [True] * 3


@pytest.mark.filterwarnings("ignore:grader has not judged")
def test_attempts_end_and_many_failures_in_a_row_end_the_run(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, pauses: list[float]
) -> None:
    monkeypatch.setattr(judges, "GIVE_UP_AFTER", 3)
    endpoint.reply = lambda _: (503, {"Retry-After": "9999"})
    judge = judge_of(endpoint, attempts=2)
    assert [score_judge(judge, f"{number}") for number in range(3)] == [None] * 3
    assert (len(endpoint.asked), pauses) == (6, [judges.LONGEST_PAUSE] * 3)
    with pytest.raises(RuntimeError, match="failed in 3 requests in a row"):
        score_judge(judge, "3")
    assert len(endpoint.asked) == 6


@pytest.mark.filterwarnings("ignore:grader has not judged")
def test_a_text_that_is_not_taken_costs_its_own_mark_only(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, pauses: list[float]
) -> None:
    monkeypatch.setattr(judges, "GIVE_UP_AFTER", 2)
    endpoint.reply = lambda text: (400, {}) if "too long" in text else "GRADE: 10"
    judge = judge_of(endpoint)
    marks = [score_judge(judge, text) for text in ("too long", "a", "too long", "too long again")]
    assert (marks, pauses, judge.calls) == ([None, 1.0, None, None], [], 4)
    with pytest.raises(RuntimeError, match="failed in 2 requests in a row: 400 Bad Request"):
        score_judge(judge, "b")


@pytest.mark.filterwarnings("ignore:grader has not judged")
def test_a_success_between_failures_lets_the_run_go_on(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "GIVE_UP_AFTER", 2)
    endpoint.reply = lambda text: "GRADE: 1" if "right" in text else (500, {})
    judge = judge_of(endpoint, attempts=1)
    marks = [score_judge(judge, text) for text in ("a", "right", "b", "right too", "c")]
    assert marks == [None, 0.0, None, 0.0, None]


@pytest.mark.filterwarnings("ignore:grader has not judged")
def test_a_slow_endpoint_is_not_waited_for(endpoint: Endpoint) -> None:
    def sleeping(_: str) -> str:
        time.sleep(1.0)
        return "GRADE: 10"

    endpoint.reply = sleeping
    judge = judge_of(endpoint, timeout_seconds=0.1, attempts=2)
    assert judge.reply_to("a") == (None, "no reply: timed out")
    endpoint.reply = lambda _: (b"x" for _ in range(9))  # each byte in time, and the reply not
    assert judge.reply_to("b").grade is None
    assert judge.calls == 4


@pytest.mark.filterwarnings("ignore:grader has not judged")
def test_nobody_there_is_a_failure_that_may_pass(endpoint: Endpoint) -> None:
    endpoint.server.server_close()
    judge = judge_of(endpoint, attempts=2)
    assert judge.reply_to("a").text.startswith("no reply: ")
    assert judge.calls == 2


def test_a_refusal_ends_the_run_and_says_why_without_the_key(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_KEY", "not-to-be-told\n")
    endpoint.reply = lambda _: (401, {})
    judge = judge_of(endpoint, api_key_env="GRADER_KEY")
    with pytest.raises(RuntimeError, match="refuses grader: 401 Unauthorized no") as error:
        score_judge(judge, "a")
    assert endpoint.headers[0]["Authorization"] == "Bearer not-to-be-told"
    assert "not-to-be-told" not in f"{error.value} {judge!r}"
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_key_does_not_follow_a_redirect(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("GRADER_KEY", "secret")
    elsewhere = Endpoint()
    endpoint.reply = lambda _: (status, {"Location": elsewhere.url})
    with pytest.raises(RuntimeError, match=f"refuses grader: {status}"):
        score_judge(judge_of(endpoint, api_key_env="GRADER_KEY"), "a")
    assert elsewhere.asked == []
    elsewhere.server.shutdown()
    elsewhere.server.server_close()


def test_a_key_that_is_not_set_stops_before_anything_is_sent(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRADER_KEY", raising=False)
    judge = judge_of(endpoint, api_key_env="GRADER_KEY")
    with pytest.raises(SystemExit, match="GRADER_KEY is not set"):
        judge.ready()
    monkeypatch.setenv("GRADER_KEY", "there")
    judge.ready()
    assert endpoint.asked == []


def test_calls_are_capped_and_the_run_then_ends(endpoint: Endpoint) -> None:
    judge = judge_of(endpoint, max_calls=2)
    assert [score_judge(judge, text) for text in ("a", "b", "a")] == [1.0, 1.0, 1.0]
    with pytest.raises(RuntimeError, match="all 2 calls to grader are used up"):
        score_judge(judge, "c")
    assert score_judge(judge, "b") == 1.0  # what is known is known
    assert len(endpoint.asked) == 2


def test_threads_share_a_request_and_are_bounded(endpoint: Endpoint) -> None:
    def slowly(_: str) -> str:
        time.sleep(0.05)
        return "GRADE: 10"

    endpoint.reply = slowly
    judge = judge_of(endpoint, concurrency=3)
    texts = [f"{number % 12}" for number in range(48)]
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(lambda text: score_judge(judge, text), texts)) == [1.0] * 48
    assert len(endpoint.asked) == judge.calls == 12
    assert endpoint.most_at_once <= 3


def test_an_error_reaches_every_thread_that_waits(endpoint: Endpoint) -> None:
    def refusing(_: str) -> tuple[int, dict[str, str]]:
        time.sleep(0.2)
        return 403, {}

    endpoint.reply = refusing
    judge = judge_of(endpoint)
    with ThreadPoolExecutor(4) as threads:
        waiting = [threads.submit(score_judge, judge, "a") for _ in range(4)]
    for each in waiting:
        with pytest.raises(RuntimeError, match="403"):
            each.result()


def test_a_completion_cannot_fill_in_the_rubric(endpoint: Endpoint) -> None:
    judge = judge_of(endpoint)
    score_judge(judge, "{prompt.__class__} {gold} {0} }", gold="secret")
    said = endpoint.asked[0]["messages"][0]["content"]
    assert "Said: {prompt.__class__} {gold} {0} }\n{end}" in said


def test_text_that_utf8_cannot_hold_is_sent(endpoint: Endpoint) -> None:
    assert score_judge(judge_of(endpoint), "\ud800 \x00 漢") == 1.0
