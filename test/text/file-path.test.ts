import { posix, win32 } from 'node:path';
import { expect } from 'chai';
import { isInside, relativePath, shownPath, slashed } from '../../src/text/file-path.js';

describe('paths', () => {
  it('have slashes in ids and reports on every system', () => {
    expect(slashed('evals\\orders.eval.ts', win32)).to.equal('evals/orders.eval.ts');
    expect(relativePath('C:\\work\\app', 'C:\\work\\app\\evals\\a.eval.ts', win32)).to.equal(
      'evals/a.eval.ts',
    );
    expect(relativePath('C:\\Work\\App', 'c:\\work\\app\\Evals\\a.eval.ts', win32)).to.equal(
      'Evals/a.eval.ts',
    );
    expect(relativePath('C:\\work\\app', 'C:\\work\\b.eval.ts', win32)).to.equal('../b.eval.ts');
  });

  it('keep a backslash that is part of a name', () => {
    expect(slashed('evals/a\\b.eval.ts', posix)).to.equal('evals/a\\b.eval.ts');
  });

  it('are inside a folder or not', () => {
    for (const [folder, path, inside] of [
      ['/app', '/app', true],
      ['/app', '/app/..evals/a', true],
      ['/app', '/app/../b', false],
      ['/app', '/', false],
      ['/app', '/application', false],
    ] as const) {
      expect(isInside(folder, path, posix), path).to.equal(inside);
    }
    for (const [path, inside] of [
      ['C:\\app\\a', true],
      ['c:\\APP\\a', true],
      ['C:\\', false],
      ['D:\\app\\a', false],
      ['\\\\server\\share\\app\\a', false],
    ] as const) {
      expect(isInside('C:\\app', path, win32), path).to.equal(inside);
    }
  });

  it('are shown relative only below the working directory', () => {
    expect(shownPath('C:\\app', 'C:\\app\\assay.yaml', win32)).to.equal('assay.yaml');
    expect(shownPath('C:\\app', 'D:\\assay.yaml', win32)).to.equal('D:\\assay.yaml');
    expect(shownPath('/app', '/app/..settings/assay.yaml', posix)).to.equal(
      '..settings/assay.yaml',
    );
    expect(shownPath('/app', '/assay.yaml', posix)).to.equal('/assay.yaml');
  });
});
