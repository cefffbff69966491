'use strict';

// In this order the examples work on an empty service, one after the other.
const order = [
  'listFilters createFilter describeFilter probeFilter setExpiry removeExpiry clearFilter copyFilter',
  'mergeFilters exportFilter importFilter renameFilter deleteFilter',
  'addElements testElements testFewElements gate removeElements countElements',
  'addToFilters testElementsInFilters testFewElementsInFilters gateOfFilters',
  'openRebuild describeRebuild loadElements commitRebuild abortRebuild replaceElements',
  'setSource describeSource runSource removeSource',
  'size overview',
].join(' ').split(' ');

const place = (entry) => order.indexOf(entry.getIn(['operation', 'operationId']));

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
  operationsSorter: (a, b) => place(a) - place(b),
});
