"""The yardstick of the service: the same framework on the same server with one route that answers `{}`.

python -m benchmarks.empty    prints its port when it is ready, and serves until it is ended
"""

import socket

import uvicorn
from fastapi import FastAPI

app = FastAPI()


@app.get("/")
@app.post("/")
async def empty() -> dict[str, str]:
    """Nothing."""
    return {}


def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
