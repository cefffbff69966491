"""A dupefilter for Scrapy that crawlers share: DUPEFILTER_CLASS = "dupefilter.BloomgateDupeFilter"."""

import http.client
import json
import logging
import os
import selectors

from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.request import fingerprint

log = logging.getLogger(__name__)


class BloomgateDupeFilter(BaseDupeFilter):
    def __init__(self, host, name):
        self.path = f"/v1/filters/{name}/add"
        self.connection = http.client.HTTPConnection(host, timeout=1)
        self.headers = {"Content-Type": "application/json"}
        if os.environ.get("BLOOMGATE_KEY"):
            self.headers["Authorization"] = "Bearer " + os.environ["BLOOMGATE_KEY"]

    @classmethod
    def from_crawler(cls, crawler):
        settings = crawler.settings
        return cls(settings.get("BLOOMGATE_HOST", "localhost:8080"), settings["BLOOMGATE_FILTER"])

    def request_seen(self, request):
        body = json.dumps({"elements": [fingerprint(request).hex()]})
        try:
            if self.is_closed():
                self.connection.close()  # the next request opens another
            self.connection.request("POST", self.path, body, self.headers)
            answer = self.connection.getresponse()
            content = json.loads(answer.read())
            if answer.status != 200:
                raise ValueError(f"{answer.status} {content['code']}: {content['detail']}")
            return not content["added"][0]
        except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
            self.connection.close()
            log.warning("Cannot tell whether a request was seen, so it is crawled: %r", error)
            return False

    def is_closed(self):
        """Whether the service has closed the idle connection. Repeating a failed add instead would report the page as
        seen if the first add had arrived."""
        if self.connection.sock is None:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self.connection.sock, selectors.EVENT_READ)
            return bool(selector.select(timeout=0))

    def close(self, reason):
        self.connection.close()
