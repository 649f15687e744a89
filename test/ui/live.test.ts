import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, openPage } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { calls, openGate, serveGated, until } from '../server/states/gated-project.js';
import { keepPage } from './kept-page.js';
import { part } from './result-project.js';
import { drawnAnew, eventually, goWithin, rowOf, untilShown } from './screen.js';

const cases = ['a', 'b', 'c', 'd', 'e', 'f'];

const many = 24;

const manyEvals = `
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const quick = evaluation({
  cases: Array.from({ length: ${many} }, (_, i) => ({ id: 'c' + i, input: i })),
  target: async (ctx) => {
    while (ctx.input >= Number(readFileSync(new URL('go', import.meta.url), 'utf8'))) await delay(10);
    if (ctx.input % 6 === 5) throw new Error('no answer');
    return 'answer ' + ctx.input;
  },
}, (ctx) => { ctx.score('exact', ctx.input % 3 !== 1); });
`;

/** What one frame of the page says of a run. */
interface Frame {
  /** The progress in the top bar: `4 / 18`. */
  readonly progress: { readonly done: number; readonly of: number };
  /** Finished results by the counts of the summary. */
  readonly counted: number;
  readonly unfinished: number;
  /** Finished rows of the table. */
  readonly rows: number;
  /** Results by the score `exact`, and errors: an error has no scores. */
  readonly scored: number;
}

/** Notes in each frame what is about to be painted, while there is a progress. */
const noteFrames = `
  window.frames = [];
  const number = (text) => Number(/[0-9]+/.exec(text ?? '')?.[0] ?? 0);
  const named = (name) => [...document.querySelectorAll('section[aria-label^=Summary] button')]
    .find((button) => button.textContent.includes(name))?.textContent;
  const note = () => {
    const bar = document.querySelector('[role=progressbar]');
    if (bar !== null) {
      const counts = ['passed', 'failed', 'error', 'no verdict'].map((name) => number(named(name)));
      const marks = [...document.querySelectorAll('[role=row][data-line] [role=img]:first-of-type')];
      const words = new Set(['passed', 'failed', 'error', 'no verdict']);
      const exact = document.querySelector('[role=table][aria-label=Scores]')?.textContent ?? '';
      window.frames.push({
        progress: { done: number(bar.ariaValueNow), of: number(bar.ariaValueMax) },
        counted: counts.reduce((sum, count) => sum + count, 0),
        unfinished: number(/([0-9]+)\\s+to go/.exec(document.body.innerText)?.[1]),
        rows: new Set(marks.filter((mark) => words.has(mark.getAttribute('aria-label')))
          .map((mark) => mark.closest('[role=row]'))).size,
        scored: counts[2] + number(/[0-9]+ \\/ ([0-9]+)/.exec(exact)?.[1]),
      });
    }
    requestAnimationFrame(note);
  };
  note();
`;

/** Notes the rows of the page that are tinted, however short: a second may be over before anybody asks. */
const watchTints = `
globalThis.tinted = [];
new MutationObserver(() => {
  for (const row of document.querySelectorAll('[role=row][class*=changed]')) tinted.push(row.innerText);
}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });`;

