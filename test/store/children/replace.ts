// Replaces a file and says how that went.
import { AssayError } from '../../../src/errors.js';
import { replaceFile } from '../../../src/store/atomic-file.js';

const [path = '', size = '0'] = process.argv.slice(2);
try {
  await replaceFile(path, 'n'.repeat(Number(size)));
  console.log('replaced');
} catch (error) {
  console.log(error instanceof AssayError ? error.code : String(error));
}
