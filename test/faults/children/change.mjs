// Does one thing to files in each folder, and says whether it was told that it is done: `change.mjs <document>
// <folder>…`. The document has a run and the folders of its parts. A folder of the name `import-eio@3` is for an import
// of which the third change goes wrong. What fails is tried once more, without a fault.
import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { blessRun } from '../../../dist/cli/compare/bless-run.js';
import { writeToFile } from '../../../dist/cli/output-file.js';
import { writeSettings } from '../../../dist/settings/write-settings.js';
import { mergeParts } from '../../../dist/store/merge/merge-parts.js';
import { openStore } from '../../../dist/store/store.js';

const [document, ...folders] = process.argv.slice(2);
const { whole, parts } = JSON.parse(readFileSync(document, 'utf8'));
const text = JSON.stringify(whole);

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
    await store.importRun(whole);
  },
  merge: async (folder) => {
    const named = parts.map((part) => ({ folder: part, name: part }));
    await mergeParts(join(folder, 'sessions'), named, { makeName: () => 'merged' });
  },
  export: (folder) => writeToFile(join(folder, 'file'), inPieces()),
  bless: (folder) => blessRun(compared, join(folder, 'file')),
  settings: (folder) => writeSettings(join(folder, 'file'), { concurrency: 4 }),
};

const setFault = (fault) => writeFileSync(process.env.FAULT_FILE, fault);

for (const folder of folders) {
  const name = basename(folder);
  const [what, fault] = name.split('-');
  const makesRun = what === 'import' || what === 'merge';
  const say = (said) => writeSync(1, `${JSON.stringify({ name, ...said })}\n`);
  setFault('none');
  mkdirSync(folder, { recursive: true });
  if (!makesRun) writeFileSync(join(folder, 'file'), 'trials: 2\n');
  for (const one of [fault, 'none']) {
    setFault(one);
    try {
      await operations[what](folder);
      say({ done: true });
      break;
    } catch (error) {
      say({ failed: error.code, known: error.constructor.name, text: error.message });
    }
    if (!makesRun) say({ kept: readFileSync(join(folder, 'file'), 'utf8') });
  }
}
