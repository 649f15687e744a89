import { expect } from 'chai';
import { LiveLine } from '../../../src/cli/terminal/live-line.js';
import { Screen } from '../screen.js';

const clear = '\r\x1b[J';

/** Runs with a clock that goes on when the test says so. */
function withClock(act: (tick: () => void, milliseconds: () => number) => void): void {
  const { setInterval } = globalThis;
  const started: { tick: () => void; milliseconds: number }[] = [];
  globalThis.setInterval = ((tick: () => void, milliseconds: number) => {
    started.push({ tick, milliseconds });
    return { unref: () => undefined };
  }) as unknown as typeof setInterval;
  try {
    act(
      () => started[0]?.tick(),
      () => started[0]?.milliseconds ?? 0,
    );
  } finally {
    globalThis.setInterval = setInterval;
  }
}

describe('LiveLine', () => {
  it('is drawn at once, put back under text and taken away in the end', () => {
    const screen = new Screen();
    const live = new LiveLine(screen, () => 'at work');
    live.start();
    live.printAbove('hello\n');
    live.stop();
    live.stop();
    expect(screen.text).to.equal(`at work${clear}hello\nat work${clear}`);
  });

  it('is drawn again only when it has changed, about fifteen times a second at most', () => {
    withClock((tick, milliseconds) => {
      const screen = new Screen();
      let text = 'one';
      const live = new LiveLine(screen, () => text);
      live.start();
      expect(milliseconds()).to.be.within(60, 70);
      tick();
      text = 'two';
      expect(screen.text).to.equal('one');
      tick();
      tick();
      live.stop();
      expect(screen.text).to.equal(`one${clear}two${clear}`);
    });
  });

  it('leaves pictures out while the terminal does not keep up', () => {
    withClock((tick) => {
      const screen = new Screen();
      const slow = { value: true, configurable: true };
      let pictures = 0;
      const live = new LiveLine(screen, () => `picture ${++pictures}`);
      live.start();
      Object.defineProperty(screen, 'writableNeedDrain', slow);
      tick();
      expect(pictures).to.equal(1);
      Object.defineProperty(screen, 'writableNeedDrain', { ...slow, value: false });
      tick();
      expect(screen.text).to.equal(`picture 1${clear}picture 2`);
      live.stop();
    });
  });

  it('takes away all rows that it stands on in a narrower terminal', () => {
    const screen = new Screen(80);
    const live = new LiveLine(screen, () => `\x1b[31m${'x'.repeat(screen.columns - 1)}\x1b[39m`);
    live.start();
    screen.text = '';
    screen.resize(30);
    expect(screen.text).to.equal(`\x1b[2A${clear}\x1b[31m${'x'.repeat(29)}\x1b[39m`);
    live.stop();
    expect(screen.listenerCount('resize')).to.equal(0);
  });

  it('only prints when it was never started', () => {
    const screen = new Screen();
    const live = new LiveLine(screen, () => 'at work');
    live.printAbove('hello\n');
    live.stop();
    expect(screen.text).to.equal('hello\n');
  });
});
