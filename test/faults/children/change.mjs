// Does one thing to files in each folder, and says whether it was told that it is done: `change.mjs <what> <kind of
// fault> <document> <folder>…`. The number of the change that goes wrong is the name of the folder. What fails is tried
// once more, without a fault.
import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { blessRun } from '../../../dist/cli/compare/bless-run.js';
import { writeToFile } from '../../../dist/cli/output-file.js';
import { writeSettings } from '../../../dist/settings/write-settings.js';
import { mergeParts } from '../../../dist/store/merge/merge-parts.js';
import { openStore } from '../../../dist/store/store.js';

const [what, kind, document, ...folders] = process.argv.slice(2);
const text = readFileSync(document, 'utf8');

async function* inPieces() {
  for (let start = 0; start < text.length; start += 500) yield text.slice(start, start + 500);
}

const counts = {
  trials: 1,
  passes: 1,
  judged: 1,
  errors: 0,
  scores: [],
  outputHash: null,
  latency: 1,
};
const evalCase = (n) => ({
  id: `a.eval.ts::row[${n}]`,
  function: `row[${n}]`,
  dataset: 'a',
  ...counts,
});
const compared = {
  head: { run_id: '0123456789ab', run_name: 'first', session_name: 'default', timestamp: 1 },
  cases: [0, 1, 2].map(evalCase),
  unfinished: 0,
};

const operations = {
  import: async (folder) => {
    const store = await openStore(join(folder, 'sessions'));
    await store.importRun(JSON.parse(text));
  },
  merge: async (folder) => {
    const parts = JSON.parse(text).map((part) => ({ folder: part, name: part }));
    await mergeParts(join(folder, 'sessions'), parts, { makeName: () => 'merged' });
  },
  export: (folder) => writeToFile(join(folder, 'file'), inPieces()),
  bless: (folder) => blessRun(compared, join(folder, 'file')),
  settings: (folder) => writeSettings(join(folder, 'file'), { concurrency: 4 }),
};

const makesRun = what === 'import' || what === 'merge';

for (const folder of folders) {
  const at = Number(basename(folder));
  const say = (said) => writeSync(1, `${JSON.stringify({ at, ...said })}\n`);
  mkdirSync(folder, { recursive: true });
  if (!makesRun) writeFileSync(join(folder, 'file'), 'trials: 2\n');
  for (const fault of [`${kind}@${at}`, `none@${at}`]) {
    writeFileSync(process.env.FAULT_FILE, fault);
    try {
      await operations[what](folder);
      say({ done: true });
      break;
    } catch (error) {
      say({ failed: error.code, known: error.constructor.name, text: error.message });
      if (fault.startsWith('none')) break;
    }
    if (!makesRun) say({ kept: readFileSync(join(folder, 'file'), 'utf8') });
  }
}
