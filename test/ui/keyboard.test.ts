import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { builtUi, type OpenedPage, openPage } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { part } from './result-project.js';
import { downloaded, rowNames, rowOf, tabTo, untilShown } from './screen.js';

const evals = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const answer = evaluation({
  cases: Array.from({ length: 40 }, (_, n) => ({ id: 'n' + n, input: 'Question ' + n, reference: 'Answer ' + n })),
  target: async (ctx) => {
    while (existsSync(new URL('hold', import.meta.url)) && !ctx.signal.aborted) await delay(10);
    return (Number(ctx.caseId.slice(1)) % 2 === 0 ? 'Answer ' : 'Reply ') + ctx.caseId.slice(1);
  },
  evaluators: [function exact({ output, reference }) { return output === reference; }],
});
`;
const failing = Array.from({ length: 20 }, (_, n) => `answer[n${n * 2 + 1}]`);

// Each step begins where the one before has ended; the page knows no other hand than the keyboard. What a key opens
// has the focus before the next key comes: nobody types into what is not there.
describe('the main path without a mouse', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let opened: OpenedPage;
  let page: Page;

  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const top = (name: string | RegExp) =>
    page.getByRole('banner').getByRole('button', { name, exact: true });
  const focused = () => page.locator('[role=row]:focus [role=rowheader] a').innerText();
  const focusIn = (part: Locator) =>
    part.and(page.locator(':focus')).or(part.locator(':focus')).waitFor();
  const openMenu = async (name: string, by: Locator): Promise<Locator> => {
    await tabTo(page, by);
    await press('Enter');
    const menu = page.getByRole('menu', { name });
    await menu.locator('[role=menuitem]:focus').waitFor();
    return menu;
  };

  before(async () => {
    served = await ServedProject.start(
      // One at a time: the page asks before a stop loses a minute of work, which four would soon have.
      { 'a.eval.ts': evals, 'assay.yaml': 'concurrency: 1\n' },
      { ui: builtUi },
    );
    opened = await openPage();
    page = opened.page;
    await page.goto(served.url);
    await rowOf(page, 'answer[n0]').waitFor();
  });

  it('runs, filters to failures by a bar and sorts by the score', async () => {
    await press('r');
    await button('20 failed').waitFor();
    await top('Rerun').waitFor();
    await tabTo(page, page.getByTitle('Show where exact failed'));
    await press('Enter');
    await untilShown(page, '20 of 40');
    const menu = await openMenu('Sort by score', button('Scores'));
    await press('Enter', 'Escape');
    await menu.waitFor({ state: 'detached' });
    await page.waitForURL(/sort=score%3Aexact/);
    expect(await rowNames(page)).to.deep.equal(failing);
  });

  it('opens a row, holds output against reference, and corrects the score with a note', async () => {
    await press('j', 'j', 'j');
    expect(await focused()).to.equal(failing[2]);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: failing[2] ?? '' }).waitFor();
    await page.getByText('3 of 20 matching').waitFor();
    await page.locator('mark').first().waitFor();
    expect(await page.locator('mark').allInnerTexts()).to.deep.equal(['Reply', 'Answer']);
    await press('d');
    await tabTo(page, button('Edit exact'));
    await press('Enter');
    const form = page.getByRole('form', { name: 'Edit exact' });
    await focusIn(form);
    await page.keyboard.type('means the same');
    await tabTo(page, page.getByRole('radio', { name: 'fail' }), 'Shift+Tab');
    await press('ArrowLeft', 'Control+Enter');
    await form.waitFor({ state: 'detached' });
    await part(page, 'Scores').getByText('means the same').waitFor();
    await part(page, 'Correction history').getByText('passed').waitFor();
  });

  it('goes back to the same place, selects ten rows and runs them again', async () => {
    await press('Escape');
    await untilShown(page, '19 of 40');
    expect(await focused()).to.equal(failing[3]);
    await press('Home', 'x', ...Array(9).fill('Shift+ArrowDown'));
    await button('Rerun 10 selected').waitFor();
    await press('r');
    const run = await served.until(
      ({ state, selected_total }) => state === 'finished' && selected_total === 10,
    );
    const { attempts } = (await served.get(`/api/runs/${run.run_id}/results/1`)).body;
    expect(attempts).to.have.length(1);
    await button('Rerun 10 selected').waitFor();
  });

  it('finds, filters and shares by the address', async () => {
    await press('Escape', '/');
    await page.keyboard.type('Question 3');
    await page.waitForURL(/search=Question\+3/);
    await press('Tab', 'f');
    const panel = page.getByRole('dialog', { name: 'Filters' });
    await focusIn(panel);
    await press('Escape');
    await panel.waitFor({ state: 'detached' });
    await tabTo(
      page,
      page.getByRole('navigation').getByRole('button', { name: 'Clear', exact: true }),
    );
    await press('Enter');
    await untilShown(page, '40 of 40');
  });

  it('pauses, resumes and stops', async () => {
    served.project.write('hold', '');
    await press('r');
    await page.getByRole('img', { name: 'running' }).first().waitFor();
    await tabTo(page, top('Pause'));
    await press('Enter');
    await page.getByText('paused, 1 finishing').waitFor();
    await tabTo(page, top('Resume'));
    await press('Enter');
    await top('Pause').waitFor();
    await tabTo(page, top('Stop'));
    await press('Enter');
    // It has ended, and nothing is in progress any more.
    await top(/^Run the remaining \d+$/)
      .and(page.locator(':enabled'))
      .waitFor();
    served.project.remove('hold');
  });

  it('starts a new run, compares it, and comes back', async () => {
    await openMenu('More ways to run', button('More ways to run'));
    await tabTo(page, page.getByRole('menuitem', { name: /^New run/ }), 'ArrowDown');
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New run' });
    await focusIn(dialog);
    await page.keyboard.type('second');
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: /second/ }).waitFor({ state: 'attached' });
    await button('20 passed').waitFor();
    await top('Rerun').waitFor();
    await press('c');
    await untilShown(page, '40 of 40 pairs');
    await press('j', 'j', ' ');
    await page.locator('[role=row][aria-expanded=true]').waitFor();
    await press('Escape');
    await button('20 passed').waitFor();
  });

  it('exports, changes a setting, and knows its own shortcuts', async () => {
    await press('e');
    await page.getByRole('menu', { name: 'Export' }).locator('[role=menuitem]:focus').waitFor();
    const report = await downloaded(page, async () => {
      await tabTo(page, page.getByRole('menuitem', { name: /^Markdown/ }), 'ArrowDown');
      await press('Enter');
    });
    expect(report.text.replaceAll('\\', ''))
      .to.match(/^# second$/m)
      .and.contain('answer[n39]');
    await tabTo(page, button('Settings'));
    await press('Enter');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await focusIn(settings);
    await tabTo(page, settings.getByLabel('Trials'));
    await page.keyboard.type('2');
    await press('Enter');
    await settings.waitFor({ state: 'detached' });
    expect(served.read('assay.yaml')).to.match(/^trials: 2$/m);
    await press('?');
    const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
    await sheet.getByText('select the row').waitFor();
    await focusIn(sheet);
    await press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(opened.faults).to.deep.equal([]);
  });
});
