"""Prints which requests guard.py passes: check.py <folder of guard.py> <host:port of the service>."""

import logging
import socket
import sys
import threading
from wsgiref.util import setup_testing_defaults

sys.path.insert(0, sys.argv[1])
from guard import Filter, guard

logging.disable()


def product(environ, start_response):
    start_response("200 OK", [])
    return [b"a product"]


def statuses(filter, **options):
    guarded = guard(product, filter, lambda environ: environ["QUERY_STRING"] or None, **options)
    seen = []
    for element in "a known/one", "another", "":
        environ = {"QUERY_STRING": element}
        setup_testing_defaults(environ)
        guarded(environ, lambda status, headers: seen.append(status[:3]))
    return " ".join(seen)


service = sys.argv[2]
print("filter", statuses(Filter("recipe-guard", service, seconds=30)))
print("no filter", statuses(Filter("recipe-no-filter", service, seconds=30)))
print("no filter, closed", statuses(Filter("recipe-no-filter", service, seconds=30), fail_open=False))
with socket.create_server(("127.0.0.1", 0)) as silent:
    print("silent, closed", statuses(Filter("recipe-guard", "127.0.0.1:%d" % silent.getsockname()[1]), fail_open=False))


def close_after_response(server):
    body = b'{"mightContain":[true],"mightContainCount":1}'
    while True:
        with server.accept()[0] as client:
            client.recv(65536)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


closing = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=close_after_response, args=(closing,), daemon=True).start()
address = "127.0.0.1:%d" % closing.getsockname()[1]
print("closing, closed", statuses(Filter("recipe-guard", address, seconds=30), fail_open=False))
