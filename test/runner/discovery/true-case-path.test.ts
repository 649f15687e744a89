import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { trueCasePath } from '../../../src/runner/discovery/true-case-path.js';

describe('trueCasePath', () => {
  let folder: string;

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-spelled-')));
    mkdirSync(join(folder, 'Evals/Deep'), { recursive: true });
    for (const name of [
      'Evals/Orders.eval.ts',
      'Evals/Caf\u00e9.eval.ts',
      'b.eval.ts',
      'B.eval.ts',
    ]) {
      writeFileSync(join(folder, name), '');
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [given, spelled] of [
    ['evals/orders.EVAL.ts', 'Evals/Orders.eval.ts'],
    ['EVALS/DEEP', 'Evals/Deep'],
    ['Evals/Cafe\u0301.eval.ts', 'Evals/Caf\u00e9.eval.ts'],
    ['b.eval.ts', 'b.eval.ts'],
    ['B.eval.ts', 'B.eval.ts'],
    ['evals/missing.eval.ts', 'Evals/missing.eval.ts'],
    ['missing/Orders.eval.ts', 'missing/Orders.eval.ts'],
  ] as const) {
    it(`gives ${given} the name ${spelled}`, async () => {
      expect(await trueCasePath(join(folder, given), folder)).to.equal(join(folder, spelled));
    });
  }

  it('follows a path out of the folder and back', async () => {
    const deep = join(folder, 'Evals/Deep');
    expect(await trueCasePath(join(folder, 'evals/orders.eval.ts'), deep)).to.equal(
      join(folder, 'Evals/Orders.eval.ts'),
    );
    expect(await trueCasePath(folder, folder)).to.equal(folder);
  });
});
