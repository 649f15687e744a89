import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { confirm } from '../../../src/cli/terminal/confirm.js';
import { Screen } from '../screen.js';

/** Asks as on a terminal on which this is typed before the input ends. */
async function answer(typed: string): Promise<{ said: boolean; asked: string }> {
  const stderr = Object.assign(new Screen(), { isTTY: true });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const own = { stdin: process.stdin, stderr: process.stderr };
  const use = (streams: object) => {
    for (const [name, value] of Object.entries(streams)) {
      Object.defineProperty(process, name, { value, configurable: true });
    }
  };
  use({ stdin, stderr });
  try {
    stdin.end(typed);
    return { said: await confirm('Delete it?'), asked: stderr.text };
  } finally {
    use(own);
  }
}

describe('confirm', () => {
  for (const [typed, said] of [
    ['y\n', true],
    [' YES \n', true],
    ['n\n', false],
    ['\n', false],
    ['yess\n', false],
    ['', false],
  ] as const) {
    it(`takes ${JSON.stringify(typed)} before the end of the input for ${said ? 'yes' : 'no'}`, async () => {
      const answered = await answer(typed);
      expect(answered.said).to.equal(said);
      expect(answered.asked).to.include('Delete it? [y/N] ');
    });
  }
});
