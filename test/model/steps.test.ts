import { expect } from 'chai';
import { eachInSteps, finish, type Steps } from '../../src/model/steps.js';

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
