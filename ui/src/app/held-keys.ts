import { useLayoutEffect } from 'react';

/** The number of parts that are on their way. */
let awaited = 0;
/** The keys that were pressed meanwhile. */
let held: KeyboardEvent[] = [];

/** Holds back keys until the returned function is called: what they are meant for is not there yet. */
export function holdKeys(): () => void {
  awaited += 1;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    awaited -= 1;
    queueMicrotask(pressNext);
  };
}

/** Holds back keys while something is on its way. */
export function useHeldKeys(isAwaited: boolean): void {
  // In a layout effect, because a key may be pressed before other effects run.
  useLayoutEffect(() => (isAwaited ? holdKeys() : undefined), [isAwaited]);
}

/** Forgets the keys that are held back. */
export function dropKeys(): void {
  held = [];
}

/** Starts listening for keys to hold back; returns a function that stops it. */
export function listenForHeldKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isOpen = awaited === 0 && held.length === 0;
    if (isOpen || !event.isTrusted || !isHeld(event) || isTyped(event)) return;
    event.preventDefault();
    event.stopPropagation();
    held.push(event);
  };
  document.addEventListener('keydown', onKeyDown, true);
  document.addEventListener('pointerdown', dropKeys, true);
  return () => {
    document.removeEventListener('keydown', onKeyDown, true);
    document.removeEventListener('pointerdown', dropKeys, true);
  };
}

/** Presses one key; the next one after what that has changed. */
function pressNext(): void {
  if (awaited > 0) return;
  const key = held.shift();
  if (key === undefined) return;
  const target = document.activeElement ?? document.body;
  const isTaken = !target.dispatchEvent(new KeyboardEvent('keydown', key));
  // The only way that browsers have to type into a field, so that it can be undone.
  if (!isTaken && key.key.length === 1) document.execCommand('insertText', false, key.key);
  queueMicrotask(pressNext);
}

function isHeld({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return key.length === 1 || key === 'Enter' || key === 'Escape' || key.startsWith('Arrow');
}

/** Whether a key goes into a field that is there. */
function isTyped({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select')
  );
}
