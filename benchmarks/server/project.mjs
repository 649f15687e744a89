import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Makes a folder a project that uses this checkout, with one eval file: `wait` is what `evaluation()` takes; `views` are more settings. */
export function writeProject(folder, { concurrency, wait, views = '' }) {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(checkout, join(folder, 'node_modules/assay'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'assay.yaml'), `concurrency: ${concurrency}\n${views}`);
  const imports = `import { evaluation } from 'assay';\nimport { setTimeout } from 'node:timers/promises';\n`;
  writeFileSync(
    join(folder, 'wait.eval.ts'),
    `${imports}export const wait = evaluation(${wait});\n`,
  );
}
