// Prints which requests guard.mjs passes: guard.mjs <folder of guard.mjs> <host:port of the service>.
import { createServer } from 'node:http';
import { createServer as createSilentServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { guard } = await import(pathToFileURL(join(process.argv[2], 'guard.mjs')));
console.warn = () => {};

async function print(title, options) {
  const elementOf = (request) => new URL(request.url, 'http://x').searchParams.get('id') ?? undefined;
  const guarded = guard({ elementOf, ...options });
  const server = createServer((request, response) =>
    guarded(request, response, (error) => {
      response.statusCode = error ? 500 : 200;
      response.end('a product');
    }),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const statuses = [];
  for (const query of ['?id=a+known/one', '?id=another', '']) {
    statuses.push((await fetch(`http://127.0.0.1:${server.address().port}/${query}`)).status);
  }
  console.log(title, ...statuses);
  server.closeAllConnections();
  server.close();
}

const url = `http://${process.argv[3]}`;
await print('filter', { url, filter: 'recipe-guard', milliseconds: 30000 });
await print('no filter', { url, filter: 'recipe-no-filter', milliseconds: 30000 });
await print('no filter, closed', { url, filter: 'recipe-no-filter', milliseconds: 30000, failOpen: false });
await print('two ids', { url, filter: 'recipe-guard', milliseconds: 30000, elementOf: () => ['a known/one', 'another'] });
await print('bad id', { url, filter: 'recipe-guard', elementOf: () => { throw new URIError('malformed'); } });
const silent = createSilentServer(() => {});
await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
await print('silent, closed', { url: `http://127.0.0.1:${silent.address().port}`, filter: 'recipe-guard', failOpen: false });
const body = '{"mightContain":[true],"mightContainCount":1}';
const response = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const closing = createSilentServer((socket) => socket.once('data', () => socket.end(response)));
await new Promise((resolve) => closing.listen(0, '127.0.0.1', resolve));
await print('closing, closed', { url: `http://127.0.0.1:${closing.address().port}`, filter: 'recipe-guard', milliseconds: 30000, failOpen: false });
process.exit();
