// Renames `new` to `old` as on another system, where the first renames fail, and says how that went.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [folder = '', platform = '', code = '', failures = '0'] = process.argv.slice(2);
Object.defineProperty(process, 'platform', { value: platform });
const { renameSync } = fs;
let tries = 0;
fs.renameSync = (from, to) => {
  tries += 1;
  if (tries <= Number(failures)) throw Object.assign(new Error(code), { code });
  renameSync(from, to);
};
syncBuiltinESMExports();

const { renameOver } = await import('../../../src/files/file-operations.js');
try {
  renameOver(join(folder, 'new'), join(folder, 'old'));
  console.log(`renamed after ${tries} tries`);
} catch (error) {
  console.log(`${(error as NodeJS.ErrnoException).code} after ${tries} tries`);
}