describe('a run in progress, on screen', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  const kept = keepPage(() => served.url);

  const row = (id: string) => rowOf(page, `gated[${id}]`);
  const icon = (id: string, name: string) =>
    row(id).getByRole('img', { name, exact: true }).first();
  const button = (name: string | RegExp) =>
    page.getByRole('banner').getByRole('button', { name, exact: true });
  const open = async (path: string) => {
    page = await kept.open(path);
    await row('a').waitFor();
  };
  /** Starts a new run, and shows it; answers with its id. */
  const start = async (): Promise<string> => {
    const { run_id } = (await served.post('/api/runs/new', {})).body;
    await open(`/?run=${run_id}`);
    for (const id of ['a', 'b']) await icon(id, 'running').waitFor();
    return run_id;
  };

  before(async () => {
    served = await serveGated({ cases, ui: builtUi });
  });
  afterEach(async () => {
    openGate(served);
    await served.until(({ state }) => state !== 'running');
    for (const name of ['go', 'calls', ...cases.map((id) => `go-${id}`)]) {
      if (served.project.has(name)) served.project.remove(name);
    }
  });

  it('is paused, resumed and stopped', async () => {
    await open('/');
    await button('Run 6').click();
    for (const id of ['a', 'b']) await icon(id, 'running').waitFor();
    await button('Pause').click();
    await page.getByText('paused, 2 finishing').waitFor();
    openGate(served, 'a', 'b');
    await row('b').getByText('one', { exact: true }).waitFor();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByText('2 / 6').waitFor();
    expect(calls(served)).to.have.members(['a', 'b']);
    await button('Resume').click();
    for (const id of ['c', 'd']) await icon(id, 'running').waitFor();
    openGate(served, 'c');
    await row('c').getByText('one', { exact: true }).waitFor();
    await icon('e', 'running').waitFor();
    await button('Stop').click();
    for (const id of ['d', 'e', 'f']) await row(id).getByText('cancelled by stop').waitFor();
    await button('Run the remaining 3').waitFor();
    await page.getByRole('button', { name: '3 passed' }).waitFor();
    const run = await served.active();
    expect(run).to.include({ state: 'finished', total_passed: 3 });
  });

  it('is still there after a reload, and after the way to a result and back', async () => {
    const run_id = await start();
    openGate(served, 'a');
    await row('a').getByText('one', { exact: true }).waitFor();
    await page.reload();
    await icon('b', 'running').waitFor();
    await page.getByText('1 / 6').waitFor();
    await button('Stop').waitFor();
    await row('b').click({ position: { x: 500, y: 14 } });
    await part(page, 'Output').getByText('It is running.').waitFor();
    openGate(served, 'b');
    await part(page, 'Output').getByText('one', { exact: true }).waitFor();
    await page.goBack();
    await row('b').getByText('one', { exact: true }).waitFor();
    openGate(served);
    await button('Rerun').waitFor();
    await row('f').getByText('one', { exact: true }).waitFor();

    // It has an address that leads to it from a fresh page: the run, a filter, a result.
    await page.goto(`${served.url}/runs/${run_id}/results/3?search=gated%5Bd`);
    await page.getByRole('heading', { level: 1, name: 'gated[d]' }).waitFor();
    await page.getByText('1 of 1 matching').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(`${served.url}/?run=${run_id}&search=gated%5Bd`);
    await rowOf(page, 'gated[d]').waitFor();
    await goWithin(page, '/runs/latest/results/2');
    await page.getByRole('heading', { level: 1, name: 'gated[c]' }).waitFor();
    await page.waitForURL(`${served.url}/runs/${run_id}/results/2`);
    await page.getByText('3 of 6 results').waitFor();
    await goWithin(page, '/?run=latest&search=gated%5Bd');
    await page.waitForURL(`${served.url}/?run=${run_id}&search=gated%5Bd`);
    await untilShown(page, '1 of 6');
    await goWithin(page, '/compare?run=latest');
    await page.waitForURL(`${served.url}/compare?run=${run_id}`);
    await page.getByRole('heading', { name: /^Compare .* with …$/ }).waitFor();
  });

  it('is begun again by r before the page has heard that it has ended; while it goes on, r says so', async () => {
    const run_id = await start();
    // Nothing is told to this page.
    await page.route('**/api/events', () => {});
    const refused = page.getByText(/ is in progress, so this has to wait\./);
    await page.reload();
    for (const [n, path] of [`/?run=${run_id}`, `/runs/${run_id}/results/0`].entries()) {
      await goWithin(page, path);
      await button(n === 0 ? 'Stop' : 'Rerun').waitFor();
      await page.keyboard.press('r');
      await refused.waitFor();
    }
    openGate(served);
    await served.until(({ state }) => state === 'finished');
    await page.keyboard.press('r');
    await until(() => calls(served).length === cases.length + 1, 'one that runs again');
    // The next test has the same page, whose request for events was never answered.
    await page.unroute('**/api/events');
    await page.reload();
  });

  it('has ended when it has, whatever an answer says that comes late', async () => {
    await start();
    openGate(served, 'a');
    await row('a').getByText('one', { exact: true }).waitFor();
    // What the server says while the run goes on comes when it has ended.
    let letGo = () => {};
    const ended = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const late: Promise<unknown>[] = [];
    const address = /\/api\/runs\/[0-9a-f]{12}(\/data)?$/;
    await page.route(address, async (route) => {
      const response = await route.fetch();
      if ((await response.json()).state !== 'running') return route.fulfill({ response });
      const answer = async () => {
        await ended;
        await route.fulfill({ response });
        await (await route.request().response())?.finished();
      };
      late.push(answer());
    });
    await button('Pause').click();
    await button('Resume').click();
    await eventually(
      async () => late.length,
      (count) => count > 0,
      'a question about the run',
    );
    openGate(served);
    await served.until(({ state }) => state === 'finished');
    await button('Rerun').waitFor();
    letGo();
    await Promise.all(late);
    await drawnAnew(page);
    expect(await button('Rerun').isVisible()).to.equal(true);
  });

  it('asks before it stops when more than a minute of work would be lost, and offers the rest afterwards', async () => {
    openGate(served, 'a', 'b', 'c', 'd');
    // A page whose clock goes by what the test says is not kept for others.
    const { page, context } = await openPage();
    await page.clock.install();
    await served.post('/api/runs/new', {});
    await page.goto(`${served.url}/?run=latest`);
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    await button('Stop').waitFor();
    await page.getByText('4 / 6').waitFor();
    // Work of moments is not asked about.
    await button('Stop').click();
    await button('Run the remaining 2').waitFor();

    await button('Run the remaining 2').click();
    await button('Stop').waitFor();
    await page.getByText('0 / 2').waitFor();
    await page.clock.fastForward('05:00');
    await button('Stop').click();
    const question = page.getByRole('alertdialog', { name: /^Stop / });
    await question.getByText(/^2 results in progress would be lost, about \d+:\d\d/).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Stop');
    expect((await served.active()).state).to.equal('running');
    await button('Stop').click();
    await question.getByRole('button', { name: 'Stop run' }).press('Enter');
    await button('Run the remaining 2').waitFor();
    expect(
      await page.evaluate('document.activeElement.closest("[role=group]").ariaLabel'),
    ).to.equal('Controls of the run');
    await button('More ways to run').click();
    const all = page.getByRole('menuitem', { name: 'Rerun all 6' });
    await all.waitFor();
    expect(await all.locator('kbd').count()).to.equal(0);
    await page.keyboard.press('Escape');
    await all.waitFor({ state: 'detached' });
    openGate(served);
    // The key does what the button says.
    await page.keyboard.press('r');
    await button('Rerun').waitFor();
    expect((await served.active()).selected_total).to.equal(2);
    expect((await served.active()).total_passed).to.equal(6);
    await context.close();
  });

  it('lets another run wait, with a way to itself', async () => {
    const first = await served.activeId();
    const { run_id: second } = (await served.post('/api/runs/new', {})).body;
    await open(`/?run=${first}`);
    const other = page.getByRole('link', { name: 'Another run is in progress' });
    await other.waitFor();
    expect(await page.getByRole('button', { name: 'Rerun', exact: true }).isDisabled()).to.equal(
      true,
    );
    await other.click();
    await page.waitForURL((url) => url.searchParams.get('run') === second);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    openGate(served);
    await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor();
    await goWithin(page, `/?run=${first}`);
    await page.getByRole('button', { name: 'Rerun', exact: true, disabled: false }).waitFor();
  });
});

