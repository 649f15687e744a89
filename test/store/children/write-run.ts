// Runs a saved run again, a row at a time, as it is told line by line: `finish`, `edit`, `rename`, `close`.
import { createInterface } from 'node:readline';
import { openStore } from '../../../src/store/store.js';

const [root = '', runId = ''] = process.argv.slice(2);
const owner = await (await openStore(root)).ownRun(runId);
owner.schedule({ kind: 'rerun', rows: 'all' });
await owner.save();
console.log('ready');
let next = 0;
for await (const line of createInterface(process.stdin)) {
  if (line === 'finish') {
    owner.finish([
      {
        index: next,
        status: 'completed',
        output: `again ${next}`,
        scores: [{ key: 'exact', passed: false }],
        error: null,
        latency: 0.5,
        trace_data: {},
      },
    ]);
    next += 1;
  }
  if (line === 'edit') await owner.run.edit(0, { annotation: 'from elsewhere' });
  if (line === 'rename') await owner.run.rename('from-elsewhere');
  if (line === 'close') await owner.close('finished');
  console.log(`did ${line}`);
}
