// Prints which requests guard.mjs passes in Express: express.mjs <folder of guard.mjs> <host:port of the service>.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

const express = createRequire(join(process.cwd(), 'any.js'))('express');
const { guard } = await import(pathToFileURL(join(process.argv[2], 'guard.mjs')));

const products = express();
const options = { url: `http://${process.argv[3]}`, filter: 'recipe-guard', milliseconds: 30000 };
const show = (request, response) => response.send('a product');
products.get('/products/:id', guard({ ...options, elementOf: (request) => request.params.id }), show);
const server = products.listen(0, '127.0.0.1', async () => {
  const statuses = [];
  for (const id of ['a%20known%2Fone', 'another']) {
    statuses.push((await fetch(`http://127.0.0.1:${server.address().port}/products/${id}`)).status);
  }
  console.log(...statuses);
  process.exit();
});
