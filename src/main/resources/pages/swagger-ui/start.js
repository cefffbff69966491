'use strict';

// In this order the examples work on an empty service, one after the other.
const order = [
  'listFilters createFilter describeFilter probeFilter setExpiry removeExpiry clearFilter copyFilter',
  'mergeFilters exportFilter importFilter renameFilter deleteFilter',
  'addElements testElements testFewElements gate removeElements countElements',
  'openRebuild describeRebuild loadElements commitRebuild abortRebuild replaceElements',
  'setSource describeSource runSource removeSource',
  'size overview',
].join(' ').split(' ');

const place = (entry) => order.indexOf(entry.getIn(['operation', 'operationId']));

SwaggerUIBundle({
  url: '../openapi',
  dom_id: '#swagger-ui',
  deepLinking: true,
  operationsSorter: (a, b) => place(a) - place(b),
});
