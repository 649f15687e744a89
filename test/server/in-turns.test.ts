import { expect } from 'chai';
import type { Steps } from '../../src/model/steps.js';
import { inTurns } from '../../src/server/in-turns.js';

/** Work of so many steps that keep the processor busy for some milliseconds each. */
function* busySteps(count: number, milliseconds: number): Steps<number> {
  for (let step = 0; step < count; step += 1) {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
    yield;
  }
  return count;
}

/** How often others had their turn while something was going on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

describe('inTurns', () => {
  it('answers what comes of the work', async () => {
    expect(await inTurns(busySteps(3, 0))).to.equal(3);
    expect(await inTurns(busySteps(0, 0))).to.equal(0);
  });

  it('lets others have their turn every ten milliseconds', async () => {
    expect(await turnsDuring(() => inTurns(busySteps(10, 5)))).to.be.at.least(4);
  });

  it('passes on what goes wrong', async () => {
    function* failing(): Steps<never> {
      yield;
      throw new Error('no more numbers');
    }
    const error: unknown = await inTurns(failing()).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error).with.property('message', 'no more numbers');
  });
});
