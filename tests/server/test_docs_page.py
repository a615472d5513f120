"""`/docs`: a page that needs nothing from elsewhere and tells of every route."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import httpx2
from conftest import FakeEmbedder
from serving import Http, Service, serving

from recollect.server.docs_page import page


class Reading(HTMLParser):
    """What a page holds: its ids, links and tags, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        assert not {"onclick", "src", "style"} & given.keys()
        if tag not in ("meta", "!doctype"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_every_route_is_on_the_page(service: Service) -> None:
    """Anyone can read it: each route with its anchor, reached by a link."""
    answer = service.anyone.get("/docs")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    read = Reading(answer.text)
    assert len(read.ids) == len(set(read.ids))
    for path, operations in service.described.schema["paths"].items():
        for method in operations:
            assert f"<code>{path}</code>" in answer.text, (method, path)
    assert answer.text.count("<article") == sum(map(len, service.described.schema["paths"].values()))
    inner = {link.removeprefix("#") for link in read.links if link.startswith("#")}
    assert inner <= set(read.ids)
    assert {link for link in read.links if not link.startswith("#")} == {"/openapi.json"}


def test_it_works_offline_under_a_strict_policy(http: Http) -> None:
    """No script, no other host; the style is the one that the policy names."""
    answer = http.get("/docs")
    policy = answer.headers["content-security-policy"]
    style = re.search(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "<script" not in answer.text
    assert "@import" not in style[1]
    assert "url(" not in style[1]
    assert set(re.findall(r"https?://[^\s'\"<&]+", answer.text)) <= {
        match
        for match in re.findall(r"https?://[^\s'\"<&]+", answer.text)
        if match.startswith(str(http.base_url)[:-1])
    } | {"https://api.openai.com/v1"}


def test_details_of_a_route(http: Http) -> None:
    """Fields, what is required, an example of an answer and a line to try it."""
    text = http.get("/docs").text
    article = re.search(r'<article id="post--v1-todos">.*?</article>', text, re.DOTALL)
    assert article is not None
    assert "<code>text</code><i>required</i>" in article[0]
    assert "<td>201</td>" in article[0]
    assert f"curl -s -X POST &#x27;{str(http.base_url).rstrip('/')}/v1/todos&#x27;" in article[0]
    assert "Content-Type: application/json" in article[0]


def test_a_host_cannot_write_into_the_page(service: Service) -> None:
    """Whatever a request calls us is shown only if it is a name."""
    for host in ('"><b>x', "[", "a b", "x'; rm -rf"):
        answer = httpx2.get(f"{service.url}/docs", headers={"Host": host}, timeout=60)
        if answer.status_code == 200:
            assert "http://localhost/health" in answer.text
            assert f"//{host}" not in answer.text
        else:
            assert answer.status_code == 400


def test_words_of_a_description_are_text() -> None:
    """Marks of HTML in a description stay what they are."""
    operation = {"description": "<b>bold</b> `code`", "responses": {"200": {"description": "<i>"}}}
    schema = {"info": {"title": "<t>", "version": "1"}, "paths": {"/<x>": {"get": operation}}}
    text = page(schema, "http://localhost")
    assert "&lt;b&gt;bold&lt;/b&gt; <code>code</code>" in text
    assert "<t>" not in text
    assert "/<x>" not in text


def test_the_description_needs_no_token(tmp_path: Path) -> None:
    """Programs read it as they find it, in local mode too."""
    with serving(tmp_path / "memory.db", local=True, embedder=FakeEmbedder(), worker="off") as service:
        described = service.anyone.get("/openapi.json").json()
    assert described["openapi"].startswith("3.")
    assert "422" not in {
        status
        for operations in described["paths"].values()
        for operation in operations.values()
        for status in operation["responses"]
    }
