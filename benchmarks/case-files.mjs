// How long a list of cases in YAML takes to read, from its file to the last case.
// node benchmarks/case-files.mjs [--megabytes 2] [--dist ../other/dist]; needs a built dist.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '2' },
    dist: { type: 'string', default: 'dist' },
  },
});
const { fromYaml } = await import(pathToFileURL(resolve(values.dist, 'index.js')).href);

const kinds = {
  'short cases': (n) => `- input: q${n}\n`,
  'quotes and metadata': (n) =>
    `- input: "Where is order ${n * 7919}?"\n  reference: order ${n}\n  id: case-${n}\n  labels: [a, b]\n  metadata:\n    kind: plain\n`,
  'in braces': (n) => `- {id: c${n}, input: {a: ${n}, b: [1, x y, true]}, reference: "r ${n}"}\n`,
  'block texts': (n) =>
    `- input: |\n    Line one of ${n}\n\n    Line two: it's here\n  reference: 'no ''${n}'''\n`,
  'with an anchor': (n) => `- input: ${n === 0 ? '&first' : ''} q${n}\n`,
};

const folder = mkdtempSync(join(tmpdir(), 'assay-case-files-'));
try {
  for (const [kind, row] of Object.entries(kinds)) {
    const file = join(folder, 'cases.yaml');
    writeFileSync(file, listOf(row, Number(values.megabytes) * 1024 * 1024));
    const times = [];
    let count = 0;
    for (let run = 0; run < 3; run += 1) {
      const start = performance.now();
      count = 0;
      for await (const _ of fromYaml(file)) count += 1;
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    console.log(
      `${kind.padEnd(24)} ${String(count).padStart(8)} cases  ${median(times).toFixed(0).padStart(6)} ms`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function listOf(row, bytes) {
  const rows = [];
  for (let size = 0; size < bytes; size += rows.at(-1).length) rows.push(row(rows.length));
  return rows.join('');
}
