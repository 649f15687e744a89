import { expect } from 'chai';
import {
  firstVersionPath,
  folderOfAttempt,
  folderOfFile,
  readExchanges,
  writeExchange,
  writePlain,
} from '../../src/recordings/recording-files.js';
import { temporaryFolder } from '../store/builders.js';

describe('folders of recordings', () => {
  const file = 'evals/a.eval.ts';

  it('are different for all names, also where case does not count, and never those of assay', () => {
    const names = [
      ...[
        'refund',
        'Refund',
        'REFUND',
        '_import',
        '_shared',
        '_keys',
        '_Keys',
        '.',
        '..',
        '.a',
        'a.',
      ],
      ...[
        'con',
        'CON',
        'aux.txt',
        'Lpt1.x',
        'a/b',
        'a\\b',
        'a:b',
        'a*',
        'a b',
        'a ',
        ' a',
        'ü',
        'u\u0308',
        '~',
        'a~1',
      ],
      ...['x'.repeat(199), `${'x'.repeat(199)}y`, '', '👋', '\u0000'],
    ];
    const folders = [
      ...names.map((evaluation) => folderOfAttempt({ file, evaluation })),
      ...names.map((one) => folderOfAttempt({ file, evaluation: 'one', case: one, trial: 2 })),
      ...(['import', 'shared', 'keys'] as const).map((own) => `${folderOfFile(file, own)}/1`),
    ];
    expect(new Set(folders.map((one) => one.toLowerCase())).size).to.equal(folders.length);
    for (const folder of folders) {
      expect(folder).to.match(/^evals\/a\.eval\.ts(\/[\w-][\w.~-]{0,79}){2}$/);
      expect(folder).to.not.match(/\.(\/|$)|\/(con|aux|lpt1)[./]/i);
    }
  });

  it('are those of exchanges of both versions', () => {
    const root = temporaryFolder();
    const request = { method: 'GET', url: 'https://a.test/' };
    const exchange = { role: 'target', request, response: { status: 200, headers: {} } };
    for (const source of [
      { file },
      { file, evaluation: 'one' },
      { file, evaluation: 'one', case: 'x' },
    ]) {
      const folder = folderOfAttempt(source);
      const idsIn = (path: string) => readExchanges(root, path)?.map(({ id }) => id);
      writeExchange(root, { path: `${folder}/0-1.json`, source, exchange });
      expect(idsIn(`${folder}/0-1.json`)).to.deep.equal([`${folder}/0-1`]);
      const all = {
        assay_recording: 1,
        ...source,
        exchanges: [{ name: '01-target-0', ...exchange }],
      };
      writePlain(root, firstVersionPath(source), JSON.stringify(all));
      expect(idsIn(firstVersionPath(source))).to.deep.equal([`${folder}/01-target-0`]);
    }
  });
});
