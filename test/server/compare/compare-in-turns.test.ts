import { expect } from 'chai';
import { compareUnits } from '../../../src/model/compare/compare-units.js';
import type { Unit, UnitScore } from '../../../src/model/compare/unit.js';
import { seededRandom } from '../../../src/model/random.js';
import { compareInTurns } from '../../../src/server/compare/compare-in-turns.js';

/** Units of all kinds: with and without verdicts, scores, latencies and trials. */
function someUnits(count: number, seed: number): Unit[] {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  return Array.from({ length: count }, () => {
    const trials = upTo(3);
    const judged = upTo(trials);
    const passes = upTo(judged);
    const scores: [string, UnitScore][] = [];
    if (judged > 0) scores.push(['exact', { kind: 'ratio', sum: passes, count: judged }]);
    if (trials > 0) scores.push(['size', { kind: 'value', sum: random(), count: trials }]);
    if (trials > 1) scores.push(['odd', { kind: seed % 2 ? 'ratio' : 'value', sum: 1, count: 1 }]);
    if (upTo(9) === 0) scores.push([`rare_${seed}`, { kind: 'value', sum: random(), count: 1 }]);
    const id = `unit_${upTo(count * 2)}`;
    return {
      id,
      function: id,
      dataset: 'a',
      trials,
      passes,
      judged,
      scores: new Map(scores),
      outputHash: upTo(1) === 0 ? null : `hash ${upTo(1)}`,
      latency: upTo(3) === 0 ? null : random(),
    };
  }).filter((unit, at, all) => all.findIndex(({ id }) => id === unit.id) === at);
}

describe('comparing in turns', () => {
  it('answers what comparing at a stretch answers', async () => {
    for (const [count, seed] of [
      [0, 1],
      [1, 2],
      [40, 3],
      [40, 4],
      [600, 5],
    ] as const) {
      const base = someUnits(count, seed);
      const other = someUnits(count, seed + 1);
      expect(await compareInTurns(base, other)).to.deep.equal(compareUnits(base, other));
      expect(await compareInTurns(base, [])).to.deep.equal(compareUnits(base, []));
      expect(await compareInTurns([], other)).to.deep.equal(compareUnits([], other));
    }
  });

  it('lets others have their turn after each measure', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { summary } = await compareInTurns(someUnits(50, 7), someUnits(50, 8));
    isDone = true;
    expect(turns).to.be.at.least(summary.scores.length + 2);
  });
});
