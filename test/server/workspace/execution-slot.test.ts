import { expect } from 'chai';
import { AssayError } from '../../../src/errors.js';
import type { Started } from '../../../src/runner/execution/begin-execution.js';
import { ExecutionSlot } from '../../../src/server/workspace/execution-slot.js';

/** An execution that ends when it is told to. */
function makeExecution(name: string) {
  let settle:
    | { resolve: (outcome: 'finished') => void; reject: (error: Error) => void }
    | undefined;
  const ownership = { executing: true, paused: false };
  let stops = 0;
  const finished = new Promise<'finished'>((resolve, reject) => {
    settle = { resolve, reject };
  });
  finished.catch(() => undefined);
  const started = {
    run_id: name,
    run_name: name,
    owner: {
      run: { ownership, header: { run_id: name, run_name: name }, rows: [], selectedTotal: 0 },
      save: async () => undefined,
    },
    execution: {
      stop: () => {
        stops += 1;
        ownership.executing = false;
        return stops === 1 ? 3 : 0;
      },
    },
    finished,
    // Nothing else of it is looked at.
  } as unknown as Started;
  return {
    started,
    /** It reads as finished, but its log is not closed. */
    finish: () => {
      ownership.executing = false;
    },
    close: () => settle?.resolve('finished'),
    fail: (error: Error) => settle?.reject(error),
  };
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof AssayError ? error.code : String(error);
  }
}

describe('ExecutionSlot', () => {
  it('takes one execution and refuses another, naming the first', async () => {
    const slot = new ExecutionSlot(() => undefined);
    const one = makeExecution('one');
    expect(await slot.occupy(async () => one.started)).to.equal(one.started);
    expect([slot.isBusy, slot.started]).to.deep.equal([true, one.started]);
    expect(await codeOf(slot.occupy(async () => one.started))).to.equal('busy');
    expect(() => slot.refuseIfBusy('this')).to.throw('one is in progress, so this has to wait.');
  });

  it('is busy from the moment something is about to start', async () => {
    const slot = new ExecutionSlot(() => undefined);
    const one = makeExecution('one');
    const begun = slot.occupy(async () => one.started);
    expect([slot.isBusy, slot.started]).to.deep.equal([true, undefined]);
    expect(() => slot.refuseIfBusy('this')).to.throw('A run is about to start');
    await begun;
  });

  it('is free again when nothing began, or that failed', async () => {
    const slot = new ExecutionSlot(() => undefined);
    expect(await slot.occupy(async () => undefined)).to.equal(undefined);
    expect(slot.isBusy).to.equal(false);
    const failing = slot.occupy(async () => {
      throw new AssayError('view-only', 'gone');
    });
    expect(await codeOf(failing)).to.equal('view-only');
    expect(slot.isBusy).to.equal(false);
  });

  it('is free as soon as the run reads as finished; the next begins when its log is closed', async () => {
    const slot = new ExecutionSlot(() => undefined);
    const one = makeExecution('one');
    const two = makeExecution('two');
    await slot.occupy(async () => one.started);
    one.finish();
    expect([slot.isBusy, slot.started]).to.deep.equal([false, undefined]);
    let hasBegun = false;
    const begun = slot.occupy(async () => {
      hasBegun = true;
      return two.started;
    });
    await new Promise(setImmediate);
    expect(hasBegun).to.equal(false);
    one.close();
    expect(await begun).to.equal(two.started);
    expect(slot.started).to.equal(two.started);
  });

  it('stops what is in progress once', async () => {
    const slot = new ExecutionSlot(() => undefined);
    const one = makeExecution('one');
    await slot.occupy(async () => one.started);
    expect(await Promise.all([slot.stop(), slot.stop()])).to.deep.equal([3, 0]);
    expect(slot.isBusy).to.equal(false);
  });

  it('stops what is about to start, also while that waits for the one before', async () => {
    const slot = new ExecutionSlot(() => undefined);
    const one = makeExecution('one');
    await slot.occupy(async () => one.started);
    await slot.stop();
    const waiting = codeOf(slot.occupy(async () => makeExecution('two').started));
    expect(await slot.stop()).to.equal(0);
    expect(await waiting).to.equal('stopped');
    let hasBegun = false;
    const third = slot.occupy(async () => {
      hasBegun = true;
      return undefined;
    });
    await new Promise(setImmediate);
    expect(hasBegun, 'while the first has not closed').to.equal(false);
    one.close();
    await third;
  });

  it('waits for what only has to close, and not for what is in progress', async () => {
    const slot = new ExecutionSlot(() => undefined);
    const one = makeExecution('one');
    await slot.occupy(async () => one.started);
    await slot.closed();
    one.finish();
    let isClosed = false;
    const closed = slot.closed().then(() => {
      isClosed = true;
    });
    await new Promise(setImmediate);
    expect(isClosed).to.equal(false);
    one.close();
    await closed;
  });

  it('has ended when the log of what was stopped is closed, even if that fails', async () => {
    const changes: unknown[] = [];
    const slot = new ExecutionSlot((started, failure) => changes.push([started.run_id, failure]));
    const one = makeExecution('one');
    await slot.occupy(async () => one.started);
    let hasEnded = false;
    const ended = slot.ended().then(() => {
      hasEnded = true;
    });
    await new Promise(setImmediate);
    expect(hasEnded).to.equal(false);
    const failure = new Error('disk full');
    one.fail(failure);
    await ended;
    expect(changes).to.deep.equal([
      ['one', undefined],
      ['one', failure],
    ]);
    expect(slot.isBusy).to.equal(false);
  });
});
