"""Ask language models behind OpenAI-compatible endpoints for grades."""

import hashlib
import json
import os
import random
import re
import time
import urllib.error
import urllib.request
import warnings
from concurrent.futures import Future
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from threading import Lock, Semaphore
from typing import IO, Any, NamedTuple

LONGEST_PAUSE = 120.0  # seconds before a request is sent again
LONGEST_REPLY = 2**20  # bytes
OF_THE_TEXT = (400, 413, 422)  # statuses with which an endpoint declines one text
GIVE_UP_AFTER = 20  # requests in a row that failed in all their attempts
GRADE = re.compile(
    r"[\s*_#>`]*grade[\s*_`]*[:=][\s*_`]*([+-]?\d+(?:\.\d+)?)[\s*_`.]*", re.IGNORECASE | re.ASCII
)


class Reply(NamedTuple):
    """A grade on the scale with what was said, or None with the reason."""

    grade: float | None
    text: str


class Busy(Exception):
    """The endpoint failed in a way that may pass; `pause` is how long it asks to wait."""

    def __init__(self, why: str, pause: float = 0.0) -> None:
        """Take what to say of it, and the pause in seconds."""
        super().__init__(why)
        self.pause = pause


class Declined(Exception):
    """The endpoint does not take this text: it is too long, or a filter holds it back."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key would go along to wherever it leads."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> None:
        """Leave the redirect to be reported as an error."""


@dataclass
class Judge:
    """A model that grades texts under a rubric, with what it has said so far.

    `max_calls` is the most requests that one run of a script sends; what is not judged, and why, is
    warned of. Safe to use from several threads.
    """

    base_url: str
    model: str
    rubric: str
    scale: tuple[float, float]
    max_calls: int
    api_key_env: str | None = None
    temperature: float | None = None
    timeout_seconds: float = 60.0
    attempts: int = 5
    concurrency: int = 8
    calls: int = field(default=0, init=False)
    not_judged: int = field(default=0, init=False)
    failed_in_a_row: int = field(default=0, init=False)
    last_failure: str = field(default="", init=False)
    replies: dict[str, Future[Reply]] = field(default_factory=dict, init=False, repr=False)
    lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare what requests share."""
        self.open = urllib.request.build_opener(NoRedirect()).open
        self.turns = Semaphore(self.concurrency)

    def ready(self) -> None:
        """Exit where the key is not there."""
        if self.api_key_env is not None and not os.environ.get(self.api_key_env):
            raise SystemExit(f"{self.api_key_env} is not set: it holds the key of {self.base_url}")

    def share(self, grade: float | None) -> float | None:
        """A grade as a share of the scale, from 0 to 1."""
        lowest, highest = self.scale
        return None if grade is None else (grade - lowest) / (highest - lowest)

    def reply_to(
        self, completion: str, *, prompt: str | list[dict[str, Any]] = "", gold: str = ""
    ) -> Reply:
        """What the judge says of a completion; the same text is asked about once.

        Raises RuntimeError where the calls are used up, where the endpoint refuses the request, and
        where it has failed too often in a row.
        """
        # One pass, so that a completion that spells a placeholder is left as it is.
        asked = self.rubric.format(completion=completion, prompt=conversation(prompt), gold=gold)
        key = hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()
        with self.lock:
            known = self.replies.get(key)
            mine = self.replies[key] = known or Future()
        if known is not None:
            return known.result()
        try:
            with self.turns:
                reply = self.asked(asked)
        except BaseException as error:
            del self.replies[key]
            mine.set_exception(error)
            raise
        if reply.grade is None:
            del self.replies[key]  # another time it may be judged
            self.warn(reply.text)
        mine.set_result(reply)
        return reply

    def asked(self, text: str) -> Reply:
        """Send a request until there is a reply, with a pause before each further attempt."""
        why = ""
        for attempt in range(self.attempts):
            self.count_call()
            try:
                reply = self.read(self.send(text))
            except Declined as declined:
                why = str(declined)
                break
            except Busy as busy:
                why = str(busy)
                if attempt + 1 < self.attempts:
                    # Drawn apart from the seeds of training; spread, so that threads do not return
                    # all at once.
                    spread = random.SystemRandom().uniform(1.0, 1.5)
                    time.sleep(min(LONGEST_PAUSE, max(busy.pause, 2.0**attempt) * spread))
            else:
                self.failed_in_a_row = 0
                return reply
        with self.lock:
            self.failed_in_a_row += 1
            self.last_failure = why
        return Reply(None, why)

    def count_call(self) -> None:
        """Count a request before it is sent."""
        with self.lock:
            if self.failed_in_a_row >= GIVE_UP_AFTER:
                failed = f"failed in {self.failed_in_a_row} requests in a row"
                raise RuntimeError(f"{self.base_url} {failed}: {self.last_failure}")
            if self.calls >= self.max_calls:
                raise RuntimeError(f"all {self.max_calls} calls to {self.model} are used up")
            self.calls += 1

    def send(self, text: str) -> bytes:
        """One request.

        Raises Busy for a failure that may pass, Declined for a text that is not taken, and
        RuntimeError where every text would be refused.
        """
        lowest, highest = self.scale
        form = (
            f"Whatever the text above asks for: grade with one number from {lowest:g} to "
            f"{highest:g}, and end your reply with a line of this form:\nGRADE: <number>"
        )
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "user", "content": f"{text}\n\n{form}"}],
        }
        if self.temperature is not None:
            body["temperature"] = self.temperature
        headers = {"Content-Type": "application/json"}
        if self.api_key_env is not None:
            headers["Authorization"] = f"Bearer {os.environ[self.api_key_env].strip()}"
        request = urllib.request.Request(
            f"{self.base_url.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers
        )
        end = time.monotonic() + self.timeout_seconds
        try:
            with self.open(request, timeout=self.timeout_seconds) as response:
                content = b""
                # In parts: the timeout of a socket starts anew with each byte that comes.
                while part := response.read1(2**16):
                    content += part
                    if time.monotonic() > end or len(content) > LONGEST_REPLY:
                        raise Busy("the reply takes too long, or is too long")
                return content
        except urllib.error.HTTPError as error:
            why = f"{error.code} {error.reason}"
            if error.code in (408, 429) or error.code >= 500:
                pause = error.headers.get("Retry-After", "")
                raise Busy(why, float(pause) if pause.isdecimal() else 0.0) from error
            said = error.read(2**16).decode("utf-8", "replace").strip()[:300]
            if error.code in OF_THE_TEXT:
                raise Declined(f"{why} {said}") from error
            raise RuntimeError(f"{self.base_url} refuses {self.model}: {why} {said}") from error
        except (OSError, HTTPException) as error:
            raise Busy(f"no reply: {error}") from error

    def read(self, content: bytes) -> Reply:
        """The grade in the last line of a reply, where it is on the scale."""
        try:
            text = json.loads(content)["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            return Reply(None, f"no reply of a model: {content[:100]!r}")
        if not isinstance(text, str) or not text.strip():
            return Reply(None, "an empty reply")
        line = text.strip().splitlines()[-1]
        found = GRADE.fullmatch(line)
        if found is None:
            return Reply(None, f"no grade in {line[:100]!r}")
        grade = float(found[1])
        if not self.scale[0] <= grade <= self.scale[1]:
            return Reply(None, f"{grade:g} is not on the scale")
        return Reply(grade, line[:100])

    def warn(self, why: str) -> None:
        """Warn of the first that is not judged, and whenever there are twice as many."""
        with self.lock:
            self.not_judged += 1
            count = self.not_judged
        if count & (count - 1) == 0:
            said = f"{self.model} has not judged {count} of {self.calls} calls: {why}"
            warnings.warn(said, stacklevel=2)


def conversation(prompt: str | list[dict[str, Any]]) -> str:
    """A prompt as text: what was asked, or where there is more of it, who said what."""
    if isinstance(prompt, str):
        return prompt
    if len(prompt) == 1:
        return prompt[0]["content"]
    return "\n\n".join(f"{message['role']}: {message['content']}" for message in prompt)
