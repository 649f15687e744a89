import { expect } from 'chai';
import fc from 'fast-check';
import { eachInSteps, finish, type Steps, sortInSteps } from '../../src/model/steps.js';

describe('finish', () => {
  it('takes every step and answers what comes of them', () => {
    const taken: number[] = [];
    function* work(): Steps<string> {
      for (let step = 1; step <= 3; step += 1) {
        taken.push(step);
        yield;
      }
      return 'done';
    }
    expect(finish(work())).to.equal('done');
    expect(taken).to.deep.equal([1, 2, 3]);
  });
});

describe('eachInSteps', () => {
  it('comes to every item once, in order, with its position', () => {
    const items = Array.from({ length: 10_000 }, (_, i) => i * 2);
    const seen: number[] = [];
    finish(
      eachInSteps(items, (item, position) => {
        expect(item).to.equal(position * 2);
        seen.push(item);
      }),
    );
    expect(seen).to.deep.equal(items);
  });

  it('does no more than some thousands between two steps', () => {
    let done = 0;
    let largest = 0;
    let before = 0;
    for (const _ of eachInSteps(new Uint8Array(50_000), () => {
      done += 1;
    })) {
      largest = Math.max(largest, done - before);
      before = done;
    }
    expect(done).to.equal(50_000);
    expect(largest).to.be.at.most(5000);
  });

  it('has no step for nothing', () => {
    expect([...eachInSteps([], () => undefined)]).to.deep.equal([]);
  });
});

describe('sortInSteps', () => {
  it('sorts as sorting at a stretch does', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        expect(finish(sortInSteps(texts))).to.deep.equal([...texts].sort());
      }),
    );
  });

  it('sorts more than goes into one step', () => {
    const texts = Array.from({ length: 30_000 }, (_, i) => String((i * 7919) % 20_011));
    expect(finish(sortInSteps(texts))).to.deep.equal([...texts].sort());
    expect([...sortInSteps(texts)].length).to.be.at.least(14);
  });
});
