// Writes assay.schema.json, the JSON schema of assay.yaml, and the table of docs/settings.md from the table of settings.
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsJsonSchema } from '../dist/settings/json-schema.js';
import { settingTable } from '../dist/settings/setting-table.js';

const schema = JSON.stringify(settingsJsonSchema(), null, 2);
writeFileSync(new URL('../assay.schema.json', import.meta.url), `${schema}\n`);

const rows = Object.entries(settingTable).map(
  ([key, { description, expected, default: value }]) => [
    `\`${key}\``,
    description,
    expected,
    `\`${value}\``,
    `\`ASSAY_${key.toUpperCase()}\``,
  ],
);
const head = ['key', 'meaning', 'values', 'default', 'environment variable'];
const table = [
  head,
  head.map(() => '---'),
  ...rows,
  ['`configs`', '[Run configs](#run-configs) by name.', '', '', ''],
  ['`scores`', '[Score rules](#scores) by score key.', '', '', ''],
  ['`rubrics`', '[Texts by which people label](review.md#rubrics), by score key.', '', '', ''],
  ['`views`', '[Views](#views) of the dashboard by name.', '', '', ''],
  ['`prices`', '[Prices](#prices) of models by name.', '', '', ''],
  ['`rates`', '[Rates](#rates) of models by name or host.', '', '', ''],
].map((cells) => `| ${cells.join(' | ')} |`);
const page = new URL('../docs/settings.md', import.meta.url);
const [before, , after] = readFileSync(page, 'utf8').split(/<!-- settings(?:stop)? -->/);
writeFileSync(
  page,
  `${before}<!-- settings -->\n\n${table.join('\n')}\n\n<!-- settingsstop -->${after}`,
);
