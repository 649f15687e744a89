import { useLayoutEffect, useRef } from 'react';
import type { IconName } from '../components/icons/icon-paths.js';

/** What a command is for, in the order of the palette. */
export type CommandGroup = 'go' | 'do' | 'show' | 'this';

/** A shortcut. */
interface Shortcut {
  /** Values of `KeyboardEvent.key`; `shift+x` for an upper-case letter. */
  readonly keys: readonly string[];
  /** The keys as displayed. */
  readonly shown: readonly string[];
  readonly text: string;
  readonly group: CommandGroup;
  readonly icon?: IconName;
  /** What each key does, where they do not do the same. */
  readonly each?: readonly string[];
  /** Handled by a component, so not here. `row`: by a row of a grid. */
  readonly isLocal?: true | 'row';
}

const one = (
  key: string,
  text: string,
  group: CommandGroup,
  icon?: IconName,
): Shortcut & { readonly isLocal?: never } => ({
  keys: [key],
  shown: [key],
  text,
  group,
  ...(icon && { icon }),
});

/** A command that only the palette has. */
const keyless = (text: string, group: CommandGroup, icon: IconName) => ({
  keys: [],
  shown: [],
  text,
  group,
  icon,
});

/** The key that is held for commands, as the keyboard has it. */
const control = /Mac|iP/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'ctrl';

/** Every shortcut, in the order of the sheet that `?` opens: read across, in two columns. Keys, sheet and palette go by it. */
export const shortcuts = {
  palette: {
    keys: ['ctrl+k'],
    shown: [control, 'k'],
    text: 'commands, results, runs',
    group: 'go',
  },
  search: one('/', 'search', 'show', 'search'),
  walk: {
    keys: ['j', 'k', 'ArrowDown', 'ArrowUp'],
    shown: ['j', 'k'],
    text: 'next, previous row',
    group: 'go',
    each: ['next', 'previous'],
  },
  filters: one('f', 'filters', 'show', 'filter'),
  open: {
    keys: ['Enter'],
    shown: ['↵'],
    text: 'open the result',
    group: 'this',
    isLocal: 'row',
  },
  select: one('x', 'select the row', 'this'),
  expand: {
    keys: [' '],
    shown: ['space'],
    text: 'expand in place',
    group: 'this',
    isLocal: 'row',
  },
  selectTo: { keys: ['shift+x'], shown: ['shift', 'x'], text: 'select up to here', group: 'this' },
  back: {
    keys: ['Escape'],
    shown: ['esc'],
    text: 'back to the same place',
    group: 'go',
    icon: 'left',
  },
  rerun: one('r', 'run, as the button says', 'do', 'rerun'),
  calls: one('m', 'calls as timeline, conversation, raw', 'show'),
  diff: one('d', 'diff with the reference', 'show', 'compare'),
  changes: {
    keys: ['[', ']'],
    shown: ['[', ']'],
    text: 'previous, next difference',
    group: 'go',
    each: ['previous difference', 'next difference'],
  },
  differences: {
    keys: ['shift+d'],
    shown: ['shift', 'd'],
    text: 'all differences of runs',
    group: 'show',
  },
  fixedWidth: one('w', 'texts in fixed width', 'show'),
  regrade: one('g', 'regrade', 'do', 'regrade'),
  annotate: one('a', 'annotate', 'this', 'pencil'),
  scores: {
    keys: ['s', 'shift+s'],
    shown: ['s'],
    text: 'next score; in a review, skip',
    group: 'this',
  },
  verdict: {
    keys: ['1', '2', 'u'],
    shown: ['1', '2', 'u'],
    text: 'pass, fail, clear or unsure',
    group: 'this',
    each: ['pass', 'fail', 'clear or unsure'],
  },
  note: one('n', 'note for the verdict', 'this'),
  undo: one('z', 'take the verdict back', 'this', 'undo'),
  sections: {
    keys: ['shift+j', 'shift+k'],
    shown: ['shift', 'j', 'k'],
    text: 'next, previous section',
    group: 'go',
    each: ['next section', 'previous section'],
  },
  export: one('e', 'export', 'do', 'export'),
  copyLink: one('y', 'copy the link to this view', 'do', 'chain'),
  view: one('v', 'save the view', 'do', 'view'),
  tab: one('t', 'results, reasons; pairs, prompts', 'show'),
  save: {
    keys: ['ctrl+Enter'],
    shown: [control, '↵'],
    text: 'save an edit',
    group: 'do',
    isLocal: true,
  },
  compare: one('c', 'compare', 'go', 'compare'),
  copyCase: keyless('copy the case as TypeScript', 'this', 'copy'),
  copyPath: keyless('copy the path of the file', 'this', 'copy'),
  openFile: keyless('open the file in the editor', 'this', 'ext'),
  theme: keyless('light or dark theme', 'show', 'theme'),
  help: one('?', 'all keys on one sheet', 'show'),
} as const satisfies Readonly<Record<string, Shortcut>>;

