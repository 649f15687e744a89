import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, type OpenedPage, openPage } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { eventually, rowOf, untilShown } from './screen.js';

const evals = `
import { evaluation } from 'assay';
export const answer = evaluation({
  dataset: 'cities',
  cases: Array.from({ length: 12 }, (_, n) => ({
    id: 'case_' + n, input: n, labels: [n % 2 ? 'odd' : 'even'], metadata: { tier: n % 3 },
  })),
  target: (ctx) => ctx.input,
}, (ctx) => ctx.score('small', ctx.input < 4));
`;
const settings = `# ours
views:
  gone:
    query: dataset=moved&label=odd&score=small:maybe&by=nothing&colour=red
    columns: [output, smell, 'field:metadata.tier']
`;

describe('saved views', () => {
  let served: ServedProject;
  let opened: OpenedPage;
  let page: Page;

  const filters = (on = page) => on.getByRole('navigation', { name: 'Filters' });
  const picker = (on = page) => filters(on).locator('button[aria-haspopup=menu]').first();
  const menu = (on = page) => on.getByRole('menu', { name: 'Views' });
  const choose = async (item: RegExp, on = page) => {
    await picker(on).click();
    await menu(on).getByRole('menuitem', { name: item }).click();
  };
  const says = (text: string, on = page) =>
    eventually(
      () => picker(on).innerText(),
      (shown) => shown.replace(/\s+/g, ' ').trim() === text,
      'the open view',
    );
  const heads = (on = page) => on.getByRole('grid').getByRole('columnheader').allInnerTexts();
  const hasColumns = (wanted: string[], on = page) =>
    eventually(
      async () =>
        (await heads(on))
          .map((text) => text.trim())
          .filter((text) => !['', 'Status'].includes(text)),
      (shown) => String(shown) === String(wanted),
      'columns',
    );
  const views = async () => (await served.get('/api/views')).body.views as { name: string }[];

  before(async function () {
    this.timeout(120_000);
    served = await ServedProject.start(
      { 'many.eval.ts': evals, 'assay.yaml': settings },
      { ui: builtUi },
    );
    await served.runAll();
    opened = await openPage();
    page = opened.page;
    await page.goto(served.url);
    await rowOf(page, 'answer[case_0]').waitFor();
  });
  after(() => {
    expect(opened.faults).to.deep.equal([]);
  });

  it('are saved under a name with filters, order, groups and columns', async () => {
    await says('views');
    await filters().getByRole('button', { name: /^odd/ }).click();
    await untilShown(page, '6 of 12');
    await page.getByRole('columnheader', { name: 'Latency' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Input' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('v');
    const dialog = page.getByRole('dialog', { name: 'Save the view' });
    await dialog.getByRole('textbox', { name: 'Name of the view' }).fill('odd "ones"');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
    await dialog.getByRole('textbox').fill('odd ones');
    await page.keyboard.press('Enter');
    await says('odd ones');
    const saved = (await views()).find(({ name }) => name === 'odd ones');
    expect(saved).to.deep.include({ query: 'label=odd&sort=latency&order=desc' });
    expect(served.read('assay.yaml')).to.match(/^# ours\n/);
    expect(new URL(page.url()).searchParams.get('view')).to.equal('odd ones');
  });

  it('are marked once edited, also after a reload, and take the changes or discard them', async () => {
    await filters().getByRole('button', { name: 'Clear' }).click();
    await says('odd ones edited');
    await page.reload();
    await untilShown(page, '12 of 12');
    await says('odd ones edited');
    await choose(/^Discard changes/);
    await untilShown(page, '6 of 12');
    await says('odd ones');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Reference' }).click();
    await page.keyboard.press('Escape');
    await says('odd ones edited');
    await page.reload();
    await hasColumns(['Evaluation', 'Output', 'Scores', 'Latency s']);
    await says('odd ones edited');
    await page.keyboard.press('v');
    await says('odd ones');
    await page.getByText('The view odd ones is saved.').waitFor();
  });

  it('are left for all results and the columns of before', async () => {
    await choose(/^All results/);
    await untilShown(page, '12 of 12');
    await says('views');
    // Input was hidden before the view had columns of its own; Reference only in the view.
    await hasColumns(['Evaluation', 'Reference', 'Output', 'Scores', 'Latency s']);
    await page.goBack();
    await says('odd ones');
    await hasColumns(['Evaluation', 'Output', 'Scores', 'Latency s']);
  });

  it('open in another browser by name alone; what changes there shows here', async () => {
    const other = await openPage();
    const there = other.page;
    await there.goto(`${served.url}/?view=odd+ones`);
    await untilShown(there, '6 of 12');
    await says('odd ones', there);
    await hasColumns(['Evaluation', 'Output', 'Scores', 'Latency s'], there);
    await choose(/^Rename/, there);
    const name = there.getByRole('textbox', { name: 'Name of the view' });
    await name.fill('gone');
    await there.getByText('Another view has this name.').waitFor();
    await name.fill('odd');
    await there.keyboard.press('Enter');
    await says('odd', there);
    await page.getByText('There is no view odd ones').waitFor();
    await says('views');
    await picker().click();
    await menu()
      .getByRole('menuitem', { name: /^odd.*6/ })
      .waitFor();
    await page.keyboard.press('Escape');
    expect(other.faults).to.deep.equal([]);
    await there.close();
  });

  it('open with what there is, if a column, a filter or a value no longer exists', async () => {
    await choose(/^gone/);
    await untilShown(page, '6 of 12');
    await hasColumns(['Evaluation', 'Output', 'metadata.tier']);
    await page.getByText(/^The view gone opens without .*moved.*: not in this run\.$/).waitFor();
    const { searchParams } = new URL(page.url());
    searchParams.delete('run');
    expect(String(searchParams)).to.equal('view=gone&label=odd');
  });

  it('are deleted after a question', async () => {
    await choose(/^Delete/);
    await page.getByRole('button', { name: 'Delete view' }).click();
    await says('views');
    await eventually(views, (left) => left.length === 1, 'one view left');
    expect(served.read('assay.yaml')).to.match(/^# ours\n/);
  });

  it('of two browsers that save at the same time are both kept, or one is told', async () => {
    await served.delete('/api/views/shared');
    await served.delete('/api/views/mine');
    await page.goto(`${served.url}/?label=odd`);
    await untilShown(page, '6 of 12');
    const other = await openPage();
    const there = other.page;
    await there.goto(`${served.url}/?label=even`);
    await untilShown(there, '6 of 12');
    const asks = async (on: Page, name: string) => {
      await on.keyboard.press('v');
      const field = on.getByRole('dialog', { name: 'Save the view' }).getByRole('textbox');
      await field.fill(name);
    };
    await asks(page, 'shared');
    await asks(there, 'shared');
    // The second page does not hear of the view that the first one saves.
    await there.route('**/api/views', (route) => route.abort());
    await page.keyboard.press('Enter');
    await says('shared');
    await there.keyboard.press('Enter');
    await there.getByText(/^The view shared was saved elsewhere meanwhile/).waitFor();
    const saved = async (name: string) =>
      (await served.get('/api/views')).body.views.find(
        (one: { name: string }) => one.name === name,
      );
    expect(await saved('shared')).to.deep.include({ query: 'label=odd' });
    await there.unroute('**/api/views');
    await asks(there, 'mine');
    await there.keyboard.press('Enter');
    await says('mine', there);
    for (const name of ['shared', 'mine']) expect(await saved(name), name).to.be.an('object');
    // An open view that changes elsewhere says so.
    await served.put('/api/views/shared', { query: 'label=even' });
    await page.getByText('The view shared was changed elsewhere.').waitFor();
    await says('shared edited');
    const faults = other.faults.filter(
      (fault) => !/409|Failed to load|net::ERR_FAILED/.test(fault),
    );
    expect(faults).to.deep.equal([]);
    await there.close();
    for (const name of ['shared', 'mine']) await served.delete(`/api/views/${name}`);
    await page.getByText('There is no view shared').waitFor();
    await says('views');
  });
});
