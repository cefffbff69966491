'use strict';

// Tags and operations keep the order of the contract, in which the examples work on an empty
// service. Deletions come last.
const isDelete = (entry) => Number(entry.get('method') === 'delete');

// The contract names no server, so the page would use the root of the host. Behind a proxy, the
// service may have a path prefix, which is the parent of this page.
const root = new URL('../..', location.href).href;

function toService(request) {
  if (!request.loadSpec) {
    request.url = request.url.replace(`${location.origin}/`, root);
    // The type of a stream's response depends on its body and query, which the page cannot know.
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
