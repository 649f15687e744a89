import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { serveKept } from './kept-page.js';
import { eventually, rowOf, tabTo } from './screen.js';
import { serveMany } from './table-project.js';

describe('the focus after what has opened', function () {
  this.timeout(120_000);
  const pages = serveKept(serveMany);
  let page: Page;

  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const opened = (role: 'dialog' | 'menu', name: string | RegExp) => page.getByRole(role, { name });
  /** Waits until the focus is in what a key opens. */
  const focusIn = (part: Locator) =>
    part.and(page.locator(':focus')).or(part.locator(':focus')).first().waitFor();
  const leave = async (part: Locator) => {
    await focusIn(part);
    await press('Escape');
    await part.waitFor({ state: 'detached' });
  };
  const focused = () =>
    page.evaluate<string>(`(() => {
      const { activeElement: at } = document;
      return at.ariaLabel ?? at.querySelector('[role=rowheader] a')?.textContent ?? (at.textContent || at.tagName);
    })()`);
  const returnsTo = (name: string | RegExp) =>
    eventually(
      async () => (await focused()).trim(),
      (now) => (typeof name === 'string' ? now === name : name.test(now)),
      `the focus on ${name}`,
    );
  const open = async (path?: string, width?: number) => {
    page = await pages.open(path, width === undefined ? {} : { width });
    await page.locator('[role=row][data-result]').first().waitFor();
  };

  it('is in the row again after the search, the filters, the exports and the shortcuts', async () => {
    await open();
    await press('j', 'j', '/');
    await returnsTo('Search');
    await press('Escape');
    await returnsTo('answer[case_1]');
    await press('/');
    await page.keyboard.type('case_1');
    await rowOf(page, 'answer[case_0]').waitFor({ state: 'detached' });
    await press('Escape');
    await rowOf(page, 'answer[case_0]').waitFor();
    await press('Escape');
    await returnsTo(/^answer/);
    for (const [key, part] of [
      ['f', opened('dialog', 'Filters')],
      ['e', opened('menu', 'Export')],
      ['?', opened('dialog', 'Shortcuts')],
      ['v', opened('dialog', 'Save the view')],
    ] as const) {
      const before = await focused();
      await press(key);
      await leave(part);
      await returnsTo(before);
    }
  });

  it('is on the button that has opened a menu or a dialog', async () => {
    await open();
    await tabTo(page, button('Rename run'));
    await press('Enter');
    await leave(opened('dialog', /^Runs of/));
    await returnsTo('Rename run');
    await tabTo(page, button('Columns'));
    await press('Enter');
    await focusIn(opened('menu', 'Columns'));
    await tabTo(page, page.getByRole('menuitem', { name: 'Scores and values…' }), 'ArrowDown');
    await press('Enter');
    await leave(opened('dialog', 'Columns'));
    await returnsTo('Columns');
    await tabTo(page, button('More ways to run'));
    await press('Enter');
    await focusIn(opened('menu', 'More ways to run'));
    await tabTo(page, page.getByRole('menuitem', { name: /^New run/ }), 'ArrowDown');
    await press('Enter');
    await leave(opened('dialog', 'New run'));
    await returnsTo('More ways to run');
  });

  it('is nearby after what is saved, taken back and cleared', async () => {
    await open();
    await press('j', 'Home', 'x');
    const bar = page.getByRole('toolbar', { name: 'Selected results' });
    await bar.getByRole('button', { name: 'Set score' }).press('Enter');
    await focusIn(opened('dialog', /^Set a score/));
    await page.keyboard.type('looked');
    await press('Enter');
    await bar.getByText('Set looked of 1 result').waitFor();
    await returnsTo('Set score');
    await bar.getByRole('button', { name: 'Undo' }).press('Enter');
    await bar.getByText('Set looked of 1 result').waitFor({ state: 'detached' });
    await returnsTo('Set score');
    await bar.getByRole('button', { name: /^Clear/ }).press('Enter');
    await bar.waitFor({ state: 'detached' });
    await returnsTo('answer[case_0]');
  });

  it('is not taken by a place of before when the reader leaves one for nothing', async () => {
    await open();
    await press('j', '/');
    await page
      .locator('main section')
      .first()
      .click({ position: { x: 2, y: 2 } });
    expect(await focused()).not.to.equal('Search');
    await page.evaluate(`document.querySelector('header').append(document.createElement('i'))`);
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('BODY');
  });

  it('is in the rows after a result that was read again', async () => {
    await open('/?status=failed');
    await press('j', 'j', 'Enter');
    await page.getByRole('heading', { level: 1, name: 'answer[case_5]' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'answer[case_5]' }).waitFor();
    await press('j');
    await page.getByRole('heading', { level: 1, name: 'answer[case_9]' }).waitFor();
    await press('Escape');
    await rowOf(page, 'answer[case_1]').waitFor();
    await returnsTo(/^answer/);
  });
});
