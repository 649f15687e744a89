// Writes `run.json` in a folder, of a given size, and says how that went.
import { AssayError } from '../../../src/errors.js';
import { RunJsonWriter } from '../../../src/store/listing/run-json.js';

const [folder = '', size = '0'] = process.argv.slice(2);
try {
  await new RunJsonWriter(
    folder,
    () => 'n'.repeat(Number(size)),
    () => false,
  ).save();
  console.log('replaced');
} catch (error) {
  console.log(error instanceof AssayError ? error.code : String(error));
}
