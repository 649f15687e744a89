import { countOf } from '../text/count-text.js';
import { nameOf } from './inspect-value.js';

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

/** The longest path that is told whole, in characters. */
const longestPath = 60;

/** The place of a part within a value: `.messages[0].content`; a long one keeps its end. Empty for the value itself. */
export function pathText(steps: readonly PropertyKey[]): string {
  const path = steps.map(stepText).join('');
  return path.length <= longestPath ? path : `…${path.slice(-longestPath).toWellFormed()}`;
}

const mostNamed = 3;

/** Names of fields, as paths: `.text, .content, .steps, …`. `within`: the steps to the value that has them. */
export function namesText(
  names: readonly PropertyKey[],
  within: readonly PropertyKey[] = [],
): string {
  const named = names.slice(0, mostNamed).map((name) => pathText([...within, name]));
  return `${named.join(', ')}${names.length > mostNamed ? ', …' : ''}`;
}

function stepText(key: PropertyKey): string {
  if (typeof key === 'symbol') return `[${nameOf({ name: key.description })}]`;
  return /^\d+$/.test(String(key)) ? `[${String(key)}]` : `.${String(key)}`;
}
