import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, openPage } from '../helpers/browser.js';
import { fewOf } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { misfits } from './misfits.js';
import { runNamed, serveRealWorld } from './real-world-project.js';
import { choose, showColumns } from './screen.js';

/** 720 pixels are 1440 at a zoom of 200 %; 320 is the narrowest. Each view is tried at some of them. */
const widths = [1440, 1024, 900, 768, 720, 700, 641, 400, 320];

describe('at any width', function () {
  this.timeout(240_000);
  let served: ServedProject;
  let page: Page;
  let runs: readonly string[];

  /** Looks at the page as it is, at some widths, the narrowest last. */
  const check = async (what: string, only = fewOf(widths, 3)) => {
    for (const width of only) {
      // Higher than usual, so that more is in sight.
      await page.setViewportSize({ width, height: 1600 });
      expect(await misfits(page), `${what} at ${width}`).to.deep.equal([]);
    }
    await page.setViewportSize({ width: 1440, height: 800 });
  };
  const go = (path: string) => page.goto(`${served.url}${path}`);
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

  before(async () => {
    served = await serveRealWorld();
    const first = await runNamed(served, 'brisk-otter');
    const config = 'careful-prompt-with-examples-v14';
    const names = [
      'nightly-regression-of-the-support-agent-2026-11-22',
      'nightly-regression-of-the-support-agent-2026-11-23',
    ];
    runs = [
      first,
      await runNamed(served, names[0] ?? '', config),
      await runNamed(served, names[1] ?? ''),
    ];
    ({ page } = await openPage());
  });
  beforeEach(() => page.setViewportSize({ width: 1440, height: 800 }));

  it('the dashboard, with details, a filter, a selection and what opens', async () => {
    await go(`/?run=${runs[1]}&dataset=support_agent_escalations&sort=function`);
    const row = page.locator('[data-result]').first();
    await row.waitFor();
    await check('dashboard');
    await row.getByRole('checkbox').click();
    await row.getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('agents.eval.ts::').first().waitFor();
    await check('dashboard with details');
    for (const [what, open] of [
      ['runs', () => page.getByRole('button', { name: /^nightly/ }).click()],
      ['filters', () => page.keyboard.press('f')],
      ['shortcuts', () => page.keyboard.press('?')],
      ['export', () => page.keyboard.press('e')],
      ['new run', () => choose(page, 'More ways to run', /^New run/)],
      ['settings', () => page.getByRole('button', { name: 'Settings' }).click()],
    ] as const) {
      await open();
      const opened = page.locator('[role=dialog], [role=menu]').first();
      await opened.waitFor();
      // The tools of the bar are others where it is narrow.
      await check(what, what === 'export' || what === 'settings' ? [1440] : undefined);
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
    }
  });

  it('the dashboard in groups, with columns of scores', async () => {
    await go(`/?run=${runs[1]}`);
    await showColumns(page, [
      'output',
      'score:tool_args',
      'score:conciseness',
      'scores',
      'latency',
    ]);
    await go(`/?run=${runs[1]}&by=dataset`);
    await page.locator('[data-line=group]').first().waitFor();
    await check('groups');
    await page.evaluate('localStorage.clear()');
  });

  it('a run in progress, paused, and one that is stopped', async () => {
    served.project.write('hold', '');
    await go(`/?run=${runs[2]}`);
    await page.getByRole('button', { name: 'Rerun', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('progressbar').waitFor();
    await check('running');
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['Pause', 'Stop']) {
        expect(await page.getByRole('button', { name }).innerText()).to.equal(name);
      }
    }
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await check('paused');
    await page.getByRole('button', { name: 'Stop' }).click();
    served.project.remove('hold');
    await page
      .getByRole('button', { name: /^(Rer|R)un/ })
      .first()
      .waitFor();
    await check('stopped');
  });

  it('nothing that matches, and nothing there', async () => {
    await go(`/?run=${runs[1]}&dataset=orders&status=cancelled`);
    await heading('No result matches');
    await check('no match');
    await go('/?run=000000000000');
    await page.locator('main h1').waitFor();
    await check('no such run');
    await go('/nowhere/at/all/with/a/very/long/address/that/nobody/can/have/meant/to/write-down');
    await page.locator('h1, h2').first().waitFor();
    await check('no such page');
    await go(`/runs/${runs[1]}/results/4000`);
    await heading(/^No result 4000/);
    await check('no such result');
  });

  it('comparisons, with an opened pair and what opens', async () => {
    await go(`/compare?${runs.map((run) => `run=${run}`).join('&')}`);
    await page.locator('[role=rowgroup] > [role=row]').first().waitFor();
    await check('compare');
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.locator('[role=row][aria-expanded=true]').waitFor();
    await page.getByRole('button', { name: /^Add run/ }).click();
    const opened = page.getByRole('dialog', { name: 'Add a run' });
    await opened.waitFor();
    await check('compare with an opened pair');
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 768, height: 800 });
    await page.getByRole('button', { name: /^Scores, changes, latency/ }).click();
    await check('compare with its figures', [1024, 900, 768, 641, 400]);
    await go(`/compare?run=${runs[0]}`);
    await page.getByRole('option').first().waitFor();
    await check('compare with what');
    await go('/compare?run=000000000000');
    await page.locator('main h2, main h1').last().waitFor();
    await check('compare a run that is gone');
  });

  it('results', async () => {
    await go(`/runs/${runs[1]}/results/0`);
    const scores = page.getByRole('region', { name: 'Scores', exact: true });
    await scores.waitFor();
    await check('result');
    await scores
      .getByRole('button', { name: /^Edit / })
      .first()
      .click();
    await scores.getByRole('form').waitFor();
    await check('result with an edited score', [1440, 901]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.getByRole('textbox', { name: 'Annotation' }).waitFor();
    await check('result with an edited annotation', [1440, 901]);
    await go(`/runs/${runs[1]}/results/18`);
    await page.getByText('carrier_of_the_parcel').first().waitFor();
    await check('result with an error');
  });

  it('a folder without evaluations', async () => {
    const empty = await ServedProject.start({ 'a.ts': '' }, { ui: builtUi });
    await page.goto(empty.url);
    await heading(/^No evaluations/);
    await check('no evaluations');
    await empty.close();
    await page.getByText(/^No connection for/).waitFor();
    await check('no connection');
  });
});
