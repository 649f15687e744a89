import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { gate } from '../helpers/gate.js';

/** Goes to an address of the app without loading the page again. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Lets nothing of the page through to an address until what this answers with is called. */
export async function holdBack(
  page: Page,
  address: Parameters<Page['route']>[0],
): Promise<() => void> {
  const { opened, open } = gate();
  await page.route(address, (route) => opened.then(() => route.continue()));
  return open;
}

/** The row of an evaluation on the dashboard, by its whole name. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
}

/** Names of the rows that are in the page of the dashboard and have been read, from top to bottom. */
export function rowNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('[role=row][data-line]')]
      .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
      .map((row) => row.querySelector('[role=rowheader] a')?.textContent)
      .filter((name) => name !== undefined)`);
}

/** Waits until the line of filters says so many: `193 of 1,000`. */
export function untilShown(page: Page, text: string): Promise<void> {
  return page
    .getByRole('navigation', { name: 'Filters' })
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${text}`) })
    .waitFor();
}

/** Opens a menu by its button and chooses from it. */
export async function choose(page: Page, button: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Chooses the columns of the table, from the next time it is loaded on. */
export async function showColumns(page: Page, order: readonly string[]): Promise<void> {
  const kept = JSON.stringify(JSON.stringify({ order }));
  await page.evaluate(`for (const name of ['assay.columns', ...Object.keys(localStorage).filter((name) => name.startsWith('assay.columns '))])
    localStorage.setItem(name, ${kept})`);
}

/** Pixels of an element's content that are out of sight or beyond it. */
export function cutBy(element: {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}): number {
  return element.scrollWidth - element.clientWidth;
}

/** What the page downloads when something is done, as text. */
export async function downloaded(
  page: Page,
  act: () => Promise<void>,
): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') };
}

/** Presses Tab, or another key, until something has the focus; fails after a hundred times. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${target}`);
}

/** Asks the page again until it is so; its policy lets nothing else wait for a value in it. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isSo: (answer: T) => boolean,
  what: string,
): Promise<T> {
  for (const end = performance.now() + 30_000; ; await delay(40)) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (performance.now() > end) throw new Error(`${what}: waited in vain; it is ${answer}`);
  }
}

/** What an element of the page answers; the types of tests know no page. */
interface Placed {
  getBoundingClientRect(): { readonly y: number };
}

/** Turns the wheel until a row further down is well in sight and stays there: rows on the way are measured, and move it. */
export async function wheelDownTo(page: Page, row: Locator): Promise<void> {
  let before: number | undefined;
  await eventually(
    async () => {
      await restingScroll(page, 4);
      const y = await row.evaluateAll(
        ([found]) => (found as Placed | undefined)?.getBoundingClientRect().y,
      );
      const isInSight = y !== undefined && y > 200 && y < 700;
      if (!isInSight) await page.mouse.wheel(0, y === undefined || y >= 700 ? 450 : -300);
      const isStill = isInSight && y === before;
      before = y;
      return isStill;
    },
    (isStill) => isStill,
    'a row in sight that stays',
  );
}

/** Waits for two frames: sizes are observed, and drawn anew. */
export async function drawnAnew(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}

/** How far the page is scrolled down, in pixels. */
export function scrolledBy(page: Page): Promise<number> {
  return page.evaluate<number>('scrollY');
}

/** The same once it has not changed for so many frames: a turn of the wheel takes some, and rows that come into sight are measured. */
export function restingScroll(page: Page, frames: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    let [last, still] = [-1, 0];
    const look = () => {
      still = scrollY === last ? still + 1 : 0;
      last = scrollY;
      if (still < ${frames}) requestAnimationFrame(look);
      else resolve(last);
    };
    look();
  })`);
}
