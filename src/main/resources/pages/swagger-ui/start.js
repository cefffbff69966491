'use strict';

// The contract is in the order in which the examples work on an empty service. What they made is deleted last.
const isDelete = (entry) => Number(entry.get('method') === 'delete');

// The contract names no server, and from that the page concludes the root of the host. Behind a proxy
// the service may have a prefix there, which is above this page.
const root = new URL('../..', location.href).href;

function toService(request) {
  if (!request.loadSpec) {
    request.url = request.url.replace(`${location.origin}/`, root);
    // The body and the query of a stream decide its answer's type, which the page cannot know.
    if (request.body && request.headers['Content-Type'] !== 'application/json') {
      request.headers.Accept = '*/*';
    }
  }
  return request;
}

SwaggerUIBundle({
  url: '../openapi',
  dom_id: '#swagger-ui',
  deepLinking: true,
  requestInterceptor: toService,
  showExtensions: true,
  operationsSorter: (a, b) => isDelete(a) - isDelete(b),
});
