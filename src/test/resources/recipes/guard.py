"""Prints which requests guard.py passes: check.py <folder of guard.py> <host:port of the service>."""

import logging
import socket
import sys
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