describe('progress, counts and rows of a run in progress', function () {
  this.timeout(120_000);

  it('agree in every frame, with single rows that change, tinted for a second', async () => {
    const served = await ServedProject.start(
      { 'quick.eval.ts': manyEvals, 'assay.yaml': 'concurrency: 2\n', go: '0' },
      { ui: builtUi },
    );
    const { page, faults } = await openPage();
    await page.goto(served.url);
    const row = (n: number) => rowOf(page, `quick[c${n}]`);
    await row(0).getByText('not started').waitFor();
    await page.evaluate(noteFrames);
    await page.getByRole('button', { name: `Run ${many}` }).click();
    const done = () => page.getByRole('progressbar').getAttribute('aria-valuenow');
    for (const few of [4, 8, 12, 16]) {
      served.project.write('go', String(few));
      await eventually(done, (now) => now === String(few), `${few} that are done`);
    }
    await page.evaluate(watchTints);
    served.project.write('go', String(many));
    await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor();
    const frames = await page.evaluate<Frame[]>('frames');
    const seen = new Set(frames.map(({ progress }) => progress.done));
    // Not only the beginning and the end.
    expect(seen.size).to.be.greaterThan(3);
    for (const frame of frames) {
      const { done, of } = frame.progress;
      const said = JSON.stringify(frame);
      expect(of, said).to.equal(many);
      expect(frame.counted, said).to.equal(done);
      expect(frame.unfinished, said).to.equal(of - done);
      expect(frame.rows, said).to.equal(done);
      expect(frame.scored, said).to.equal(done);
    }
    const last = many - 2;
    await row(last).getByText(`answer ${last}`).waitFor();
    const tinted = await page.evaluate<readonly string[]>('tinted');
    expect(tinted.some((text) => text.includes(`answer ${last}`))).to.equal(true);
    const look = () => row(last).getAttribute('class');
    await eventually(look, (classes) => !classes?.includes('changed'), 'the end of the tint');
    // An edit from elsewhere.
    await served.patch('/api/runs/latest/results/0', {
      result: { scores: [{ key: 'exact', passed: false }] },
    });
    await row(0).getByText('set by hand').waitFor({ state: 'attached' });
    expect(await look()).not.to.contain('changed');
    expect(faults).to.deep.equal([]);
  });
});
