import { expect } from 'chai';
import { measureLines } from '../../../src/cli/compare/compare-figures.js';
import { limitTexts } from '../../../src/cli/compare/compare-words.js';
import type { EvalCase } from '../../../src/compare/cases/eval-case.js';
import { compareRuns } from '../../../src/compare/compare-runs.js';
import type { ComparedRun } from '../../../src/compare/compared-run.js';
import { evalCase, valued } from '../../compare/eval-cases.js';

function runOf(run_name: string, cases: readonly EvalCase[]): ComparedRun {
  const head = {
    run_id: run_name,
    run_name,
    session_name: 's',
    config_name: 'default',
    timestamp: 0,
    state: 'finished',
  } as const;
  const read = () => Promise.reject(new Error('no result is read'));
  return { head, cases, unfinished: 0, rowsOf: () => new Map(), read };
}

const sizes = (add: number) =>
  Array.from({ length: 21 }, (_, i) => evalCase(`${i}`, { scores: valued('size', i * 10 + add) }));

describe('the measures of a comparison', () => {
  it('have p50 and p95 of unbounded values, no interval, and a verdict on the mean', () => {
    const compared = compareRuns(runOf('old', sizes(0)), [runOf('new', sizes(300))]);
    const [line] = measureLines(compared);
    expect(line?.name).to.equal('size');
    expect(line?.figures[0]).to.include({
      value: 'p50 100, p95 190',
      interval: 'unbounded values',
      of: 'of 21',
    });
    expect(line?.figures[1]).to.include({
      value: 'p50 400, p95 490',
      pairs: 'p50 100 → 400 (21)',
      difference: 'mean +300',
      differenceInterval: 'unbounded values',
      verdict: 'better',
    });
    const texts = compared.others.flatMap(limitTexts);
    expect(texts.join()).to.equal('');
  });

  it('have the mean alone where a baseline keeps sums of unbounded values', () => {
    const sums = [{ key: 'size', kind: 'value', sum: 90, count: 3 }] as const;
    const cases = [evalCase('a', { trials: 3, scores: sums })];
    const [line] = measureLines(compareRuns(runOf('old', cases), [runOf('new', cases)]));
    expect(line?.figures[0]).to.include({
      value: '30',
      interval: 'unbounded values',
      of: 'mean of 3',
    });
    expect(line?.figures[1]).to.include({ pairs: '30 → 30 (1)', difference: 'mean 0' });
  });
});
