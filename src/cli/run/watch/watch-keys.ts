import { createInterface, emitKeypressEvents, type Key } from 'node:readline';
import type { Wish } from './wishes.js';

/** What the keys do, in one line. */
export const keysText =
  'Enter changed · a all · f failed · e errors · p paths · t names · q quit · h help';

const wishes: { readonly [key: string]: Wish } = {
  return: { type: 'run', which: 'changed' },
  enter: { type: 'run', which: 'changed' },
  a: { type: 'run', which: 'all' },
  f: { type: 'run', which: 'failed' },
  e: { type: 'run', which: 'errors' },
  c: { type: 'cancel' },
  h: { type: 'help' },
  q: { type: 'quit' },
};

const questions = {
  p: { by: 'paths', text: 'Part of a path (empty for all): ' },
  t: { by: 'names', text: 'Part of a name (empty for all): ' },
} as const;

/** Turns the keys that a person presses into wishes. */
export class WatchKeys {
  readonly #onWish: (wish: Wish) => void;
  #isAsking = false;

  constructor(onWish: (wish: Wish) => void) {
    this.#onWish = onWish;
  }

  /** True if there is somebody to press keys. */
  static get areThere(): boolean {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  start(): void {
    emitKeypressEvents(process.stdin);
    process.stdin.setRawMode(true);
    process.stdin.on('keypress', this.#press);
    process.stdin.resume();
  }

  stop(): void {
    process.stdin.off('keypress', this.#press);
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }

  readonly #press = (_text: string | undefined, { name = '', ctrl }: Key): void => {
    if (this.#isAsking) return;
    // In raw mode, the terminal sends no signal.
    if (ctrl === true && (name === 'c' || name === 'd')) {
      this.#onWish({ type: 'quit', ...(name === 'c' && { signal: 'SIGINT' }) });
      return;
    }
    if (name === 'p' || name === 't') this.#ask(questions[name]);
    const wish = wishes[name];
    if (wish !== undefined) this.#onWish(wish);
  };

  #ask({ by, text }: (typeof questions)['p' | 't']): void {
    this.#isAsking = true;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const done = (answer: string | undefined) => {
      lines.removeAllListeners();
      lines.close();
      this.#isAsking = false;
      process.stdin.setRawMode(true);
      process.stdin.resume();
      if (answer !== undefined) this.#onWish({ type: 'filter', by, text: answer.trim() });
    };
    lines.once('SIGINT', () => {
      process.stderr.write('\n');
      done(undefined);
    });
    lines.question(text, done);
  }
}
