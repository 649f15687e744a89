// Writes docs/openapi.json and docs/rest-api.md from the routes of the server.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allRoutes } from '../dist/server/api/index.js';
import { createOpenApi } from '../dist/server/openapi.js';
import { renderRestDocs } from './render-rest-docs.mjs';

const root = new URL('..', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
// Handlers are described, not called, so there is nothing they would need.
const text = JSON.stringify(createOpenApi(allRoutes({}, {}), version), null, 2);
writeFileSync(new URL('docs/openapi.json', root), `${text}\n`);
writeFileSync(new URL('docs/rest-api.md', root), renderRestDocs(JSON.parse(text)));
execFileSync(
  process.execPath,
  ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', 'docs/openapi.json'],
  { cwd: fileURLToPath(root), stdio: ['ignore', 'ignore', 'inherit'] },
);
