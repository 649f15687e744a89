import assert from 'node:assert/strict';
import type { Usage } from '../../../src/model/calls/usage.js';
import type { RowFacts } from '../../../src/model/result.js';
import { type Verified, verifiedNotes, verifiedOf } from '../../../src/model/summary/verified.js';

const origin = { run_id: 'a'.repeat(12), run_name: 'tidy-maple', kind: 'carried' } as const;
const asked: Usage = { calls: 1, cost: 0, by_role: {} };
const replayed: Usage = { ...asked, replayed: 1 };

/** A verified row: what was carried, and what came of the new draw. */
function row(
  name: string,
  carried: Partial<RowFacts>,
  now: Partial<RowFacts>,
  more: Partial<RowFacts> = {},
): RowFacts {
  const identity = {
    ...{ id: `a.eval.ts::e[${name}]`, function: `e[${name}]`, evaluation: 'a.eval.ts::e' },
    ...{ dataset: 'a', labels: [], latency: 1, ...more },
  };
  const counted = { ...identity, status: 'completed', scores: [], origin, ...carried } as const;
  return { ...identity, status: 'completed', scores: [], verifies: true, ...now, counted };
}

const verifiedTexts = (found: Verified) => verifiedNotes(found).map(({ text }) => text);
const exact = [{ key: 'exact', carried: true, now: false }];

const pass = { scores: [{ key: 'exact', passed: true }], outputHash: '1' };
const fail = { scores: [{ key: 'exact', passed: false }], outputHash: '2' };
const rows = (count: number, of: (name: string) => RowFacts) =>
  Array.from({ length: count }, (_, at) => of(String(at)));

describe('verifiedOf', () => {
  it('finds what differs though no model was called, or its calls were replayed', () => {
    const found = verifiedOf([
      row('same', pass, pass),
      row('output', pass, { ...pass, outputHash: '3' }),
      row('verdict', { ...pass, usage: replayed }, { ...fail, usage: replayed }),
      row('error', pass, { status: 'error' }),
      { ...row('carried', pass, pass), verifies: undefined, counted: undefined, origin },
    ]);
    assert.deepEqual(found, {
      ...{ carried: 5, results: 4, agree: 1, differ: 3 },
      wrong: [
        { id: 'a.eval.ts::e[output]', carried: 'pass', now: 'pass' },
        { id: 'a.eval.ts::e[verdict]', carried: 'pass', now: 'fail', scores: exact },
        {
          ...{ id: 'a.eval.ts::e[error]', carried: 'pass', now: 'error' },
          scores: [{ ...exact[0], now: null }],
        },
      ],
    });
    assert.deepEqual(verifiedTexts(found).slice(0, 3), [
      '4 of 5 carried ran again: 1 agree, 3 differ',
      'carried wrongly? a.eval.ts::e[output]: carried pass, now pass with another output, no model was called',
      'carried wrongly? a.eval.ts::e[verdict]: carried pass, now fail, no model was called',
    ]);
  });

  it('finds scores that differ where the verdicts do not', () => {
    const scored = (value?: number): Partial<RowFacts> => ({
      scores: [{ key: 'quality', ...(value !== undefined && { value }) }],
      outputHash: '1',
    });
    const found = verifiedOf([
      row('value', scored(0.85), scored(0.42)),
      row('digits', scored(0.85), scored(0.850_000_1)),
      row('gone', scored(0.85), scored()),
      row('model', { ...scored(0.85), usage: asked }, { ...scored(0.42), usage: asked }),
      row(
        'verdicts',
        {
          scores: [
            { key: 'a', passed: true },
            { key: 'b', passed: false },
          ],
        },
        {
          scores: [
            { key: 'a', passed: false },
            { key: 'b', passed: true },
          ],
        },
      ),
    ]);
    assert.deepEqual([found?.agree, found?.differ], [1, 4]);
    assert.deepEqual(found?.wrong?.[0]?.scores, [{ key: 'quality', carried: 0.85, now: 0.42 }]);
    const texts = found && verifiedTexts(found).slice(1);
    assert.deepEqual(
      texts?.map((text) => text.replace(/^.*: carried /, '')),
      [
        'no verdict, now no verdict, quality 0.85 → 0.42, no model was called',
        'no verdict, now no verdict, quality 0.85 → 0.8500001, no model was called',
        'no verdict, now no verdict, quality 0.85 → none, no model was called',
        'fail, now fail, a pass → fail, b fail → pass, no model was called',
      ],
    );
  });

  it('takes other answers of a model for chance, up to what chance makes', () => {
    const turned = (name: string) =>
      row(name, { ...pass, usage: asked }, { ...fail, usage: asked });
    const kept = (name: string) =>
      row(`k${name}`, pass, { ...pass, outputHash: '9', usage: asked });
    assert.deepEqual(verifiedOf([...rows(5, turned), ...rows(9, kept)]), {
      ...{ carried: 14, results: 14, agree: 9 },
    });
    const beyond = verifiedOf([...rows(6, turned), ...rows(8, kept)]);
    // Six signs alike: 2 / 2^6.
    const [rate] = beyond?.rates ?? [];
    assert.deepEqual(rate, { evaluation: 'a.eval.ts::e', carried: 14, now: 8, of: 14, p: 2 ** -5 });
    assert.match(
      (beyond && verifiedTexts(beyond).join('\n')) ?? '',
      /14 carried ran again: 8 agree, 6 with another verdict of a model\n.*14 of 14 passed as carried, 8 now, p \.031/,
    );
    // The same six results of two clusters are two units.
    const clustered = rows(6, (name) => ({ ...turned(name), cluster: `d=${Number(name) % 2}` }));
    assert.equal(verifiedOf(clustered)?.rates, undefined);
    // One of two evaluations: adjusted for both.
    const other = rows(6, (name) => ({ ...kept(name), evaluation: 'a.eval.ts::f' }));
    assert.equal(verifiedOf([...rows(6, turned), ...other])?.rates, undefined);
  });

  it('leaves out verdicts of persons, and draws that have not ended by themselves', () => {
    const human = { ...fail, outputHash: '1', scores: [{ ...fail.scores[0], source: 'human' }] };
    const found = verifiedOf([
      row('human', human as Partial<RowFacts>, pass),
      row('pending', pass, { status: 'pending' }),
      row('no draw', pass, { status: 'error', noDraw: true }),
    ]);
    assert.deepEqual(found, { carried: 3, results: 3, agree: 1, unknown: 2 });
    assert.equal(verifiedOf([]), undefined);
  });
});
