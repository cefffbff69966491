"""WSGI middleware that answers 404 for ids that certainly do not exist, before they reach the database."""

import http.client
import json
import logging
import os
import threading
from urllib.parse import quote

log = logging.getLogger(__name__)


class Filter:
    """A Bloomgate filter. Thread-safe; each thread has its own connection."""

    def __init__(self, name, host="localhost:8080", seconds=0.1):
        self.path = f"/v1/filters/{name}/test?element="
        self.host, self.seconds = host, seconds
        self.key = os.environ.get("BLOOMGATE_KEY")
        self.of_thread = threading.local()

    def might_contain(self, element):
        """True for maybe, False for certainly not, None if there is no answer."""
        try:
            try:
                return self._ask(element)
            except ConnectionError:  # the idle connection has been closed
                return self._ask(element)
        except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
            log.warning("The filter cannot be queried: %r", error)
            return None

    def _ask(self, element):
        if not hasattr(self.of_thread, "connection"):
            self.of_thread.connection = http.client.HTTPConnection(self.host, timeout=self.seconds)
        connection = self.of_thread.connection
        try:
            headers = {"Authorization": "Bearer " + self.key} if self.key else {}
            connection.request("GET", self.path + quote(element, safe=""), headers=headers)
            answer = connection.getresponse()
            body = json.loads(answer.read())
            if answer.status != 200:  # never a "no": 404 means that the filter does not exist
                raise ValueError(f"{answer.status} {body['code']}: {body['detail']}")
            return body["mightContain"][0]
        except BaseException:
            connection.close()
            raise


def guard(application, filter, element_of, fail_open=True):
    """element_of(environ) returns the requested id, or None to let the request pass."""

    def guarded(environ, start_response):
        element = element_of(environ)
        known = True if element is None else filter.might_contain(element)
        if known or (known is None and fail_open):
            return application(environ, start_response)
        status = "404 Not Found" if known is False else "503 Service Unavailable"
        start_response(status, [("Content-Type", "text/plain"), ("Content-Length", "0")])
        return [b""]

    return guarded
