import { expect } from 'chai';
import type { RowFacts } from '../../../src/model/result.js';
import { passedOf, standingOf } from '../../../src/model/scores/verdict.js';
import { rowFacts } from '../row-facts.js';

const passed = [{ key: 'a', passed: true }];
const failed = [...passed, { key: 'b', passed: false }];
const rows: readonly [facts: Partial<RowFacts>, standing: string, passed: boolean | null][] = [
  [{ scores: passed }, 'passed', true],
  [{ scores: failed }, 'failed', false],
  [{ scores: [{ key: 'a', value: 1 }] }, 'no_verdict', null],
  [{}, 'no_verdict', null],
  [{ status: 'error', scores: passed }, 'error', null],
  [{ status: 'running' }, 'running', null],
];

describe('the standing of a result', () => {
  for (const [facts, standing, verdict] of rows) {
    it(`is ${standing}, ${verdict} as a verdict, for ${JSON.stringify(facts)}`, () => {
      expect(standingOf(rowFacts(facts))).to.equal(standing);
      expect(passedOf(rowFacts(facts))).to.equal(verdict);
    });
  }
});
