// Deletes a run and says how that went.
import { AssayError } from '../../../src/errors.js';
import { openStore } from '../../../src/store/store.js';

const [root = '', runId = ''] = process.argv.slice(2);
try {
  await (await openStore(root)).deleteRun(runId);
  console.log('deleted');
} catch (error) {
  console.log(error instanceof AssayError ? error.code : String(error));
}
