// Writes the command reference of docs/cli.md (with `oclif readme`) and the table of commands above it.
// Both come from oclif.manifest.json, so they change only when a command does.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const reference = 'docs/cli.md';

execFileSync(
  process.execPath,
  [
    'node_modules/oclif/bin/run.js',
    'readme',
    '--readme-path',
    reference,
    '--no-source-links',
    '--tsconfig-path',
    'tsconfig.build.json',
  ],
  {
    cwd: fileURLToPath(root),
    env: { ...process.env, COLUMNS: '100', OCLIF_SKIP_NEW_VERSION_CHECK: 'true' },
  },
);
tidyReference();

/** Headings one level below the section they stand in, languages for the blocks of help, and a table for the list of commands. */
function tidyReference() {
  const text = read(reference);
  const at = text.indexOf('<!-- commands -->');
  const generated = text
    .slice(at)
    .replace(/(<!-- commands -->)\n|\n(<!-- commandsstop -->)/g, '$1\n\n$2')
    .replace(/(?:^\* .*\n)+/m, tableOf)
    .replaceAll(/^## `/gm, '### `')
    .replaceAll(/^```\n(?=EXAMPLES|USAGE)/gm, '```text\n');
  write(reference, text.slice(0, at) + generated);
}

/** A row with its summary for each line of the list: * [`assay run …`](#anchor) */
function tableOf(list) {
  const { commands } = JSON.parse(read('oclif.manifest.json'));
  const rows = [...list.matchAll(/^\* (\[`assay (.+)`\]\(#.+\))$/gm)].map(([, link, usage]) => {
    const words = usage.split(' ').filter((word) => /^[a-z-]+$/.test(word));
    return [link, commands[words.join(':')].summary];
  });
  return `${renderTable([['command', ''], ...rows])}\n`;
}

function renderTable([header, ...rows]) {
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`)
    .join('\n');
}

function read(path) {
  return readFileSync(new URL(path, root), 'utf8');
}

function write(path, text) {
  writeFileSync(new URL(path, root), text);
}
