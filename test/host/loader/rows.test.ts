import path from 'node:path';
import { expect } from 'chai';
import { formatRows } from './format-rows.js';
import { writeProject } from './project.js';
import { resolutionRows } from './resolution-rows.js';
import type { Row } from './row.js';
import { type Imported, importFiles } from './run-host.js';
import { syntaxRows } from './syntax-rows.js';
import { textRows } from './text-rows.js';

const tables: Readonly<Record<string, readonly Row[]>> = {
  'module formats': formatRows,
  'module resolution': resolutionRows,
  syntax: syntaxRows,
  'text as a module': textRows,
};

for (const [name, rows] of Object.entries(tables)) {
  describe(`loading TypeScript: ${name}`, () => {
    let imported: readonly Imported[];

    before(async () => {
      imported = await importFiles(
        rows.map(({ files, entry }) => path.join(writeProject(files), entry)),
      );
    });

    for (const [index, { title, result }] of rows.entries()) {
      it(title, () => {
        expect(imported[index]).to.deep.equal({ result });
      });
    }
  });
}
