import { createInterface, emitKeypressEvents, type Interface, type Key } from 'node:readline';
import type { Interrupt } from '../../signals.js';

/** Something that a person, or a saved file, asks of a watching run. */
export type Wish =
  | { readonly type: 'changed'; readonly names: readonly string[] }
  | { readonly type: 'run'; readonly which: Which }
  | { readonly type: 'ask'; readonly by: FilteredBy }
  | { readonly type: 'filter'; readonly by: FilteredBy; readonly text: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'help' }
  | { readonly type: 'quit'; readonly signal?: Interrupt };

/** What a part of which a person names. */
export type FilteredBy = 'paths' | 'names';

/** The results that run again. */
export type Which = 'changed' | 'all' | 'failed' | 'errors';

/** Wishes in their order, to quit first; files that change while others wait are one wish, and so are questions. */
export class Wishes {
  readonly #waiting: Wish[] = [];
  #resolve: ((wish: Wish) => void) | undefined;
  #isHeld = false;

  /** True while somebody waits for the next wish. */
  get isAwaited(): boolean {
    return this.#resolve !== undefined;
  }

  /** True if the next wish is to quit. */
  get isQuitting(): boolean {
    return this.#waiting[0]?.type === 'quit';
  }

  add(wish: Wish): void {
    this.#insert(wish);
    this.#pass();
  }

  /** Keeps all wishes back, except to quit, until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#pass();
  }

  next(): Promise<Wish> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#pass();
    });
  }

  #insert(wish: Wish): void {
    if (wish.type === 'quit') {
      this.#waiting.unshift(wish);
      return;
    }
    if (wish.type === 'ask' && this.#waiting.some(({ type }) => type === 'ask')) return;
    const at = this.#waiting.findIndex(({ type }) => type === 'changed');
    const known = this.#waiting[at];
    if (wish.type === 'changed' && known?.type === 'changed') {
      const names = [...new Set([...known.names, ...wish.names])].sort();
      this.#waiting[at] = { type: 'changed', names };
    } else {
      this.#waiting.push(wish);
    }
  }

  /** Hands the first wish over, if somebody waits for it. */
  #pass(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#resolve === undefined) return;
    if (this.#isHeld && first.type !== 'quit') return;
    this.#waiting.shift();
    this.#resolve(first);
    this.#resolve = undefined;
  }
}

/** What a key does while a round runs. */
export const cancelText = 'c cancel';

/** What the other keys do. */
export const keyTexts: readonly string[] = [
  ...['Enter changed', 'a all', 'f failed', 'e errors', 'p paths', 't names', 'q quit'],
  'h help',
];

const wishes: { readonly [key: string]: Wish } = {
  return: { type: 'run', which: 'changed' },
  enter: { type: 'run', which: 'changed' },
  a: { type: 'run', which: 'all' },
  f: { type: 'run', which: 'failed' },
  e: { type: 'run', which: 'errors' },
  p: { type: 'ask', by: 'paths' },
  t: { type: 'ask', by: 'names' },
  c: { type: 'cancel' },
  h: { type: 'help' },
  q: { type: 'quit' },
};

const questions: { readonly [by in FilteredBy]: string } = {
  paths: 'Part of a path (empty for all): ',
  names: 'Part of a name (empty for all): ',
};

/** Turns the keys that a person presses into wishes. */
export class WatchKeys {
  readonly #onWish: (wish: Wish) => void;
  #question: Interface | undefined;

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
    this.#question?.close();
    process.stdin.off('keypress', this.#press);
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }

  readonly #press = (_text: string | undefined, { name = '', ctrl }: Key): void => {
    // In raw mode, the terminal sends no signal.
    if (ctrl === true && (name === 'c' || name === 'd')) {
      this.#question?.close();
      this.#onWish({ type: 'quit', ...(name === 'c' && { signal: 'SIGINT' }) });
      return;
    }
    if (this.#question !== undefined) {
      if (name === 'escape') this.#question.close();
      return;
    }
    const wish = wishes[name];
    if (wish !== undefined) this.#onWish(wish);
  };

  /** Asks for a part of paths or names; `undefined` if the question is left without an answer. */
  ask(by: FilteredBy): Promise<string | undefined> {
    const question = createInterface({ input: process.stdin, output: process.stderr });
    this.#question = question;
    return new Promise((resolve) => {
      let answer: string | undefined;
      question.question(questions[by], (text) => {
        answer = text.trim();
        question.close();
      });
      question.once('close', () => {
        this.#question = undefined;
        if (answer === undefined) process.stderr.write('\n');
        process.stdin.setRawMode(true);
        process.stdin.resume();
        resolve(answer);
      });
    });
  }
}
