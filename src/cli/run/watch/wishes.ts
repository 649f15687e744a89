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
