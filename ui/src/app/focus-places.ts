type Focusable = HTMLElement | SVGElement;

/** A place that had the focus. */
interface Place {
  /** Of a row, its grid: rows are replaced, and the active one stands for all. */
  readonly element: Focusable;
  /** The overlay, bar or grid that it is in. */
  readonly around: HTMLElement | null;
}

const overlay = '[data-dialog]';
const grid = '[role=grid], [role=treegrid]';
const groups = `${overlay}, ${grid}, [role=group], [role=toolbar], nav, form`;
const activeRow = '[role=row][tabindex="0"]';
const stops = 'a[href], button:enabled, input:enabled, [tabindex="0"]';

/** The places that had the focus, the last one at the end. */
let places: readonly Place[] = [];
const most = 20;
/** Whether the last place has the focus, or would have it if it were still there. */
let isHere = false;

/**
 * Keeps the focus in the page: when the element that has it goes away, for example with its dialog, the focus returns
 * to where it was before. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!isFocusable(target)) return;
    const isRow = target.getAttribute('role') === 'row';
    const element = (isRow && target.closest<HTMLElement>(grid)) || target;
    const others = places.filter((place) => place.element !== element);
    places = [...others, { element, around: target.closest<HTMLElement>(groups) }].slice(-most);
    isHere = true;
  };
  const onFocusOut = ({ target }: FocusEvent) => {
    // Some browsers tell before they remove the element.
    queueMicrotask(() => {
      if (!document.hasFocus() || document.activeElement !== document.body) return;
      if (isFocusable(target) && target.isConnected && !target.closest(overlay)) isHere = false;
    });
  };
  const observer = new MutationObserver(() => {
    if (isFocusLost()) returnFocus();
  });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  // The page is inert until a modal dialog is gone.
  const attributeFilter = ['inert'];
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter });
  return () => {
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
    observer.disconnect();
  };
}

/** Gives the focus to the place that had it before: to one nearby if there still is one. */
export function returnFocus(): void {
  const { around } = places.at(-1) ?? {};
  const before = places
    .slice(0, -1)
    .map(({ element }) => element)
    .reverse();
  const near = before.filter((element) => around?.contains(element));
  const next = around?.querySelector<HTMLElement>(stops);
  for (const element of [...near, next, around, ...before]) {
    const row = element?.matches(grid) && element.querySelector<HTMLElement>(activeRow);
    const target = row || element;
    target?.focus({ preventScroll: true });
    if (target && target === document.activeElement) return;
  }
}

/** Whether the place that had the focus is gone, and nothing has it. */
export function isFocusLost(): boolean {
  const isGone = isHere && places.at(-1)?.element.isConnected === false;
  return isGone && document.activeElement === document.body;
}

function isFocusable(target: EventTarget | null): target is Focusable {
  return target instanceof HTMLElement || target instanceof SVGElement;
}
