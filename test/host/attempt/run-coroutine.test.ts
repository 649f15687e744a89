import { expect } from 'chai';
import { runCoroutine } from '../../../src/host/attempt/run-coroutine.js';

describe('runCoroutine', () => {
  it('is through when it returns if nothing has to be waited for', () => {
    const seen: unknown[] = [];
    const steps = function* (): Generator<unknown, void, unknown> {
      seen.push(yield 1);
      // biome-ignore lint/suspicious/noThenProperty: what is tested
      seen.push(yield { then: 'no function' });
    };
    expect(runCoroutine(steps())).to.equal(undefined);
    expect(seen).to.have.length(2);
  });

  it('waits for promises and for whatever else has a then, and goes on with their values', async () => {
    const seen: unknown[] = [];
    const steps = function* (): Generator<unknown, void, unknown> {
      seen.push(yield Promise.resolve('a'));
      // biome-ignore lint/suspicious/noThenProperty: what is tested
      seen.push(yield { then: (resolve: (value: string) => void) => resolve('b') });
      seen.push(yield 'c');
    };
    const end = runCoroutine(steps());
    expect(seen).to.deep.equal([]);
    await end;
    expect(seen).to.deep.equal(['a', 'b', 'c']);
  });

  it('throws into the steps what a promise rejects with, and what asking for its then throws', async () => {
    const seen: unknown[] = [];
    const steps = function* (thing: unknown): Generator<unknown, void, unknown> {
      try {
        yield thing;
      } catch (error) {
        seen.push((error as Error).message);
      }
    };
    const hostile = {
      // biome-ignore lint/suspicious/noThenProperty: what is tested
      get then(): unknown {
        throw new Error('no then');
      },
    };
    expect(runCoroutine(steps(hostile))).to.equal(undefined);
    await runCoroutine(steps(Promise.reject(new Error('rejected'))));
    expect(seen).to.deep.equal(['no then', 'rejected']);
  });

  it('fails with what the steps throw: at once, or by its promise', async () => {
    const steps = function* (first: unknown): Generator<unknown, void, unknown> {
      yield first;
      throw new Error('broken');
    };
    expect(() => runCoroutine(steps(1))).to.throw('broken');
    const failed = await runCoroutine(steps(Promise.resolve()))?.catch(
      (error: Error) => error.message,
    );
    expect(failed).to.equal('broken');
  });
});
