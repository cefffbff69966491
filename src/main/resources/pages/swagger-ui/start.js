'use strict';

// Tags and operations keep the order of the contract, in which the examples work on an empty
// service. Deletions come last.
const isDelete = (entry) => Number(entry.get('method') === 'delete');

// The server in the contract is for generated clients. The page calls the service that it comes
// from, which may have a path prefix behind a proxy: the parent of this page.
const servers = [{ url: new URL('../..', location.href).href }];

const STEPS = `

**Try it out.** The operations work from top to bottom with the values that are filled in. Three need a step before:

- Run *Create a filter* twice, the second time with both examples named \`sessions\`.
- Before *Import a filter*, download the result of *Export a filter*.
- Before *Abort a rebuild*, open another one, because the commit has ended the first.`;

const ofThisPage = (updateJsonSpec) => (contract) =>
  updateJsonSpec({
    ...contract,
    servers,
    info: { ...contract.info, description: contract.info.description + STEPS },
  });

function acceptAnyLines(request) {
  // The type of a stream's response depends on its body and query, which the page cannot know.
  if (!request.loadSpec && request.body && request.headers['Content-Type'] !== 'application/json') {
    request.headers.Accept = '*/*';
  }
  return request;
}

SwaggerUIBundle({
  url: '../openapi',
  dom_id: '#swagger-ui',
  deepLinking: true,
  requestInterceptor: acceptAnyLines,
  plugins: [{ statePlugins: { spec: { wrapActions: { updateJsonSpec: ofThisPage } } } }],
  showExtensions: true,
  operationsSorter: (a, b) => isDelete(a) - isDelete(b),
});
