"""Prints which requests fastapi_guard.py passes: fastapi.py <folder of the guard> <host:port of the service>."""

import logging
import sys

sys.path[0] = sys.argv[1]
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient
from fastapi_guard import Guard

logging.disable()
url = "http://" + sys.argv[2]


def statuses(guard):
    products = FastAPI()

    @products.get("/products/{id}", dependencies=[Depends(guard)])
    def show(id: str):
        return id

    with TestClient(products) as client:
        return [client.get("/products/" + id).status_code for id in ("known", "unknown")]


print(*statuses(Guard("recipe-guard", url, 30)))
print(*statuses(Guard("recipe-no-filter", url, 30)), *statuses(Guard("recipe-no-filter", url, 30, fail_open=False)))
