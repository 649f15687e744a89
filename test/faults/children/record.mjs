// Makes a run in each folder, records results, edits and renames, as runner and server do, and says what it was told
// was saved: `record.mjs <run id> <folder>…`. In a folder of the name `eio@3` the third change goes wrong. What fails
// is tried once more.
import { writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openStore } from '../../../dist/store/store.js';

const [runId = '', ...folders] = process.argv.slice(2);
let fault = '';
const say = (said) => writeSync(1, `${JSON.stringify({ fault, ...said })}\n`);

async function step(name, act) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const value = await act();
      say({ step: name });
      return value;
    } catch (error) {
      say({ step: name, failed: error.code, known: error.constructor.name, text: error.message });
      // An execution is closed once; whoever comes next finds it interrupted.
      if (name === 'closed') return undefined;
      if (attempt === 2) process.exit(1);
    }
  }
}

const plan = (index) => ({
  index,
  id: `a.eval.ts::row[${index}]`,
  evaluation: 'a.eval.ts::row',
  function: `row[${index}]`,
  dataset: 'a',
  labels: [],
  input: { index },
  reference: null,
  metadata: {},
});
const result = (index) => ({
  index,
  status: 'completed',
  output: `output ${index}`,
  scores: [{ key: 'exact', passed: true }],
  error: null,
  latency: 0.5,
  trace_data: {},
});

async function record(root) {
  const store = await openStore(root);
  const header = { session_name: 'default', run_name: 'first', path: '.', config_name: 'default' };
  const owner = await step('made', () =>
    store.createRun({ ...header, selection: {}, run_id: runId }),
  );
  const { run } = owner;
  await step('planned', () => owner.plan([0, 1, 2, 3].map(plan)));
  await step('scheduled', () => owner.schedule({ kind: 'run', rows: 'all' }));
  await step('finished 0', () => owner.finish([result(0)]));
  await step('finished 1 2', () => owner.finish([result(1), result(2)]));
  await step('edited 0', () => run.edit(0, { annotation: 'note' }));
  await step('saved', () => owner.save());
  await step('finished 3', () => owner.finish([result(3)]));
  await step('edited 1', () => run.edit(1, { scores: [{ key: 'exact', passed: false }] }));
  await step('renamed', () => run.rename('second'));
  await step('closed', () => owner.close('finished'));
  await step('edited 2', () => run.edit(2, { annotation: 'after' }));
  await run.close();
}

for (const folder of folders) {
  fault = basename(folder);
  writeFileSync(process.env.FAULT_FILE, fault);
  await record(join(folder, '.assay', 'sessions'));
}
