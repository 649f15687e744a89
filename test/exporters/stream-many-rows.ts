import { findExporter } from '../../src/exporters/index.js';
import type { ReadableRun } from '../../src/model/readable-run.js';
import { buildEntry, buildHead } from './sample-run.js';

/** Run by itself with a small heap: exports 100,000 rows of 1 kB that are made as they are read. */
const rowCount = 100_000;
const text = 'word '.repeat(200);
let made = 0;
let madeAtFirstPiece = 0;
let longest = 0;
let total = 0;

const run: ReadableRun = {
  head: buildHead(rowCount),
  rows: [],
  scoreChips: [{ key: 'exact', type: 'ratio', passed: 1, total: 2 }],
  trace: () => ({ calls: [] }),
  async *entries() {
    for (let index = 0; index < rowCount; index += 1) {
      made += 1;
      const scores = [{ key: 'exact', passed: index % 2 === 0 }];
      yield { index, entry: buildEntry({ id: `a::${index}` }, { input: text + index, scores }) };
    }
  },
};

for await (const piece of findExporter(process.argv[2] ?? '').render(run)) {
  if (madeAtFirstPiece === 0) madeAtFirstPiece = made;
  longest = Math.max(longest, piece.length);
  total += piece.length;
}
process.stdout.write(JSON.stringify({ made, madeAtFirstPiece, longest, total }));
