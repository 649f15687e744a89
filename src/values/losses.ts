import { countOf } from '../text/count-text.js';

/** The kinds of what the JSON of a value loses. What cannot be restored either is named with the same words. */
export type LossKind =
  | 'content'
  | 'equal keys'
  | 'half characters'
  | 'cycle'
  | 'nested too deep'
  | 'unread'
  | 'symbol'
  | 'list fields'
  | 'getters';

/** What the JSON of a value does not show, and where. */
export interface Loss {
  readonly kind: LossKind;
  /** The end of a sentence about the value: `contains itself at .self, stored as "<circular>"`. */
  readonly text: string;
}

/** Collects losses: the first of each kind, and how many more there are. */
export class Losses {
  readonly #found = new Map<LossKind, { readonly text: string; more: number }>();

  add(kind: LossKind, text: () => string): void {
    const found = this.#found.get(kind);
    if (found === undefined) this.#found.set(kind, { text: text(), more: 0 });
    else found.more += 1;
  }

  /** `undefined` for none. */
  list(): readonly Loss[] | undefined {
    if (this.#found.size === 0) return undefined;
    return [...this.#found].map(([kind, { text, more }]) => ({
      kind,
      text: more === 0 ? text : `${text} (and ${countOf(more, 'more place')})`,
    }));
  }
}
