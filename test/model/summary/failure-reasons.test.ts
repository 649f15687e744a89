import { expect } from 'chai';
import type { ResultEntry } from '../../../src/model/result.js';
import { FailureReasons, failureCauses } from '../../../src/model/summary/failure-reasons.js';

type Fails = { readonly [key: string]: string | true };

/** A result with scores that failed with notes, or passed; or with an error. */
function entryOf(fails: Fails | string): Pick<ResultEntry, 'result'> {
  const isError = typeof fails === 'string';
  const scores = isError
    ? []
    : Object.entries(fails).map(([key, notes]) =>
        notes === true ? { key, passed: true } : { key, passed: false, notes },
      );
  const result = { status: isError ? 'error' : 'completed', error: isError ? fails : null, scores };
  return { result } as unknown as ResultEntry;
}

function reasonsOf(...entries: (Fails | string)[]) {
  const reasons = new FailureReasons();
  for (const [index, one] of entries.entries()) reasons.add(index, failureCauses(entryOf(one)));
  return reasons.list();
}

describe('FailureReasons', () => {
  it('are one for texts that differ in numbers, ids and quoted words, the largest first', () => {
    const found = reasonsOf(
      { tone: 'too formal' },
      { exact: 'expected "30 days", got "14 days"', tone: true },
      { exact: 'expected "1 \\"day\\"", got "2"', tone: 'too formal' },
      { exact: 'expected 30 days, got 14' },
      { exact: 'expected 7 days, got 1.5' },
      { exact: 'expected 30 days, got 14' },
    );
    expect(found.map(({ key, text, same, indices }) => [key, text, same, indices])).to.deep.equal([
      ['exact', 'expected 30 days, got 14', false, [3, 4, 5]],
      ['tone', 'too formal', true, [0, 2]],
      ['exact', 'expected "30 days", got "14 days"', false, [1, 2]],
    ]);
  });

  it('are told apart by score and by words', () => {
    const texts: [string, string, boolean][] = [
      ['order 3f9a0c12be77 is gone', 'order 77be120c9af3 is gone', true],
      ['at 0b0c7a9e-2d1f-4c6e-9b3a-0123456789ab', 'at 9b0c7a9e-2d1f-4c6e-9b3a-0123456789ab', true],
      ['took 1:30', 'took 12:05', true],
      ["don't say 'a'", "don't say 'b'", true],
      ['the facade is decade old', 'the facade is added old', false],
      ['too  formal\nsecond line', 'too formal', true],
      ['too formal', 'too short', false],
      ['', '', true],
    ];
    for (const [one, other, isOne] of texts) {
      expect(reasonsOf({ k: one }, { k: other }).length === 1, `${one} / ${other}`).to.equal(isOne);
      expect(reasonsOf(one, other).length === 1).to.equal(isOne);
      expect(reasonsOf({ k: one }, { l: other })).to.have.lengthOf(2);
      expect(reasonsOf({ k: one }, other)).to.have.lengthOf(2);
    }
  });

  it('have names that tell scores and texts apart', () => {
    const names: [Fails | string, string][] = [
      [{ exact: 'expected 30 days, got "x"' }, 'exact=expected # days, got "…"'],
      [{ 'a=b\\': '' }, 'a\\=b\\\\='],
      ['TypeError: x is 1\n  at y', '=TypeError: x is #'],
    ];
    for (const [given, name] of names) expect(reasonsOf(given)[0]?.reason).to.equal(name);
  });

  it('count a result once for each of them', () => {
    const [only] = reasonsOf({ a: 'x' }, { a: true });
    expect(only).to.include({ results: 1, key: 'a' });
  });
});
