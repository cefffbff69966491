"""Calls the dupefilter without Scrapy: dupefilter.py <folder> <host of the service> <filter>."""

import selectors
import socket
import sys
import threading
import types

folder, host, name = sys.argv[1:]


class Request:
    def __init__(self, url):
        self.url = url


scrapy = {part: types.ModuleType(part) for part in ("scrapy", "scrapy.dupefilters", "scrapy.utils", "scrapy.utils.request")}
scrapy["scrapy.dupefilters"].BaseDupeFilter = object
scrapy["scrapy.utils.request"].fingerprint = lambda request: request.url.encode()
sys.modules.update(scrapy)
sys.path.insert(0, folder)

from dupefilter import BloomgateDupeFilter  # noqa: E402


def forward(client):
    """Passes one request to the service and its response back, then closes the connection without announcing it."""
    with client, socket.create_connection(host.split(":")) as service:
        request = client.recv(65536)
        while b"elements" not in request:
            request += client.recv(65536)
        service.sendall(request)
        client.sendall(service.recv(65536))


def serve(listening):
    while True:
        forward(listening.accept()[0])


listening = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listening,), daemon=True).start()


def seen(dupefilter, *urls):
    """The answers to requests on a connection that is idle in between."""
    for url in urls:
        yield dupefilter.request_seen(Request(url))
        if dupefilter.connection.sock is not None and dupefilter.connection.port == listening.getsockname()[1]:
            with selectors.DefaultSelector() as selector:
                selector.register(dupefilter.connection.sock, selectors.EVENT_READ)
                selector.select(timeout=30)


closing = "127.0.0.1:%d" % listening.getsockname()[1]
print("open", *seen(BloomgateDupeFilter(host, name), "a", "b", "a"))
print("closed while idle", *seen(BloomgateDupeFilter(closing, name), "c", "d", "c", "d"))
print("no filter", *seen(BloomgateDupeFilter(host, name + ".none"), "a", "a"))
