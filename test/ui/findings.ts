import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { fewOf, times } from '../helpers/rounds.js';
import { drawnAnew } from './screen.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Both themes, wide and narrow; what opens over a page has the same colours in both widths. */
const views = [
  { width: 1440, theme: 'light', ofParts: true },
  { width: 400, theme: 'light', ofParts: true },
  { width: 400, theme: 'dark', ofParts: false },
  { width: 1440, theme: 'dark', ofParts: true },
  { width: 641, theme: 'light', ofParts: true },
  { width: 768, theme: 'light', ofParts: true },
  { width: 900, theme: 'light', ofParts: true },
] as const;

/** What knows no colour is the same in the other theme. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

export interface FindingOptions {
  /** A part of the page. Default: all of it. */
  readonly selector?: string | undefined;
  /** Default: 1440 and 400 pixels. */
  readonly widths?: readonly number[] | undefined;
  /**
   * Whether both themes and both widths are looked at also without `ROUNDS`, wide and light, narrow and dark, once for each
   * kind of page and part. Default: only the first of the widths, in the light theme.
   */
  readonly inEach?: boolean | undefined;
}

/**
 * What axe finds in the page as it is, and whether it scrolls sideways; in all views with `ROUNDS`. Leaves the page light
 * and wide.
 */
export async function findings(
  page: Page,
  { selector, widths = [1440, 400], inEach = false }: FindingOptions = {},
): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  const found: string[] = [];
  const all = views.filter(
    (view) => widths.includes(view.width) && (selector === undefined || view.ofParts),
  );
  // Of a whole page: wide and light, narrow and dark.
  for (const [n, { width, theme }] of fewOf(all, inEach ? 2 : 1).entries()) {
    await setView(page, width, theme);
    if (selector !== undefined) await page.locator(selector).waitFor();
    const rules = n > 0 && width === 1440 ? rulesOfColour : undefined;
    const spare = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    const problems = [
      ...(await violations(page, selector, rules)),
      ...(spare > 0 ? [`scrolls sideways by ${spare} pixels`] : []),
    ];
    found.push(...problems.map((text) => `${theme}, ${width} pixels: ${text}`));
  }
  await setView(page, 1440, 'light');
  return found;
}

/** Lays the page out and draws it in a view, unless it is in that already. */
async function setView(page: Page, width: number, theme: 'light' | 'dark'): Promise<void> {
  const size = page.viewportSize();
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  if (size?.width === width && size.height === 900 && isDark === (theme === 'dark')) return;
  await page.setViewportSize({ width, height: 900 });
  if (isDark !== (theme === 'dark')) await page.emulateMedia({ colorScheme: theme });
  await drawnAnew(page);
}

/**
 * Marks rows of which each element is like one in two rows above, by tag, classes, role and state: axe would find the same,
 * and takes most of its time for them. None with `ROUNDS`.
 */
const leaveOutAlike = `(() => {
  const states = /^(role|tabindex|aria-(selected|checked|expanded|hidden|current|disabled))$/;
  const kind = ({ tagName, attributes }) => [tagName, ...[...attributes].map(({ name, value }) =>
    name + (name === 'class' || states.test(name) ? '=' + value : ''))].join(' ');
  for (const row of document.querySelectorAll('[data-alike]')) row.removeAttribute('data-alike');
  const seen = new Map();
  for (const row of document.querySelectorAll('[role=row]')) {
    const kinds = new Set([row, ...row.querySelectorAll('*')].map(kind));
    const isNew = [...kinds].some((one) => (seen.get(one) ?? 0) < 2);
    for (const one of kinds) seen.set(one, (seen.get(one) ?? 0) + 1);
    row.toggleAttribute('data-alike', ${times(1) === 1} && !isNew);
  }
})()`;

async function violations(
  page: Page,
  selector: string | undefined,
  rules: readonly string[] | undefined,
): Promise<string[]> {
  // Colours that are on their way are nobody's.
  await page.evaluate(`
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()`);
  await page.evaluate(leaveOutAlike);
  const include = selector ?? 'html';
  const context = JSON.stringify({ include, exclude: '[data-alike]' });
  const options = JSON.stringify({
    resultTypes: ['violations'],
    preload: false,
    ...(rules && { runOnly: rules }),
  });
  const { violations } = (await page.evaluate(`axe.run(${context}, ${options})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
