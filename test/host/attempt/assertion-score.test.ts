import assert from 'node:assert';
import strict from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { assertionScore } from '../../../src/host/thrown.js';

const isAssertionError = (error: unknown) => assertionScore(error, 'passed', '/') !== undefined;

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('assertionScore', () => {
  it('knows failures of node:assert', () => {
    expect(isAssertionError(thrownBy(() => assert(false)))).to.equal(true);
    expect(isAssertionError(thrownBy(() => strict.deepEqual([1], [2])))).to.equal(true);
    expect(isAssertionError(thrownBy(() => strict.match('a', /b/, 'must match')))).to.equal(true);
  });

  it('knows failures of chai', () => {
    expect(isAssertionError(thrownBy(() => expect(1).to.equal(2)))).to.equal(true);
  });

  it('knows the errors of jest and vitest by their matcher result', () => {
    const error = Object.assign(new Error('expect(received).toBe(expected)'), {
      matcherResult: { pass: false, message: 'expect(received).toBe(expected)' },
    });
    expect(isAssertionError(error)).to.equal(true);
  });

  it('knows errors of another realm', () => {
    const error: unknown = runInNewContext(
      'const e = new Error("no"); e.name = "AssertionError"; e',
    );
    expect(error).not.to.be.instanceOf(Error);
    expect(isAssertionError(error)).to.equal(true);
  });

  it('takes nothing else for one', () => {
    const hostile = {
      get name(): string {
        throw new Error('no name');
      },
    };
    for (const other of [
      new Error('no'),
      new TypeError('no'),
      'AssertionError',
      null,
      undefined,
      {},
      hostile,
    ]) {
      expect(isAssertionError(other)).to.equal(false);
    }
  });

  it('does not take an assert.rejects whose own callback breaks for one', async () => {
    const error = await strict
      .rejects(() => {
        throw new RangeError('broken');
      })
      .catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(RangeError);
    expect(isAssertionError(error)).to.equal(false);
  });
});
