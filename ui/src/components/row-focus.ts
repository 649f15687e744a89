import { type FocusEvent, type RefObject, useLayoutEffect } from 'react';

/**
 * Keeps the reader on the active row of a list, the one with `tabindex` 0, whatever becomes of its rows: they are moved,
 * taken away and replaced under the focus. `isHere`: whether the reader is in the list; kept by who outlives the rows.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, isHere: RefObject<boolean>) {
  const settle = () => {
    const focused = document.activeElement ?? document.body;
    const isInList = list.current?.contains(focused) === true;
    // The reader has gone to something else meanwhile.
    if (!isInList && focused !== document.body) isHere.current = false;
    // A link in a row may have the focus as well.
    if (!isHere.current || (isInList && !isRow(focused))) return;
    const active = list.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]');
    if (active !== focused) active?.focus({ preventScroll: true });
  };
  // Before any key can come: without the focus it would be lost.
  useLayoutEffect(settle);
  return {
    /** Brings the reader to the active row, now or as soon as it is in the page. */
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
      // React tells nothing of rows that are taken away; of those that are hidden, and of a window that is left, it does.
      onBlur: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
        const isHidden = target.offsetParent === null;
        isHere.current = isHidden || currentTarget.contains(document.activeElement);
      },
    },
  };
}

function isRow(element: Element): boolean {
  return element.getAttribute('role') === 'row';
}
