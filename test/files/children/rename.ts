// Renames `new` to `old` as on another system, where the first renames fail, and says how that went: once for each
// [folder, platform, code, failures] of a list.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const { renameSync } = fs;
let [code, left, tries] = ['', 0, 0];
fs.renameSync = (from, to) => {
  tries += 1;
  left -= 1;
  if (left >= 0) throw Object.assign(new Error(code), { code });
  renameSync(from, to);
};
syncBuiltinESMExports();

const { renameOver } = await import('../../../src/files/file-operations.js');
const said: string[] = [];
for (const [folder, platform, failure, failures] of JSON.parse(process.argv[2] ?? '')) {
  Object.defineProperty(process, 'platform', { value: platform });
  [code, left, tries] = [failure, failures, 0];
  try {
    renameOver(join(folder, 'new'), join(folder, 'old'));
    said.push(`renamed after ${tries} tries`);
  } catch (error) {
    said.push(`${(error as NodeJS.ErrnoException).code} after ${tries} tries`);
  }
}
console.log(JSON.stringify(said));
