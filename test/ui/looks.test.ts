import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { times } from '../helpers/rounds.js';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { type LookOptions, layouts, looksWell } from './looks.js';
import { longNamed, runNamed, serveRealWorld } from './real-world-project.js';
import { part } from './result-project.js';
import { rowOf } from './screen.js';

// One page of each kind; test/long/looks.test.ts looks at the others.
describe('each kind of page fits and is for everybody', function () {
  this.timeout(120_000 * times(1));
  let served: ServedProject;
  let page: Page;
  let runs: readonly string[];

  const kept = keepPage(() => served.url);
  const go = async (path: string) => {
    page = await kept.open(path);
  };
  /** Looks at what a key opens, and closes it. */
  const lookAtOpen = async (key: string, selector: string, options: LookOptions) => {
    await page.keyboard.press(key);
    await page.locator(selector).waitFor();
    await looksWell(page, selector, { selector, ...options });
    await page.keyboard.press('Escape');
    await page.locator(selector).waitFor({ state: 'detached' });
  };

  before(async () => {
    served = await serveRealWorld({}, 8);
    runs = [await runNamed(served, 'brisk-otter'), await runNamed(served, ...longNamed)];
  });

  it('the dashboard with trials, details and a selection, and what opens over it', async () => {
    await go(`/?run=${runs[1]}&sort=function`);
    await rowOf(page, 'cancel_order[twice]').getByRole('button', { name: 'Open trials' }).click();
    await rowOf(page, '~3').getByRole('checkbox').click();
    await rowOf(page, '~2').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('agents.eval.ts::cancel_order[twice]~2').waitFor();
    await looksWell(page, 'rows', { inEach: true });
    await lookAtOpen('f', '[role=dialog]', {});
    // A menu closes when the window gets another size.
    await lookAtOpen('e', '[role=menu]', { at: [1440], widths: [1440] });
  });

  it('the dashboard in groups, while a run is in progress', async () => {
    served.project.write('hold', '');
    await go(`/?run=${runs[1]}&by=dataset&folded=support_agent_escalations`);
    await page.locator('[data-line=group]').first().waitFor();
    await served.post('/api/runs/rerun', { run_id: runs[1] });
    await page.getByRole('progressbar').waitFor();
    await looksWell(page, 'running');
    for (const width of layouts) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['Pause', 'Stop']) {
        expect(await page.getByRole('button', { name }).innerText()).to.equal(name);
      }
    }
    await served.post('/api/runs/stop');
    served.project.remove('hold');
  });

  it('a result, and its editors', async () => {
    await go(`/runs/${runs[1]}/results/0`);
    await part(page, 'Scores').waitFor();
    await looksWell(page, 'result', { inEach: true });
    const scores = part(page, 'Scores');
    await scores
      .getByRole('button', { name: /^Edit / })
      .first()
      .click();
    await scores.getByRole('form').waitFor();
    // There is room for the editor only where it is beside the values.
    await looksWell(page, 'an edited score', { at: [901], widths: [1440], selector: 'aside' });
  });

  it('a comparison with an opened pair', async () => {
    // Few pairs: each is drawn anew at each width.
    await go(`/compare?run=${runs[0]}&run=${runs[1]}&search=invoice_billing`);
    await page.locator('[role=rowgroup] > [role=row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.locator('[role=row][aria-expanded=true]').waitFor();
    await looksWell(page, 'an opened pair', { inEach: true });
  });
});
