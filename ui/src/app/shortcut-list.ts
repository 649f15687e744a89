/** A shortcut as the reader knows it. */
export interface Shortcut {
  /** What `KeyboardEvent.key` says; `shift+x` for an upper-case letter. */
  readonly keys: readonly string[];
  /** Keys as they are drawn. */
  readonly shown: readonly string[];
  readonly text: string;
  /** Bound by the part of the page it is about, so not listened for here. */
  readonly isLocal?: boolean;
}

const one = (key: string, text: string): Shortcut => ({ keys: [key], shown: [key], text });

/** Every shortcut, in the order of the sheet that `?` opens: read across, in two columns. */
export const shortcuts = {
  search: one('/', 'search'),
  walk: {
    keys: ['j', 'k', 'ArrowDown', 'ArrowUp'],
    shown: ['j', 'k'],
    text: 'next, previous row',
  },
  filters: one('f', 'filters'),
  open: { keys: ['Enter'], shown: ['↵'], text: 'open the result', isLocal: true },
  select: one('x', 'select the row'),
  expand: { keys: [' '], shown: ['space'], text: 'expand in place', isLocal: true },
  selectTo: { keys: ['shift+x'], shown: ['shift', 'x'], text: 'select up to here' },
  back: { keys: ['Escape'], shown: ['esc'], text: 'back to the same place' },
  rerun: one('r', 'rerun'),
  diff: one('d', 'diff with the reference'),
  regrade: one('g', 'regrade'),
  annotate: one('a', 'annotate'),
  export: one('e', 'export'),
  save: { keys: ['ctrl+Enter'], shown: ['ctrl', '↵'], text: 'save an edit', isLocal: true },
  compare: one('c', 'compare'),
  help: one('?', 'this sheet'),
} as const satisfies Readonly<Record<string, Shortcut>>;

export type ShortcutId = keyof typeof shortcuts;