type ShortcutId = keyof typeof shortcuts;

type Handler = (event: KeyboardEvent) => void;

/** A handler of a component, and its words where those of the shortcut say too little. */
interface Bound {
  readonly call: Handler;
  readonly words: () => string | undefined;
}

const bound = new Map<ShortcutId, Bound[]>();

/**
 * Calls `handler` when the keys of a shortcut are pressed, or it is chosen in the palette; the component mounted last wins.
 * `words`: what it does now, for the palette.
 */
export function useShortcut(
  id: ShortcutId,
  handler: Handler,
  isEnabled = true,
  words?: string,
): void {
  const latest = useRef({ handler, words });
  // In a layout effect, because a key may be pressed before other effects run.
  useLayoutEffect(() => {
    latest.current = { handler, words };
  });
  useLayoutEffect(() => {
    if (!isEnabled) return;
    const own: Bound = {
      call: (event) => latest.current.handler(event),
      words: () => latest.current.words,
    };
    bound.set(id, [...(bound.get(id) ?? []), own]);
    return () => {
      bound.set(
        id,
        (bound.get(id) ?? []).filter((other) => other !== own),
      );
    };
  }, [id, isEnabled]);
}

/** What a key, or a command without one, does on the page as it is now. */
export interface Command extends Pick<Shortcut, 'text' | 'group' | 'icon'> {
  readonly id: string;
  /** The keys as displayed. */
  readonly shown: readonly string[];
  /** Does it, once what is over the page is gone. */
  readonly act: () => void;
}

/** The commands of the page. `row`: the row that has the focus, if one has. */
export function commandsOf(row: HTMLElement | undefined): readonly Command[] {
  return (Object.entries(shortcuts) as [ShortcutId, Shortcut][]).flatMap(([id, shortcut]) => {
    const { keys, shown, text, group, icon, each = [text], isLocal } = shortcut;
    const isRow = isLocal === 'row' && row !== undefined;
    const own = bound.get(id)?.at(-1);
    if (id === 'palette' || (!isRow && own === undefined)) return [];
    const isOfShift = keys.length > 1 && shown[0] === 'shift';
    return each.map((words, n) => ({
      id: `${id} ${n}`,
      text: (each.length === 1 && own?.words()) || words,
      group,
      ...(icon && { icon }),
      shown:
        each.length === 1 ? shown : isOfShift ? ['shift', shown[n + 1] ?? ''] : [shown[n] ?? ''],
      act: () => {
        const name = keys[n] ?? '';
        const key = name.replace(/^shift\+/, '');
        const event = new KeyboardEvent('keydown', {
          key,
          shiftKey: key !== name,
          bubbles: true,
          cancelable: true,
        });
        if (isRow) row.dispatchEvent(event);
        else own?.call(event);
      },
    }));
  });
}

/** Starts listening for shortcuts; returns a function that stops it. */
export function listenForShortcuts(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isElsewhere(event)) return;
    const keys = keysOf(event);
    for (const [id, handlers] of bound) {
      if (!(shortcuts[id].keys as readonly string[]).includes(keys)) continue;
      const own = handlers.at(-1);
      if (own === undefined) continue;
      event.preventDefault();
      own.call(event);
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

/** Ignores keys typed into a field, but for commands; Enter on what it presses; and all while a menu or a dialog is open. */
function isElsewhere(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')) {
    return true;
  }
  if (keysOf(event) === 'ctrl+k') return false;
  return (
    target instanceof HTMLElement &&
    (target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]') !==
      null ||
      (key === 'Enter' && target.closest('a, button, summary') !== null))
  );
}
