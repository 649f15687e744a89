import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { findings } from './findings.js';
import { serveKept } from './kept-page.js';
import { eventually, goWithin, holdBack, rowNames, rowOf, tabTo, untilShown } from './screen.js';
import { serveMany } from './table-project.js';

describe('keys and the focus', function () {
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
  const focusedRow = () => page.locator('[role=row]:focus [role=rowheader] a').innerText();
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
  const open = async (path?: string) => {
    page = await pages.open(path);
    await page.locator('[role=row][data-result]').first().waitFor();
  };

  describe('the focus after what has opened', () => {
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

  describe('the row that has the focus', () => {
    const score = (index: number, scores: object) =>
      pages.served.patch(`/api/runs/latest/results/${index}`, { result: { scores } });

    it('is kept when other rows take the place of all, and keys count for those before they are there', async () => {
      await open('/?dataset=orders');
      await press('j', 'Home', 'j', 'j', 'j');
      expect(await focusedRow()).to.equal('answer[case_3]');
      const letGo = await holdBack(page, /sort=score/);
      await page.evaluate(
        `history.pushState(null, '', '/?dataset=orders&sort=score%3Asize&order=desc')`,
      );
      await press('j', 'j');
      letGo();
      await page.locator('[role=grid][aria-busy=false]').waitFor();
      expect((await rowNames(page))[0]).to.equal('answer[case_159]');
      expect(await focusedRow()).to.equal('answer[case_157]');
    });

    it('is that of the result that moves', async () => {
      await open('/?dataset=orders&sort=score%3Asize&order=desc');
      await press('j', 'Home', 'j', 'j');
      expect(await focusedRow()).to.equal('answer[case_157]');
      await score(157, [
        { key: 'exact', passed: false },
        { key: 'size', value: 1.525 },
      ]);
      await page.locator('[role=row]:focus').getByText('1.525').waitFor();
      await page.locator('[role=row][aria-rowindex="8"]:focus').waitFor();
      expect(await focusedRow()).to.equal('answer[case_157]');
      await press('k');
      expect(await focusedRow()).to.equal('answer[case_153]');
    });

    it('is the next one when the result leaves the view, and the last one when that was the last', async () => {
      await open('/?status=failed&dataset=orders');
      await press('j', 'Home', 'j');
      expect(await focusedRow()).to.equal('answer[case_5]');
      await score(5, [{ key: 'exact', passed: true }]);
      await untilShown(page, '39 of 210');
      expect(await focusedRow()).to.equal('answer[case_9]');
      await press('End');
      expect(await focusedRow()).to.equal('answer[case_157]');
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'answer[case_157]' }).waitFor();
      await score(157, [{ key: 'exact', passed: true }]);
      await page.getByText('Correction history').waitFor();
      await press('Escape');
      await untilShown(page, '38 of 210');
      expect(await focusedRow()).to.equal('answer[case_153]');
    });

    it('is there again when the reader goes back before the result has been read', async () => {
      await open();
      await press('j', 'Home', 'j', 'j');
      const letGo = await holdBack(page, /\/api\/runs\/\w+\/results\//);
      const [asked] = await Promise.all([
        page.waitForRequest(/\/results\/2(\?|$)/),
        press('Enter'),
      ]);
      await press('Escape');
      await rowOf(page, 'answer[case_2]').waitFor();
      expect(await focusedRow()).to.equal('answer[case_2]');
      letGo();
      await asked.response();
    });
  });

  describe('the palette', () => {
    const list = () => page.getByRole('listbox', { name: 'Commands' });
    const openPalette = async () => {
      await press('Control+k');
      await page.getByRole('combobox', { name: 'Commands' }).and(page.locator(':focus')).waitFor();
    };

    it('returns the focus, does what keys do, and leads to results', async () => {
      await open();
      await press('j', 'j');
      const name = await focusedRow();
      await openPalette();
      expect(await list().getByRole('option').count()).to.be.above(12);
      const selected = list().getByRole('option', { selected: true });
      const first = await selected.innerText();
      await press('ArrowDown');
      expect(await selected.innerText()).not.to.equal(first);
      await press('Escape');
      await list().waitFor({ state: 'detached' });
      await returnsTo(name);

      await openPalette();
      await page.keyboard.type('select the row');
      await press('Enter');
      const box = rowOf(page, name).getByRole('checkbox');
      await eventually(
        () => box.getAttribute('aria-checked'),
        (now) => now === 'true',
        'a row',
      );

      await openPalette();
      await page.keyboard.type('case_5');
      await list().getByRole('option', { name: 'answer[case_5]' }).first().waitFor();
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'answer[case_5]' }).waitFor();
      await openPalette();
      expect(await findings(page, {})).to.deep.equal([]);
      await page.keyboard.type('nothing has this');
      await page.getByText('Nothing has “nothing has this”.').waitFor();
      await press('Escape');
    });

    it('asks the server once typing pauses, not for each letter', async () => {
      await open();
      const asked: (string | null)[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname.endsWith('/rows')) asked.push(searchParams.get('search'));
      });
      const searched = (text: string) =>
        page.waitForResponse((response) => response.url().includes(`search=${text}&`));
      await openPalette();
      await Promise.all([searched('c'), page.keyboard.type('c')]);
      await Promise.all([
        searched('case_7'),
        page.evaluate(`for (const text of ['ca', 'cas', 'case', 'case_7']) {
          document.execCommand('selectAll');
          document.execCommand('insertText', false, text);
        }`),
      ]);
      expect(asked.filter((text) => text !== null)).to.deep.equal(['c', 'case_7']);
      await press('Escape');
    });

    it('has the values of results as filters', async () => {
      await open();
      await openPalette();
      await page.keyboard.type('status=passed');
      await list().getByRole('option', { name: 'status=passed' }).waitFor();
      await press('Enter');
      await page.waitForURL(/[?&]status=passed/);
    });
  });

  describe('colours that the system forces', () => {
    const colorsOf = (selector: string) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one).backgroundColor)`,
      );

    it('leave bars of counts and of scores, and letters of compared runs, apart', async () => {
      const first = await pages.served.activeId();
      const second = (await pages.served.post('/api/runs/new?wait=true', {})).body.run_id;
      await open(`/?run=${first}`);
      await page.emulateMedia({ forcedColors: 'active' });
      await page.getByRole('table', { name: 'Scores' }).waitFor();
      const bars = await colorsOf('[role=img] > i, [role=table] [role=cell] i');
      const [canvas] = await colorsOf('body');
      expect(bars.length).to.be.above(4);
      expect(new Set(bars).size).to.be.above(3);
      expect(bars.every((color) => color !== canvas || color === 'rgba(0, 0, 0, 0)')).to.equal(
        true,
      );
      await goWithin(page, `/compare?run=${first}&run=${second}`);
      await page.getByRole('table', { name: 'Latency by run' }).waitFor();
      const letters = ['A', 'B'].map((letter) => `[role=img][aria-label="run ${letter}"]`);
      const [a, b] = await Promise.all(letters.map(async (one) => (await colorsOf(one))[0]));
      expect(new Set([a, b, canvas]).size).to.equal(3);
      await goWithin(page, `/matrix?run=${first}&run=${second}`);
      await page.getByRole('treegrid').waitFor();
      const [base, other] = await Promise.all(letters.map(async (one) => (await colorsOf(one))[0]));
      expect(new Set([base, other]).size).to.equal(2);
    });

    it('leave in a result what differs apart, and what is chosen', async () => {
      page = await pages.open('/');
      await goWithin(page, '/runs/latest/results/1');
      await page.getByRole('region', { name: 'Reference', exact: true }).waitFor();
      await page.locator('mark').nth(1).waitFor();
      const linesOf = (code: string) => page.evaluate<string[]>(code);
      const marks = await linesOf(
        `['Output', 'Reference'].map((title) => getComputedStyle([...document.querySelectorAll('mark')]
          .find((one) => one.textContent !== 'not there' && one.closest('section').textContent.startsWith(title))).textDecorationLine)`,
      );
      expect(marks).to.deep.equal(['underline', 'line-through']);
      await press('d');
      await page.locator('[aria-pressed=true]').first().waitFor();
      const pressed = await linesOf(
        `[...document.querySelectorAll('[aria-pressed]')].map((one) => one.ariaPressed + ' ' + getComputedStyle(one).textDecorationLine)`,
      );
      expect(new Set(pressed)).to.deep.equal(new Set(['true underline', 'false none']));
    });
  });

  describe('keys pressed before what they are meant for is there', () => {
    /** Opens the dashboard, whose requests to each address wait until they are let go. */
    const openWithout = async (...addresses: readonly RegExp[]) => {
      page = await pages.blank();
      const letGo: (() => void)[] = [];
      for (const address of addresses) letGo.push(await holdBack(page, address));
      await page.goto(pages.served.url);
      await rowOf(page, 'answer[case_0]').waitFor();
      return letGo;
    };
    const hasText = (dialog: string, text: string) =>
      eventually(
        () => page.getByRole('dialog', { name: dialog }).getByRole('textbox').inputValue(),
        (value) => value === text,
        `the text in ${dialog}`,
      );

    it('are typed into the dialog that they open, also that of the bar that a selection brings', async () => {
      const { run_id } = await pages.served.active();
      const [showBar, loadMenus, loadDialog, readViews] = await openWithout(
        /selection-bar/,
        /overlay-parts/,
        /saved-views/,
        /\/api\/views/,
      );
      await press('j', 'x', 'a');
      await page.keyboard.type('seen');
      showBar?.();
      loadMenus?.();
      await hasText('Annotate 1 result', 'seen');
      await press('Escape', 'Escape', 'v');
      await page.keyboard.type('after');
      loadDialog?.();
      await page.keyboard.type(' xj');
      readViews?.();
      await hasText('Save the view', 'after xj');
      expect(await pages.served.active()).to.include({ run_id, state: 'finished' });
      expect(await page.getByRole('dialog').count()).to.equal(1);
    });

    it('are forgotten when the part cannot be loaded', async () => {
      const { run_id } = await pages.served.active();
      page = await pages.blank();
      await page.route(/saved-views.*\.js/, (route) => route.abort());
      await page.goto(pages.served.url);
      await rowOf(page, 'answer[case_0]').waitFor();
      await press('v', 'r');
      await page
        .getByText(/dynamically imported/)
        .first()
        .waitFor();
      await press('j');
      await page.locator('[role=row]:focus').waitFor();
      expect(await pages.served.active()).to.include({ run_id, state: 'finished' });
    });
  });
});
