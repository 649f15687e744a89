import { useLayoutEffect, useRef } from 'react';
import { type ShortcutId, shortcuts } from './shortcut-list.js';

type Handler = (event: KeyboardEvent) => void;

const bound = new Map<ShortcutId, Handler[]>();

/** Does something when the keys of a shortcut are pressed; the part of the page that came last wins. */
export function useShortcut(id: ShortcutId, handler: Handler, isEnabled = true): void {
  const latest = useRef(handler);
  // With what is in sight, not some time after it: a key may come in between.
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

/** Listens for shortcuts on the page; answers with how to stop. */
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
  if (altKey) return '';
  const name = key.length === 1 && /\p{Lu}/u.test(key) ? key.toLowerCase() : key;
  // A sign like `?` may need shift on one keyboard and none on another.
  const shift = shiftKey && (key.length > 1 || /\p{L}/u.test(key)) ? 'shift+' : '';
  return `${ctrlKey || metaKey ? 'ctrl+' : ''}${shift}${name}`;
}

/** Keys typed into something, or pressed while a menu or a dialog is open, are not ours. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')) {
    return true;
  }
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]') !== null
  );
}
