// Takes the lock of a folder and says how that went.
import { AssayError } from '../../../src/errors.js';
import { takeLock } from '../../../src/store/lock/lock.js';

const [folder = ''] = process.argv.slice(2);
try {
  takeLock(folder, 'The folder');
  console.log('taken');
} catch (error) {
  console.log(error instanceof AssayError ? error.code : String(error));
}
