import type { Page } from 'playwright-core';
import { drawnAnew } from './screen.js';

/** In the page, for its types know no test. */
const look = `(() => {
  const found = [];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isClipped = (element) => {
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === 'visible') continue;
      const { left, right } = at.getBoundingClientRect();
      if (left > -1 && right < innerWidth + 1) return true;
    }
    return false;
  };
  const named = (element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40);
  const targets = 'a[href], button, input, select, textarea, summary, [role=switch], [role=button], [role=checkbox], [role=option], [role^=menuitem], [role=tab]';
  // Links within a sentence are as high as its lines.
  const isInText = (element) => element.matches('a, button') && getComputedStyle(element).display === 'inline' &&
    [...element.parentNode.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  const isHit = (element, x, y) => {
    const at = document.elementFromPoint(x, y);
    if (at === null) return false;
    // What is open covers a part for a moment.
    const open = at.closest('[role=dialog], [role=menu]');
    if (open !== null && !open.contains(element)) return true;
    return element.contains(at) || at.closest('label')?.control === element;
  };
  // Pixels around a point in one direction and its opposite that hit an element; more than needed are not counted.
  const hitBy = (element, x, y, dx, dy) => {
    let many = 1;
    for (const sign of [1, -1]) {
      for (let n = 1; n < 24 && isHit(element, x + sign * n * dx, y + sign * n * dy); n += 1) many += 1;
    }
    return many;
  };
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.sr') || !isShown(element)) continue;
    const { left, right, top, width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    if ((right > innerWidth + 1 || left < -1) && !isClipped(element)) {
      found.push('beyond the window: ' + element.tagName + ' ' + named(element));
    }
    if (!element.matches(targets) || isInText(element) || (width > 23.5 && height > 23.5)) continue;
    // Lines of a chart.
    if (element.matches('svg a')) continue;
    // More than is seen of it may be hit; nothing where it is out of sight or behind a dialog.
    const [x, y] = [left + width / 2, top + height / 2];
    if (!isHit(element, x, y)) continue;
    const [wide, high] = [hitBy(element, x, y, 1, 0), hitBy(element, x, y, 0, 1)];
    if (wide < 24 || high < 24) found.push('small: ' + wide + ' × ' + high + ' ' + element.tagName + ' ' + named(element));
  }
  const spare = document.documentElement.scrollWidth - innerWidth;
  return spare > 0 ? [...found, 'scrolls sideways by ' + spare] : found;
})()`;

/** What is beyond the window, cut where nothing says so, or too small to be hit. */
export async function misfits(page: Page): Promise<string[]> {
  await drawnAnew(page);
  return page.evaluate<string[]>(look);
}
