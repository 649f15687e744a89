import { expect } from 'chai';
import { Chalk } from 'chalk';
import { renderMeasures } from '../../../src/cli/compare/compare-report.js';
import { compareRuns } from '../../../src/compare/compare-runs.js';
import { evalCase, comparedRun as run, valued } from '../../compare/eval-cases.js';

describe('renderMeasures', () => {
  const valuesOf = (value: number) =>
    Array.from({ length: 8 }, (_, at) =>
      evalCase(`${at}`, { scores: valued('length_of_answer', value + at) }),
    );
  const runs = compareRuns(run('before', valuesOf(1e9)), [run('after', valuesOf(2e9))]);
  const linesAt = (columns: number) =>
    renderMeasures(runs, { columns, colours: new Chalk({ level: 0 }) } as Parameters<
      typeof renderMeasures
    >[1]);

  it('keeps the names of measures on narrow terminals, and leaves the pairs out instead', () => {
    expect(linesAt(120).join('\n')).to.include('pairs');
    const narrow = linesAt(56);
    expect(narrow.join('\n')).to.include('length').and.not.include('pairs');
    expect(Math.max(...narrow.map((line) => line.length))).to.be.at.most(56);
  });
});
