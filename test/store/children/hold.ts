// Takes a run over and holds it until it is killed; or says why it cannot.
import { AssayError } from '../../../src/errors.js';
import { openStore } from '../../../src/store/store.js';

const [root = '', runId = '', mode = 'own'] = process.argv.slice(2);
const store = await openStore(root);
if (mode === 'race') {
  console.log('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
}
try {
  const owner = await store.ownRun(runId);
  if (mode === 'execute') owner.schedule({ kind: 'rerun', rows: 'all' });
  console.log('holds');
  setInterval(() => owner.run.rows, 1000);
  if (mode === 'race') process.stdin.once('data', () => process.exit(0));
} catch (error) {
  console.log(error instanceof AssayError ? error.code : String(error));
  process.exit(0);
}
