// Edits one result of a run many times over.
import { openStore } from '../../../src/store/store.js';

const [root = '', runId = '', index = '0', count = '1', text = ''] = process.argv.slice(2);
const run = await (await openStore(root)).openRun(runId);
console.log('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
for (let edit = 0; edit < Number(count); edit += 1) {
  await run.edit(Number(index), { annotation: `${text} ${edit}` });
}
await run.close();
process.exit(0);
