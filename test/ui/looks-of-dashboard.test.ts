import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { fewOf, times } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { type LookOptions, layouts, looksWell } from './looks.js';
import { runNamed, serveRealWorld } from './real-world-project.js';
import { choose, rowOf, showColumns } from './screen.js';

const broken = "throw new Error('cannot be imported');\n";
const plain = `import { evaluation } from 'assay';
export const plain = evaluation({ dataset: 'orders', input: 1, target: () => 1 }, () => {});
`;

// Each state at several widths, and for axe.
describe('the dashboard fits and is for everybody', function () {
  this.timeout(120_000 * times(1));
  let served: ServedProject;
  let page: Page;
  let run: string;

  const kept = keepPage(() => served.url);
  const go = async (path: string) => {
    page = await kept.open(path);
  };
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
  const look = (what: string, options?: LookOptions) => looksWell(page, what, options);
  const click = (name: string | RegExp) => () => page.getByRole('button', { name }).first().click();
  const pick = (title: string) => page.getByTitle(title, { exact: true }).click();
  const showRows = async (path = '') => {
    await go(`/?run=${run}${path}`);
    await page.locator('[data-result]').first().waitFor();
  };
  /** Opens a dialog or menu, looks at it, and closes it. */
  const lookAtOpen = async (
    what: string,
    open: () => Promise<void>,
    selector: string,
    options?: LookOptions,
  ) => {
    await open();
    await page.locator(selector).waitFor();
    await look(what, { selector, ...options });
    await page.keyboard.press('Escape');
    await page.locator(selector).waitFor({ state: 'detached' });
  };

  before(async () => {
    served = await serveRealWorld({}, 8);
    await runNamed(served, 'brisk-otter');
    run = await runNamed(
      served,
      'nightly-regression-of-the-support-agent-2026-11-22',
      'careful-prompt-with-examples-v14',
    );
  });

  it('with rows, trials, details and a selection', async () => {
    await showRows('&sort=function');
    await rowOf(page, 'cancel_order[twice]').getByRole('button', { name: 'Open trials' }).click();
    await rowOf(page, '~3').getByRole('checkbox').click();
    await rowOf(page, '~2').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('agents.eval.ts::cancel_order[twice]~2').waitFor();
    await look('rows', { inEach: true });
  });

  it('in groups, with columns of scores', async () => {
    await showRows();
    await showColumns(page, [
      'output',
      'score:tool_args',
      'score:conciseness',
      'scores',
      'latency',
    ]);
    await page.goto(`${served.url}/?run=${run}&by=dataset&folded=orders`);
    await page.locator('[data-line=group]').first().waitFor();
    await page.getByRole('button', { name: 'Open the summary' }).waitFor();
    await look('groups', { at: layouts });
    await page.evaluate('localStorage.clear()');
    await page.reload();
  });

  it('under what opens over it', async () => {
    // Few rows: they are looked at elsewhere.
    await showRows('&dataset=orders');
    const [dialog, menu] = ['[role=dialog]', '[role=menu]'];
    // The tools of the bar are others where it is narrow.
    const wide = { at: [1440], widths: [1440] };
    const press = (key: string) => () => page.keyboard.press(key);
    const choices = async () => {
      await click('Columns')();
      await page.getByRole('menuitem', { name: 'Scores and values…' }).click();
    };
    const remove = async () => {
      await pick('Run');
      await click('Delete…')();
    };
    const all: Parameters<typeof lookAtOpen>[] = [
      ['filters', press('f'), dialog],
      ['shortcuts', press('?'), dialog],
      ['runs', () => pick('Run'), dialog],
      ['settings', click('Settings'), dialog, { at: [1440] }],
      ['a view to save', press('v'), dialog, { at: [1440] }],
      ['choices of columns', choices, dialog, wide],
      ['exports', press('e'), menu, wide],
      ['columns', click('Columns'), menu, wide],
      ['sessions', () => pick('Session'), menu, { at: [1440], inEach: true }],
      ['run configs', click(/^next run:/), menu, wide],
      ['ways to run', click('More ways to run'), menu, { at: [1440] }],
      ['orders', click('Scores'), menu, wide],
      ['new run', () => choose(page, 'More ways to run', /^New run/), dialog, { inEach: true }],
      ['a run to delete', remove, '[role=alertdialog]', { at: [1440] }],
    ];
    // Menus are like menus, and dialogs like dialogs.
    for (const one of fewOf(all, 7)) await lookAtOpen(...one);
  });

  it('with views, and an edit of several results that cannot be saved', async () => {
    await served.put('/api/views/failing', { query: 'status=failed&dataset=orders&by=dataset' });
    await showRows('&view=failing');
    const open = async () => {
      await page
        .getByRole('navigation', { name: 'Filters' })
        .locator('[aria-haspopup=menu]')
        .first()
        .click();
      await page.getByRole('menuitem', { name: /^failing/ }).waitFor();
    };
    await lookAtOpen('views', open, '[role=menu]', { at: [1440] });
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('toolbar', { name: 'Selected results' }).waitFor();
    const address = /\/api\/runs\/[^/]+\/results$/;
    await page.route(address, (route) => route.abort());
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Annotation' }).waitFor();
    await page.keyboard.type('kept');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The server does not answer.').first().waitFor();
    await look('an edit that is not saved');
    await page.unroute(address);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('while a run is in progress, paused, and stopped', async () => {
    served.project.write('hold', '');
    await showRows('&dataset=late');
    await served.post('/api/runs/rerun', { run_id: run });
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('progressbar').waitFor();
    await look('running', { at: layouts });
    for (const width of layouts) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['Pause', 'Stop']) {
        expect(await page.getByRole('button', { name }).innerText()).to.equal(name);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    // The rest of the page is as before.
    await look('paused', { selector: 'header' });
    // The button asks first when much work would be lost, which is so on a slow machine.
    await served.post('/api/runs/stop');
    served.project.remove('hold');
    await page
      .getByRole('button', { name: /^(Rerun|Run the remaining)/ })
      .first()
      .waitFor();
    await look('stopped', { selector: 'header' });
  });

  it('where nothing matches, and where nothing is', async () => {
    await go(`/?run=${run}&dataset=orders&status=cancelled`);
    await heading('No result matches');
    await look('no match');
    await go('/?run=brisk-oter');
    await page.getByRole('option', { name: /^brisk-otter/ }).waitFor();
    await look('no such run');
    await go('/nowhere/at/all/with/a/very/long/address/that/nobody/can/have/meant/to/write-down');
    await heading(/^No page at/);
    await look('no such page');
  });

  it('before a run, with a file that cannot be imported, with none at all, and without a connection', async () => {
    const files = { 'a.eval.ts': plain, 'b.eval.ts': broken };
    const other = await ServedProject.start(files, { ui: builtUi });
    await page.goto(other.url);
    await rowOf(page, 'plain').waitFor();
    await look('not started, with a failed import');
    other.project.remove('a.eval.ts');
    await other.post('/api/server/restart');
    await rowOf(page, 'plain').waitFor({ state: 'detached' });
    await page.getByText('cannot be imported').first().waitFor();
    await look('only a failed import');
    other.project.remove('b.eval.ts');
    await other.post('/api/server/restart');
    await heading(/^No evaluations/);
    await look('no evaluations');
    await other.close();
    await page.getByText(/^No connection for/).waitFor();
    await look('no connection');
  });
});
