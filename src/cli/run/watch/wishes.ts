import type { Interrupt } from '../../signals.js';

/** Something that a person, or a saved file, asks of a watching run. */
export type Wish =
  | { readonly type: 'changed'; readonly names: readonly string[] }
  | { readonly type: 'run'; readonly which: Which }
  | { readonly type: 'filter'; readonly by: 'paths' | 'names'; readonly text: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'help' }
  | { readonly type: 'quit'; readonly signal?: Interrupt };

/** The results that run again. */
export type Which = 'changed' | 'all' | 'failed' | 'errors';

/** Wishes in their order; files that change while others wait are one wish. */
export class Wishes {
  readonly #waiting: Wish[] = [];
  #resolve: ((wish: Wish) => void) | undefined;

  add(wish: Wish): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (resolve !== undefined) {
      resolve(wish);
      return;
    }
    const at = this.#waiting.findIndex(({ type }) => type === 'changed');
    const known = this.#waiting[at];
    if (wish.type === 'changed' && known?.type === 'changed') {
      const names = [...new Set([...known.names, ...wish.names])].sort();
      this.#waiting[at] = { type: 'changed', names };
    } else {
      this.#waiting.push(wish);
    }
  }

  next(): Promise<Wish> {
    const wish = this.#waiting.shift();
    if (wish !== undefined) return Promise.resolve(wish);
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}
