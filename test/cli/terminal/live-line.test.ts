import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { LiveLine } from '../../../src/cli/terminal/live-line.js';
import { Screen } from '../screen.js';

const clear = '\r\x1b[J';

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

  it('is drawn again only when it has changed', async () => {
    const screen = new Screen();
    let text = 'one';
    const live = new LiveLine(screen, () => text);
    live.start();
    await setTimeout(150);
    text = 'two';
    await setTimeout(150);
    live.stop();
    expect(screen.text).to.equal(`one${clear}two${clear}`);
  });

  it('is drawn about fifteen times a second at most', async () => {
    const screen = new Screen();
    let pictures = 0;
    const live = new LiveLine(screen, () => `picture ${++pictures}`);
    const began = performance.now();
    live.start();
    await setTimeout(400);
    live.stop();
    const seconds = (performance.now() - began) / 1000;
    expect(pictures).to.be.within(2, seconds * 16 + 2);
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
