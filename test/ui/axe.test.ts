import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, openPage } from '../helpers/browser.js';
import { fewOf } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { type FindingOptions, findings } from './findings.js';
import { orders, part } from './result-project.js';
import { rowOf } from './screen.js';

const tried = `
import { evaluation } from 'assay';
export const many = evaluation({
  dataset: 'many', labels: ['quick'], trials: 3, cases: Array.from({ length: 6 }, (_, n) => ({ id: 'c' + n, input: 'Question ' + n, reference: 'Answer' })),
  target: (ctx) => (ctx.trial === 2 ? 'Answer' : 'Reply'),
}, (ctx) => { ctx.score({ key: 'exact', passed: ctx.output === ctx.reference, notes: 'why' }); ctx.score('size', ctx.trial); });
`;
const broken = "throw new Error('cannot be imported');\n";

describe('for everybody: axe finds nothing, in both themes, wide and narrow', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  let runs: readonly string[];

  const check = async (what: string, options?: FindingOptions) => {
    expect(await findings(page, options), what).to.deep.equal([]);
  };
  /** Opens a dialog or menu, looks at it, and closes it. */
  const checkOpen = async (
    what: string,
    open: () => Promise<void>,
    selector: string,
    widths?: readonly number[],
  ) => {
    await open();
    await page.locator(selector).waitFor();
    await check(what, { selector, widths });
    await page.keyboard.press('Escape');
    await page.locator(selector).waitFor({ state: 'detached' });
  };
  const click = (name: string | RegExp) => () => page.getByRole('button', { name }).first().click();
  const wide = [1440];

  before(async () => {
    served = await ServedProject.start(
      {
        'orders.eval.ts': orders,
        'many.eval.ts': tried,
        'assay.yaml': 'configs: { small: { trials: 2 } }\n',
      },
      { ui: builtUi },
    );
    const first = (await served.runAll()).run_id;
    const second = (await served.post('/api/runs/new?wait=true', { run_name: 'second' })).body
      .run_id;
    runs = [first, second];
    await served.patch(`/api/runs/${second}/results/19`, {
      result: { annotation: 'why', scores: [{ key: 'correct', passed: true }] },
    });
    ({ page } = await openPage());
  });

  it('dashboard: rows, trials, details, selection', async () => {
    await page.goto(`${served.url}/?run=${runs[1]}&dataset=!none&sort=function`);
    await rowOf(page, 'many[c0]').waitFor();
    await rowOf(page, 'many[c1]').getByRole('button', { name: 'Open trials' }).click();
    await rowOf(page, '~3').waitFor();
    await rowOf(page, '~3').getByRole('checkbox').click();
    await rowOf(page, '~2').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('many.eval.ts::many[c1]~2').waitFor();
    await check('dashboard');
  });

  it('dashboard: what opens over it', async () => {
    await page.goto(`${served.url}/?run=${runs[1]}`);
    await rowOf(page, 'many[c0]').waitFor();
    const dialog = '[role=dialog]';
    const ask = async () => {
      await click('More ways to run')();
      await page.getByRole('menuitem', { name: /^New run/ }).click();
    };
    const remove = async () => {
      await click(/^second/)();
      await click('Delete…')();
    };
    const all: Parameters<typeof checkOpen>[] = [
      ['filters', () => page.keyboard.press('f'), dialog],
      ['shortcuts', () => page.keyboard.press('?'), dialog],
      ['runs', click(/^second/), dialog],
      ['settings', click('Settings'), dialog],
      ['export', () => page.keyboard.press('e'), '[role=menu]', wide],
      ['columns', click('Columns'), '[role=menu]', wide],
      ['sessions', click('default'), '[role=menu]'],
      ['run configs', click(/^next run:/), '[role=menu]', wide],
      ['ways to run', click('More ways to run'), '[role=menu]'],
      ['sort', click('Scores'), '[role=menu]', wide],
      ['new run', ask, dialog],
      ['delete', remove, '[role=alertdialog]'],
    ];
    for (const one of fewOf(all, 4)) await checkOpen(...one);
  });

  it('dashboard: the menu of views, and an edit of several results that waits', async () => {
    await served.put('/api/views/failing', { query: 'status=failed&by=dataset' });
    await page.goto(`${served.url}/?run=${runs[1]}&view=failing`);
    const picker = page
      .getByRole('navigation', { name: 'Filters' })
      .locator('[aria-haspopup=menu]');
    const open = async () => {
      await picker.first().click();
      await page.getByRole('menuitem', { name: /^failing/ }).waitFor();
    };
    await checkOpen('views', open, '[role=menu]');
    await page.goto(`${served.url}/?run=${runs[1]}`);
    await rowOf(page, 'many[c0]').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('toolbar', { name: 'Selected results' }).waitFor();
    const address = /\/api\/runs\/[^/]+\/results$/;
    await page.route(address, (route) => route.abort());
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Annotation' }).waitFor();
    await page.keyboard.type('waits');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 edit waits for the connection.').first().waitFor();
    await check('an edit that waits');
    await page.unroute(address);
    await page.getByText('1 edit saved.').waitFor();
  });

  it('result: the menu of its sections', async () => {
    await page.setViewportSize({ width: 768, height: 900 });
    await page.goto(`${served.url}/runs/${runs[1]}/results/22`);
    await page.getByRole('heading', { name: 'Output', exact: true }).waitFor();
    await page.evaluate('scrollTo(0, 1200)');
    await page.getByRole('button', { name: /go to a section$/ }).click();
    await page.getByRole('menuitem', { name: 'Output' }).waitFor();
    await check('the menu of sections', { widths: [400, 768] });
  });

  it('dashboard: nothing that matches, and a refusal', async () => {
    await page.goto(`${served.url}/?run=${runs[1]}&dataset=many&status=error`);
    await page.getByRole('heading', { name: 'No result matches' }).waitFor();
    await check('no match');
    await page.goto(`${served.url}/?run=secnod`);
    await page.getByRole('option', { name: /^second/ }).waitFor();
    await check('no such run');
    await page.goto(`${served.url}/runs/${runs[1]}/scores`);
    await page.getByRole('heading', { name: /^No page at/ }).waitFor();
    await check('no such page');
  });

  it('dashboard: not started, with a file that cannot be imported, and with none at all', async () => {
    const other = await ServedProject.start(
      { 'a.eval.ts': tried, 'b.eval.ts': broken },
      { ui: builtUi },
    );
    await page.goto(other.url);
    await rowOf(page, 'many[c0]').waitFor();
    await check('not started, with a failed import');
    other.project.remove('a.eval.ts');
    await other.post('/api/server/restart');
    await page.goto(other.url);
    await page.getByText('cannot be imported').first().waitFor();
    await check('only a failed import');
    other.project.remove('b.eval.ts');
    await other.post('/api/server/restart');
    await page.goto(other.url);
    await page.getByRole('heading', { name: /^No evaluations/ }).waitFor();
    await check('no evaluations');
    await other.close();
    await page.getByText(/^No connection for/).waitFor();
    await check('server gone');
  });

  it('result: values, difference, editors, history, error', async () => {
    const open = async (index: number) => {
      await page.goto(`${served.url}/runs/${runs[1]}/results/${index}`);
      await part(page, 'Scores').waitFor();
    };
    await open(19);
    await part(page, 'Correction history').waitFor();
    await page.keyboard.press('d');
    await page.locator('mark').first().waitFor();
    await page.getByRole('button', { name: 'Edit correct' }).click();
    await check('result that is edited');
    for (const [index, what] of [
      [20, 'result with an error'],
      [21, 'result with a picture'],
      [22, 'result with long values'],
    ] as const) {
      await open(index);
      await check(what);
    }
    await page.goto(`${served.url}/runs/${runs[1]}/results/400`);
    await page.getByRole('heading', { name: /^No result 400/ }).waitFor();
    await check('no such result');
  });

  it('compare: pairs, folded and open, and what opens over them', async () => {
    await page.goto(`${served.url}/compare?run=${runs[0]}&run=${runs[1]}`);
    await page.locator('[role=rowgroup] > [role=row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.locator('[role=row][aria-expanded=true]').waitFor();
    await check('compare');
    await checkOpen('differences', click('All differences'), '[role=dialog]');
    await checkOpen('add a run', click(/^Add run/), '[role=dialog]');
    await page.goto(`${served.url}/compare?run=${runs[0]}`);
    await page.getByRole('option').first().waitFor();
    await check('compare with what');
    await page.goto(`${served.url}/compare?run=${runs[0]}&run=nope`);
    await page.getByRole('heading', { name: 'No run nope' }).waitFor();
    await check('compare with a run that is gone');
  });
});
