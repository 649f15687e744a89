import { expect } from 'chai';
import { PageQueue } from '../../../ui/src/api/page-queue.js';

/** Requests that stay open until they are answered, in the order in which they began. */
function requests(lane: PageQueue) {
  const open = new Map<number, () => void>();
  const begun: number[] = [];
  const gone = new Map<number, AbortController>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    ask: async (...pages: number[]) => {
      for (const page of pages) {
        const control = new AbortController();
        gone.set(page, control);
        const act = () =>
          new Promise<void>((resolve) => {
            begun.push(page);
            open.set(page, resolve);
          });
        lane.ask(page, control.signal, act).catch(() => {});
      }
      await settle();
    },
    answer: async (page: number) => {
      open.get(page)?.();
      await settle();
    },
    giveUp: async (page: number) => {
      gone.get(page)?.abort();
      await settle();
    },
  };
}

describe('the lane of pages', () => {
  it('lets four go at a time, the nearest to what is looked at first', async () => {
    const lane = new PageQueue();
    const { ask, answer, begun } = requests(lane);
    lane.aim(7);
    await ask(1, 2, 3, 4, 5, 6, 7, 8);
    expect(begun).to.have.ordered.members([7, 6, 8, 5]);
    lane.aim(1);
    await answer(7);
    expect(begun.at(-1)).to.equal(1);
    await answer(1);
    expect(begun.at(-1)).to.equal(2);
  });

  it('leaves for last what comes too late for a reader who is heading on', async () => {
    const lane = new PageQueue();
    const { ask, begun } = requests(lane);
    lane.aim(5, 1);
    await ask(3, 4, 5, 6, 7, 8);
    expect(begun).to.have.ordered.members([5, 6, 7, 8]);
    const back = new PageQueue();
    const other = requests(back);
    back.aim(5, -1);
    await other.ask(3, 4, 5, 6, 7);
    expect(other.begun).to.have.ordered.members([5, 4, 3, 6]);
  });

  it('never asks for what was given up while it waited, and finishes what is under way', async () => {
    const lane = new PageQueue();
    const { ask, answer, giveUp, begun } = requests(lane);
    await ask(0, 1, 2, 3, 4, 5);
    await giveUp(4);
    await giveUp(0);
    expect(begun).to.deep.equal([0, 1, 2, 3]);
    await answer(1);
    expect(begun).to.deep.equal([0, 1, 2, 3, 5]);
  });

  it('goes on after a request that failed', async () => {
    const lane = new PageQueue();
    const refused = new Error('refused');
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, page) =>
        lane.ask(page, new AbortController().signal, async () => {
          if (page % 2 === 0) throw refused;
          return page;
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(5);
  });
});
