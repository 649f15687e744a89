// Writes docs/openapi.json and docs/rest-api.md from the routes of the server.
import { readFileSync, writeFileSync } from 'node:fs';
import { createOpenApi } from '../dist/server/openapi.js';
import { allRoutes } from '../dist/server/routes/index.js';
import { renderRestDocs } from './render-rest-docs.mjs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
// Handlers are described, not called, so there is nothing they would need.
const text = JSON.stringify(createOpenApi(allRoutes({}), version), null, 2);
write('docs/openapi.json', `${text}\n`);
write('docs/rest-api.md', renderRestDocs(JSON.parse(text)));

function write(path, content) {
  writeFileSync(new URL(`../${path}`, import.meta.url), content);
}
