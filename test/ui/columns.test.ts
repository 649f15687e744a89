import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { builtUi, type OpenedPage, openPage } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { choose, downloaded, eventually, goWithin, rowNames, rowOf, untilShown } from './screen.js';

const evals = `
import { evaluation } from 'assay';
export const answer = evaluation({
  dataset: 'cities',
  cases: Array.from({ length: 30 }, (_, n) => ({
    id: 'case_' + n, input: { city: ['Wien', 'Bonn', 'Ulm'][n % 3] }, reference: n,
    metadata: { model: n % 2 ? 'swift' : 'large', tier: n % 3 }, labels: [n % 2 ? 'odd' : 'even'],
  })),
  target: (ctx) => ({ answer: ctx.reference }),
}, (ctx) => {
  for (let k = 0; k < 12; k += 1) ctx.score({ key: 'rule_' + k, passed: (ctx.reference * 7 + k) % 13 !== k });
  ctx.score('polite', 1 - ctx.reference / 40);
});
`;

const settings = `# ours
views:
  gone:
    query: dataset=moved&label=odd&score=small:maybe&by=nothing&colour=red
    columns: [output, smell, 'field:metadata.tier']
`;

describe('columns and views', () => {
  let served: ServedProject;
  let opened: OpenedPage;
  let page: Page;

  const cell = (row: string, column: string) => rowOf(page, row).locator(`[data-cell="${column}"]`);
  const head = (name: string) => page.getByRole('columnheader', { name });
  const openChooser = async () => {
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Scores and values…' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
  };

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

  describe('saved views', () => {
    let other: OpenedPage;
    const filters = (on = page) => on.getByRole('navigation', { name: 'Filters' });
    const picker = (on = page) => filters(on).locator('button[aria-haspopup=menu]').first();
    const menu = (on = page) => on.getByRole('menu', { name: 'Views' });
    const chooseView = async (item: RegExp, on = page) => {
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

    it('are saved under a name with filters, order, groups and columns', async () => {
      await says('views');
      await filters().getByRole('button', { name: /^odd/ }).click();
      await untilShown(page, '15 of 30');
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
      await chooseView(/^Discard changes/);
      await untilShown(page, '15 of 30');
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
      await chooseView(/^All results/);
      await untilShown(page, '30 of 30');
      await says('views');
      // Input was hidden before the view had columns of its own; Reference only in the view.
      await hasColumns(['Evaluation', 'Reference', 'Output', 'Scores', 'Latency s']);
      await page.goBack();
      await says('odd ones');
      await hasColumns(['Evaluation', 'Output', 'Scores', 'Latency s']);
    });

    it('open in another browser by name alone; what changes there shows here', async () => {
      other = await openPage();
      const there = other.page;
      await there.goto(`${served.url}/?view=odd+ones`);
      await untilShown(there, '15 of 30');
      await says('odd ones', there);
      await hasColumns(['Evaluation', 'Output', 'Scores', 'Latency s'], there);
      await chooseView(/^Rename/, there);
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
        .getByRole('menuitem', { name: /^odd.*15/ })
        .waitFor();
      await page.keyboard.press('Escape');
      expect(other.faults).to.deep.equal([]);
    });

    it('open with what there is, if a column, a filter or a value no longer exists', async () => {
      await chooseView(/^gone/);
      await untilShown(page, '15 of 30');
      await hasColumns(['Evaluation', 'Output', 'metadata.tier']);
      await page.getByText(/^The view gone opens without .*moved.*: not in this run\.$/).waitFor();
      const { searchParams } = new URL(page.url());
      searchParams.delete('run');
      expect(String(searchParams)).to.equal('view=gone&label=odd');
    });

    it('are deleted after a question', async () => {
      await chooseView(/^Delete/);
      await page.getByRole('button', { name: 'Delete view' }).click();
      await says('views');
      await eventually(views, (left) => left.length === 1, 'one view left');
      expect(served.read('assay.yaml')).to.match(/^# ours\n/);
    });

    it('of two browsers that save at the same time are both kept, or one is told', async () => {
      await served.delete('/api/views/shared');
      await served.delete('/api/views/mine');
      await goWithin(page, '/?label=odd');
      await untilShown(page, '15 of 30');
      const there = other.page;
      await goWithin(there, '/?label=even');
      await untilShown(there, '15 of 30');
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

  describe('columns for scores and values', () => {
    before(async () => {
      await page.evaluate('localStorage.clear()');
      await page.goto(served.url);
      await rowOf(page, 'answer[case_0]').waitFor();
    });

    it('the summary has the worst eight scores, and all of them with a search', async () => {
      const scores = page.getByRole('table', { name: 'Scores' });
      expect(await scores.getByRole('rowheader').count()).to.equal(8);
      await page.getByText(/5 more, 90\.0 %; none moved beyond chance · /).waitFor();
      await page.getByRole('button', { name: 'all 13' }).click();
      expect(await scores.getByRole('rowheader').count()).to.equal(13);
      await page.getByRole('textbox', { name: 'Search scores' }).fill('pol');
      expect(await scores.getByRole('rowheader').allInnerTexts()).to.deep.equal(['polite']);
      await page.getByRole('button', { name: 'worst 8' }).click();
    });

    it('are chosen by key, and stay after a reload', async () => {
      await openChooser();
      await page.keyboard.type('polite');
      await page.getByRole('checkbox', { name: 'polite' }).check();
      await page.getByRole('textbox', { name: 'Search columns' }).fill('');
      await page.getByRole('checkbox', { name: 'rule_1', exact: true }).check();
      await page.getByRole('checkbox', { name: 'metadata.model' }).check();
      const path = page.getByRole('textbox', { name: 'Path of a value' });
      await path.fill('nothing');
      expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).to.equal(
        true,
      );
      await path.fill('input.city');
      await path.press('Enter');
      await page.keyboard.press('Escape');
      await cell('answer[case_4]', 'field:input.city').getByText('Bonn').waitFor();
      expect(await cell('answer[case_4]', 'score:polite').innerText()).to.equal('0.9');
      expect(await cell('answer[case_4]', 'field:metadata.model').innerText()).to.equal('large');
      expect(
        await cell('answer[case_13]', 'score:rule_1').getByRole('img').getAttribute('aria-label'),
      ).to.equal('failed');
      await page.reload();
      await cell('answer[case_4]', 'field:input.city').getByText('Bonn').waitFor();
      expect(await page.getByRole('columnheader', { name: 'Scores' }).count()).to.equal(0);
    });

    it('sort by a score and by a value', async () => {
      await head('polite').getByRole('button').click();
      await eventually(
        () => rowNames(page),
        ([first]) => first === 'answer[case_29]',
        'lowest first',
      );
      await head('input.city').getByRole('button').click();
      await eventually(
        () => rowNames(page),
        ([first]) => first === 'answer[case_1]',
        'Bonn first',
      );
      expect(page.url()).to.contain('sort=field%3Ainput.city');
    });

    it('are in exports of what is on screen, as they are there', async () => {
      await page
        .getByPlaceholder(/^Search/)
        .first()
        .fill('Bonn');
      await untilShown(page, '10 of 30');
      const save = (format: RegExp) => downloaded(page, () => choose(page, 'Export', format));
      const names = await rowNames(page);
      const fields = ['metadata.model', 'input.city'];
      const scores = ['score:polite', 'score:rule_1'];
      const csv = await save(/^CSV/);
      const rows = parse(csv.text, { columns: true }) as Record<string, string>[];
      const head = Object.keys(rows[0] ?? {});
      expect(head).to.deep.equal([
        'function',
        'input',
        'reference',
        'output',
        ...scores,
        ...fields,
        'latency',
      ]);
      expect(rows.map((row) => row.function)).to.deep.equal(names);
      expect(rows.map((row) => row['input.city'])).to.deep.equal(Array(10).fill('Bonn'));
      const titles = await page.getByRole('columnheader').allInnerTexts();
      const added = titles.map((title) => title.split('\n')[0] ?? '');
      expect(
        added.filter((title) => /^(polite|rule_1|metadata|input\.)/.test(title)),
      ).to.deep.equal([...scores, ...fields].map((name) => name.replace('score:', '')));
      const json = JSON.parse((await save(/^JSON/)).text);
      expect(json).to.deep.include({ part_of: 30, total_evaluations: 10 });
      const whole = await save(/^Whole run as CSV/);
      expect(whole.name).to.equal(`${(await served.active()).run_id}.csv`);
      expect(parse(whole.text, { columns: true, bom: true })).to.have.length(30);
      const markdown = await save(/^Markdown/);
      expect(markdown.text.replaceAll('\\', '')).to.contain(
        '| eval | input | reference | output | score:polite | score:rule_1 | metadata.model | input.city | latency |',
      );
    });

    it('have the figures of groups', async () => {
      await goWithin(page, '/?by=metadata.model');
      const group = page.locator('[data-line=group]').first();
      await group.waitFor();
      expect(await group.locator('[data-cell="score:rule_1"]').innerText()).to.match(/^\d+\.\d %$/);
    });

    it('are chips in a narrow window', async () => {
      await page.setViewportSize({ width: 768, height: 800 });
      await page.locator('[data-cell="score:rule_1"]').first().waitFor({ state: 'detached' });
      await page.locator('[data-line=row] [data-cell=scores]').first().waitFor();
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
      const items = page.getByRole('menuitemcheckbox');
      await items.first().waitFor();
      const without = (await items.allInnerTexts()).filter((text) => text.includes('no room'));
      expect(without.map((text) => text.split('\n')[0])).to.deep.equal([
        'Input',
        'Reference',
        'polite',
        'rule_1',
        'metadata.model',
        'input.city',
      ]);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    it('go from the menu', async () => {
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
      await page.getByRole('menuitemcheckbox', { name: 'input.city' }).click();
      await page.keyboard.press('Escape');
      await head('input.city').waitFor({ state: 'detached' });
    });
  });
});
