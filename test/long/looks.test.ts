import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { times } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from '../ui/kept-page.js';
import { type LookOptions, layouts, looksWell } from '../ui/looks.js';
import { longNamed, runNamed, serveRealWorld } from '../ui/real-world-project.js';
import { orders, part } from '../ui/result-project.js';
import { choose, rowOf, showColumns } from '../ui/screen.js';

const broken = "throw new Error('cannot be imported');\n";
const plain = `import { evaluation } from 'assay';
export const plain = evaluation({ dataset: 'orders', input: 1, target: () => 1 }, () => {});
`;

/** Where results are in a run: those of `orders` come after those of the real world. */
const at = { error: 8, corrected: 19, picture: 21, long: 22 };
const [dialog, menu] = ['[role=dialog]', '[role=menu]'];
const wide = { at: [1440], widths: [1440] };

// Beside those of test/ui/looks.test.ts: each at several widths, and for axe.
describe('each state of a page fits and is for everybody', function () {
  this.timeout(120_000 * times(1));
  let served: ServedProject;
  let page: Page;
  let runs: readonly string[];

  const kept = keepPage(() => served.url);
  const look = (what: string, options?: LookOptions) => looksWell(page, what, options);
  /** Goes to an address and waits for something of the page. */
  const show = async (path: string, isThere: string) => {
    page = await kept.open(path);
    await page.locator(isThere).first().waitFor();
  };
  const showRows = (query: string) => show(`/?run=${runs[1]}${query}`, '[data-result]');
  const press = (key: string) => page.keyboard.press(key);
  const click = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const lookAtOpen = async (what: string, selector: string, options?: LookOptions) => {
    await page.locator(selector).waitFor();
    await look(what, { selector, ...options });
    await press('Escape');
    await page.locator(selector).waitFor({ state: 'detached' });
  };

  before(async () => {
    served = await serveRealWorld({ 'orders.eval.ts': orders }, 8);
    runs = [
      await runNamed(served, 'brisk-otter'),
      await runNamed(served, ...longNamed),
      await runNamed(served, `${longNamed[0]}-again`),
    ];
    await served.patch(`/api/runs/${runs[1]}/results/${at.corrected}`, {
      result: { annotation: 'why', scores: [{ key: 'correct', passed: true }] },
    });
    await served.put('/api/views/failing', { query: 'status=failed&dataset=orders&by=dataset' });
  });

  it('the dashboard in groups, with columns of scores', async () => {
    await showRows('');
    await showColumns(page, ['output', 'score:tool_args', 'score:conciseness', 'scores']);
    await page.goto(`${served.url}/?run=${runs[1]}&by=dataset&folded=orders`);
    await page.getByRole('button', { name: 'Open the summary' }).waitFor();
    await look('groups', { at: layouts });
    await page.evaluate('localStorage.clear()');
    await page.reload();
  });

  it('the dashboard under what opens over it', async () => {
    // Few rows: they are looked at elsewhere.
    await showRows('&dataset=orders');
    const pick = (title: string) => page.getByTitle(title, { exact: true }).click();
    const all: [string, () => Promise<void>, string, LookOptions?][] = [
      ['shortcuts', () => press('?'), dialog],
      ['runs', () => pick('Run'), dialog],
      ['settings', () => click('Settings'), dialog],
      ['a view to save', () => press('v'), dialog],
      ['columns', () => choose(page, 'Columns', 'Scores and values…'), dialog, wide],
      ['new run', () => choose(page, 'More ways to run', /^New run/), dialog, { inEach: true }],
      ['sessions', () => pick('Session'), menu, { at: [1440], inEach: true }],
      ['run configs', () => click(/^next run:/), menu, wide],
      ['ways to run', () => click('More ways to run'), menu, { at: [1440] }],
      ['orders', () => click('Scores'), menu, wide],
      ['views', () => click(/^views/), menu, wide],
    ];
    for (const [what, open, selector, options] of all) {
      await open();
      await lookAtOpen(what, selector, options);
    }
    await pick('Run');
    await click('Delete…');
    await lookAtOpen('a run to delete', '[role=alertdialog]', { at: [1440] });
  });

  it('an edit of several results that cannot be saved', async () => {
    await showRows('&view=failing');
    await press('j');
    await press('x');
    const address = /\/api\/runs\/[^/]+\/results$/;
    await page.route(address, (route) => route.abort());
    await press('a');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Annotation' }).fill('kept');
    await press('Control+Enter');
    await page.getByText('The server does not answer.').first().waitFor();
    await look('an edit that is not saved');
  });

  it('a run that is paused and stopped', async () => {
    served.project.write('hold', '');
    await showRows('&dataset=late');
    await served.post('/api/runs/rerun', { run_id: runs[1] });
    await click('Pause');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await look('paused', { selector: 'header' });
    await served.post('/api/runs/stop');
    served.project.remove('hold');
    await page
      .getByRole('button', { name: /^(Rerun|Run the remaining)/ })
      .first()
      .waitFor();
    await look('stopped', { selector: 'header' });
  });

  it('results with differences, an error, a picture, long values, and editors', async () => {
    await show(`/runs/${runs[1]}/results/${at.corrected}`, 'aside');
    await part(page, 'Correction history').waitFor();
    await press('d');
    await page.locator('mark').first().waitFor();
    await look('differences', { inEach: true });
    await press('d');
    for (const what of ['error', 'picture', 'long'] as const) {
      await show(`/runs/${runs[1]}/results/${at[what]}`, 'aside');
      await look(what);
    }
    await press('a');
    await page.getByRole('textbox', { name: 'Annotation' }).waitFor();
    await look('an edited annotation', { at: [901], widths: [1440], selector: 'aside' });
  });

  it('a comparison of three, its figures, and what opens', async () => {
    const query = runs.map((run) => `run=${run}`).join('&');
    await show(`/compare?${query}&search=invoice_billing`, '[role=rowgroup] > [role=row]');
    for (const name of ['All differences', 'Add run']) {
      await click(new RegExp(`^${name}`));
      await lookAtOpen(name, dialog);
    }
    await show(`/compare?${query}&search=cancel_order`, '[role=rowgroup] > [role=row]');
    await page.setViewportSize({ width: 1240, height: 800 });
    await page.getByText('correctness 2/5').first().waitFor();
    // Half a name says too little: chips without room take a line of their own.
    const cut =
      await page.evaluate<number>(`[...document.querySelectorAll('[role=gridcell] [data-cut] [data-text]')]
      .filter((part) => part.scrollWidth > part.clientWidth).length`);
    expect(cut, 'cut names of scores').to.equal(0);
    await show(`/compare?${query}&search=invoice_billing`, '[role=rowgroup] > [role=row]');
    await page.setViewportSize({ width: 768, height: 800 });
    await click(/^Scores, changes, latency/);
    await look('figures', { at: [641, 400, 1024], widths: [768] });
  });

  it('what cannot be shown', async () => {
    const run = runs[0];
    for (const [path, isThere] of [
      [`/?run=${run}&dataset=orders&status=cancelled`, 'role=heading[name="No result matches"]'],
      ['/?run=brisk-oter', '[role=option]'],
      [
        '/nowhere/at/all/with/a/very/long/address/that/nobody/can/have/meant',
        'role=heading[name=/^No page at/]',
      ],
      [`/runs/${run}/results/4000`, 'role=heading[name=/^No result 4000/]'],
      [`/compare?run=${run}`, '[role=option]'],
      [`/compare?run=${run}&run=000000000000`, 'role=heading[name="No run 000000000000"]'],
    ] as const) {
      await show(path, isThere);
      await look(path);
    }
  });

  it('before a run, with a file that cannot be imported, with none at all, and without a connection', async () => {
    const files = { 'a.eval.ts': plain, 'b.eval.ts': broken };
    const other = await ServedProject.start(files, { ui: builtUi });
    page = await kept.blank();
    await page.goto(other.url);
    await rowOf(page, 'plain').waitFor();
    await look('not started, with a failed import');
    for (const [name, isThere] of [
      ['a.eval.ts', 'text=/cannot be imported/'],
      ['b.eval.ts', 'role=heading[name=/^No evaluations/]'],
    ] as const) {
      other.project.remove(name);
      await other.post('/api/server/restart');
      await rowOf(page, 'plain').waitFor({ state: 'detached' });
      await page.locator(isThere).first().waitFor();
      await look(`without ${name}`);
    }
    await other.close();
    await page.getByText(/^No connection for/).waitFor();
    await look('no connection');
  });
});
