import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useLayoutEffect } from 'react';
import { isFocusLost } from '../app/focus-places.js';

/**
 * Keeps the focus on the active row of a list, or the active cell (`role`), the one with `tabindex` 0, while rows are
 * moved, removed and replaced. `isHere`: whether the focus is in the list; owned by a component that outlives the rows. A new list, for which
 * that is not known, takes the focus of what is gone, for example of the page before.
 */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  isHere: RefObject<boolean | undefined>,
  role: 'row' | 'gridcell' = 'row',
) {
  const isRow = (element: Element) => element.getAttribute('role') === role;
  const settle = () => {
    isHere.current ??= isFocusLost();
    const focused = document.activeElement ?? document.body;
    const isInList = list.current?.contains(focused) === true;
    // The user has moved the focus elsewhere meanwhile.
    if (!isInList && focused !== document.body) isHere.current = false;
    // A link in a row may also have the focus.
    if (!isHere.current || (isInList && !isRow(focused))) return;
    const active = list.current?.querySelector<HTMLElement>(`[role=${role}][tabindex="0"]`);
    if (active !== focused) active?.focus({ preventScroll: true });
  };
  // In a layout effect, because a key pressed without focus would be lost.
  useLayoutEffect(settle);
  return {
    /** Focuses the active row, now or as soon as it is rendered. */
    enter: () => {
      const { activeElement: focused } = document;
      if (focused instanceof HTMLElement && !isRow(focused)) focused.blur();
      isHere.current = true;
      settle();
    },
    listeners: {
      onFocus: () => {
        isHere.current = true;
      },
      // React fires no blur event for removed rows, but it does for hidden rows and when the window loses the
      // focus.
      onBlur: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
        const isHidden = target.offsetParent === null;
        isHere.current = isHidden || currentTarget.contains(document.activeElement);
      },
    },
  };
}

/** The lines to render: those in sight, and the active one wherever the page is scrolled to, so that it keeps the focus. */
export function withActiveLine(range: Range, active: number): number[] {
  const lines = defaultRangeExtractor(range);
  if (active >= range.count || lines.includes(active)) return lines;
  return [...lines, active].sort((a, b) => a - b);
}
