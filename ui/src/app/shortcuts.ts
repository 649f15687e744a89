import { useLayoutEffect, useRef } from 'react';

/** A shortcut. */
interface Shortcut {
  /** Values of `KeyboardEvent.key`; `shift+x` for an upper-case letter. */
  readonly keys: readonly string[];
  /** The keys as displayed. */
  readonly shown: readonly string[];
  readonly text: string;
  /** Handled by a component, so not here. */
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
  rerun: one('r', 'run, as the button says'),
  calls: one('m', 'calls as timeline, conversation, raw'),
  diff: one('d', 'diff with the reference'),
  changes: { keys: ['[', ']'], shown: ['[', ']'], text: 'previous, next difference' },
  differences: { keys: ['shift+d'], shown: ['shift', 'd'], text: 'all differences of runs' },
  fixedWidth: one('w', 'texts in fixed width'),
  regrade: one('g', 'regrade'),
  annotate: one('a', 'annotate'),
  scores: { keys: ['s', 'shift+s'], shown: ['s'], text: 'next score; in a review, skip' },
  verdict: { keys: ['1', '2', 'u'], shown: ['1', '2', 'u'], text: 'pass, fail, clear or unsure' },
  note: one('n', 'note for the verdict'),
  undo: one('z', 'take the verdict back'),
  sections: {
    keys: ['shift+j', 'shift+k'],
    shown: ['shift', 'j', 'k'],
    text: 'next, previous section',
  },
  export: one('e', 'export'),
  view: one('v', 'save the view'),
  save: { keys: ['ctrl+Enter'], shown: ['ctrl', '↵'], text: 'save an edit', isLocal: true },
  compare: one('c', 'compare'),
  help: one('?', 'this sheet'),
} as const satisfies Readonly<Record<string, Shortcut>>;

type ShortcutId = keyof typeof shortcuts;

type Handler = (event: KeyboardEvent) => void;

const bound = new Map<ShortcutId, Handler[]>();

/** Calls `handler` when the keys of a shortcut are pressed; the component mounted last wins. */
export function useShortcut(id: ShortcutId, handler: Handler, isEnabled = true): void {
  const latest = useRef(handler);
  // In a layout effect, because a key may be pressed before other effects run.
  useLayoutEffect(() => {
    latest.current = handler;
  });
  useLayoutEffect(() => {
    if (!isEnabled) return;
    const call: Handler = (event) => latest.current(event);
    bound.set(id, [...(bound.get(id) ?? []), call]);
    return () => {
      bound.set(
        id,
        (bound.get(id) ?? []).filter((other) => other !== call),
      );
    };
  }, [id, isEnabled]);
}

/** Starts listening for shortcuts; returns a function that stops it. */
export function listenForShortcuts(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isElsewhere(event)) return;
    const keys = keysOf(event);
    for (const [id, handlers] of bound) {
      if (!(shortcuts[id].keys as readonly string[]).includes(keys)) continue;
      const handler = handlers.at(-1);
      if (handler === undefined) continue;
      event.preventDefault();
      handler(event);
      return;
    }
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  // Many keyboards have brackets only with AltGr.
  if (altKey) return key === '[' || key === ']' ? key : '';
  const name = key.length === 1 && /\p{Lu}/u.test(key) ? key.toLowerCase() : key;
  // A sign like `?` may need shift on one keyboard and none on another.
  const shift = shiftKey && (key.length > 1 || /\p{L}/u.test(key)) ? 'shift+' : '';
  return `${ctrlKey || metaKey ? 'ctrl+' : ''}${shift}${name}`;
}

/** Ignores keys typed into a field, Enter on what it presses, and all while a menu or a dialog is open. */
function isElsewhere({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')) {
    return true;
  }
  return (
    target instanceof HTMLElement &&
    (target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]') !==
      null ||
      (key === 'Enter' && target.closest('a, button, summary') !== null))
  );
}
