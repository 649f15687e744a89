import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Trend } from '../../src/compare/trend/trend.js';
import { trendBoundsText, trendNotes, trendValueText } from '../../src/text/trend-text.js';
import { seconds } from '../../ui/src/components/figures/figures.js';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { looksWell } from './looks.js';
import { misfits } from './misfits.js';
import { choose, downloaded } from './screen.js';

/** Which cases pass follows from the file `draw`: a seed and a rate. */
const evals = `
import { readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const size = 120;
const [seed = 1, rate = 0.7] = readFileSync(new URL('draw', import.meta.url), 'utf8').split(' ').map(Number);
function random(text: string): number {
  let hash = 2166136261 ^ seed;
  for (const sign of text) hash = Math.imul(hash ^ sign.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}
export const answer = evaluation({
  params: { prompt: 'v13' },
  cases: Array.from({ length: size }, (_, n) => ({ id: 'c' + n, input: n })),
  target: ({ input }) => random('answer ' + input) < rate,
}, (ctx) => {
  ctx.score('exact', ctx.output === true);
  ctx.score({ key: 'politeness', value: 0.7 + random('politeness ' + ctx.caseId) * 0.3 });
});
`;
const settings = 'configs:\n  careful: { params: { prompt: v14 } }\n';

/** Names, rates and configs of the runs: a slow rise, a run of another config, a fall. */
const runs: readonly (readonly [name: string, rate: number, config?: string])[] = [
  ...[0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.66, 0.68, 0.7].map((rate, n) => [`run-${n}`, rate] as const),
  ['apart', 0.8, 'careful'],
  ...[0.7, 0.72, 0.72, 0.74, 0.4, 0.75].map((rate, n) => [`run-${n + 10}`, rate] as const),
];

describe('the trends of a session', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  let trend: Trend;
  const session = 'nightly runs/main';
  const address = `/sessions/${encodeURIComponent(session)}/trends`;
  const api = (of: string) => `/api/sessions/${encodeURIComponent(of)}/trend`;
  const kept = keepPage(() => served.url);
  const open = async (path = address) => {
    page = await kept.open(path);
  };
  const words = (text: string) => text.replace(/\s+/g, ' ').trim();
  const slider = () => page.getByRole('slider', { name: 'Run' });
  const chart = () => page.getByRole('region', { name: 'Pass rate' });
  const rows = () => page.getByRole('grid', { name: 'Runs' }).locator('[role=row][id]');
  const rowOf = (name: string) =>
    rows().filter({ has: page.getByRole('link', { name, exact: true }) });
  const newest = () => trend.runs.at(-1);

  before(async () => {
    served = await ServedProject.start(
      { 'a.eval.ts': evals, 'assay.yaml': settings, draw: '1 0.6' },
      { ui: builtUi, session },
    );
    for (const [n, [run_name, rate, name = 'default']] of runs.entries()) {
      served.project.write('draw', `${n + 1} ${rate}`);
      await served.post('/api/configs/select', { name });
      await served.post('/api/runs/new?wait=true', { run_name });
    }
    trend = (await served.get(api(session))).body;
  });

  it('show the figures of the API as they are, in the caption, the charts and a row for each run', async () => {
    await open();
    await rowOf('apart').waitFor();
    expect(await page.title()).to.equal(`Trends · ${session} · assay`);
    const last = newest();
    const rate = last?.figures[0];
    expect(words(await chart().innerText())).to.contain(
      `${trendValueText(rate as never, 'ratio')} ${trendBoundsText(rate as never, 'ratio')}`,
    );
    expect(await rows().count()).to.equal(runs.length);
    for (const run of trend.runs) {
      const [passed, exact, politeness] = run.figures;
      const text = words(await rowOf(run.run_name).innerText());
      for (const part of [
        trendValueText(passed as never, 'ratio').replace(' %', ''),
        trendBoundsText(passed as never, 'ratio'),
        trendValueText(exact as never, 'ratio').replace(' %', ''),
        trendValueText(politeness as never, 'avg'),
        seconds(run.p95?.estimate ?? 0),
      ]) {
        expect(text, run.run_name).to.contain(part);
      }
    }
    const names = await page.getByRole('region', { name: 'Scores' }).locator('figcaption').all();
    expect(names).to.have.length(trend.measures.length - 1);
    const notes = page.getByRole('list', { name: 'Notes' }).getByRole('listitem');
    expect(await notes.allInnerTexts()).to.deep.equal(trendNotes(trend));
  });

  it('mark what is beyond chance, outside of its limits, drifts slowly, or is not on the line', async () => {
    await open();
    await rowOf('apart').waitFor();
    const of = (is: (figure: NonNullable<Trend['runs'][number]['figures'][number]>) => unknown) =>
      trend.runs.filter(({ figures: [figure] }) => figure && is(figure)).length;
    const marks = (kind: string) => chart().getByRole('img').locator(`[data-mark=${kind}]`).count();
    const changes = of(({ step }) => step?.beyond_chance);
    expect(changes).to.be.above(1);
    expect((await marks('better')) + (await marks('worse'))).to.equal(changes);
    expect(await marks('apart')).to.equal(1);
    const drifts = of(({ drift }) => drift);
    expect(drifts).to.be.above(0);
    expect(await marks('drift')).to.equal(drifts);
    const outside = trend.runs.filter(({ on_line, figures }) => on_line && figures[0]?.outside);
    expect(await marks('outside')).to.equal(outside.length);
    const fallen = rowOf('run-14');
    expect(words(await fallen.innerText())).to.match(/▼ −\d+\.\d/);
    expect(words(await rowOf('apart').innerText())).to.match(/careful ?, not on the line/);
  });

  it('go from run to run by keyboard, in the chart and the table, and open one', async () => {
    await open();
    await slider().focus();
    const said = () => slider().getAttribute('aria-valuetext');
    expect(await said()).to.match(/^run-15, /);
    await page.keyboard.press('ArrowLeft');
    expect(await said()).to.match(
      /^run-14, .*; \d+\.\d % .* of 120; ▼ −\d+\.\d since run-13, beyond chance; .*config default prompt v13$/,
    );
    const current = page.locator('[role=row][aria-current]');
    expect(words(await current.innerText())).to.match(/^run-14 /);
    await page.keyboard.press('Home');
    expect(await said()).to.match(/^run-0, .*no earlier run/);
    await page.keyboard.press('ArrowDown');
    expect(words(await page.locator(':focus').innerText())).to.match(/^run-15 /);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowLeft');
    expect(words(await page.locator(':focus').innerText())).to.match(/^run-13 /);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('run') === trend.runs.at(-3)?.run_id);
  });

  it('follow the pointer', async () => {
    await open();
    const box = await slider().boundingBox();
    if (box === null) throw new Error('There is no slider.');
    await page.mouse.move(box.x + 6, box.y + 40);
    const current = page.locator('[role=row][aria-current]');
    expect(words(await current.innerText())).to.match(/^run-0 /);
    await page.mouse.move(box.x + box.width - 6, box.y + 40);
    expect(words(await current.innerText())).to.match(/^run-15 /);
    await page.mouse.move(box.x, 5);
    await current.waitFor({ state: 'detached' });
    await page.mouse.click(box.x + box.width - 6, box.y + 40);
    await page.waitForURL((url) => url.searchParams.get('run') === newest()?.run_id);
  });

  it('compare the chosen runs, else the newest with the run before', async () => {
    await open();
    const [before, last] = [trend.runs.at(-2)?.run_id, newest()?.run_id];
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.getByRole('link', { name: 'Compare 2 runs' }).waitFor();
    await page.keyboard.press('c');
    const chosen = [trend.runs.at(-3)?.run_id, last];
    await page.waitForURL((url) => url.searchParams.getAll('run').join() === chosen.join());
    await open();
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.getAll('run').join() === [before, last].join());
  });

  it('join the runs of another config, and count limits from another run', async () => {
    await open();
    await choose(page, 'Baseline run-0', 'careful');
    await page.waitForURL(/line=careful/);
    await chart().getByText('careful, 95 %').waitFor();
    expect(await chart().getByRole('img').locator('[data-mark=apart]').count()).to.equal(
      runs.length - 1,
    );
    await open();
    await choose(page, 'Baseline run-0', /^run-4/);
    await page.waitForURL(/baseline=/);
    const answer = await served.get(`${api(session)}?baseline=${trend.runs[4]?.run_id}`);
    const note = trendNotes(answer.body)[0] ?? '';
    expect(note).to.contain('run-4');
    await page.getByText(note).waitFor();
    await open(`${address}?baseline=nothing`);
    await page.getByRole('heading', { name: 'Limits cannot count from this run' }).waitFor();
    await page.getByRole('button', { name: 'Count from the oldest run' }).click();
    await rowOf('run-0').waitFor();
  });

  it('filter the table, and show as many runs as asked for', async () => {
    await open();
    const filters = page.getByRole('navigation', { name: 'Filters' });
    await filters.getByRole('button', { name: /^careful 1/ }).click();
    await page.waitForURL(/config=careful/);
    expect(await rows().count()).to.equal(1);
    await filters.getByRole('button', { name: /^slow drift/ }).click();
    await page.getByRole('heading', { name: 'No run matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: '12', exact: true }).click();
    await page.waitForURL(/runs=12/);
    expect(await rows().count()).to.equal(12);
    await page.getByRole('banner').getByText(`12 of ${runs.length} runs`).waitFor();
    const file = await downloaded(page, () => choose(page, 'Export', /JSON/));
    expect(file.name).to.equal('trend-nightly-runs-main.json');
    expect(JSON.parse(file.text)).to.deep.equal(trend);
  });

  it('are where sessions are: in the menu of the session, of the run, and among the commands', async () => {
    const isThere = () => page.waitForURL((url) => url.pathname === address);
    await open('/');
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await page.getByTitle('Session', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Trends' }).click();
    await isThere();
    await rowOf('run-0').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await page.getByTitle('Run', { exact: true }).click();
    await page.getByRole('link', { name: 'Trends…' }).click();
    await isThere();
    await open('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).fill('trends');
    await page.getByRole('option', { name: /^Trends of the session/ }).click();
    await isThere();
  });

  it('say what there is in a session without runs, with one, or that cannot be read', async () => {
    await open('/sessions/nothing/trends');
    await page.getByRole('heading', { level: 1, name: 'No runs in session nothing' }).waitFor();
    await page.getByRole('link', { name: session }).click();
    await rowOf('run-0').waitFor();

    const [first] = trend.runs;
    const alone = { ...trend, total: 1, runs: [first] };
    await page.route(`**${api('alone')}`, (route) => route.fulfill({ json: alone }));
    await open('/sessions/alone/trends');
    await page.getByText('One run so far.').waitFor();
    expect(await rows().count()).to.equal(1);
    expect(await slider().count()).to.equal(0);

    const problem = { status: 500, title: 'Error', detail: 'The disk is gone.' };
    await page.route(`**${api('broken')}`, (route) =>
      route.fulfill({ status: 500, json: problem }),
    );
    await open('/sessions/broken/trends');
    await page.getByRole('heading', { name: 'The trends cannot be read' }).waitFor();
    await page.getByText('The disk is gone.').waitFor();
  });

  it('fit every width and are for everybody', async () => {
    await open();
    await rowOf('apart').waitFor();
    await looksWell(page, 'trends', { inEach: true });
    for (const width of [360, 400, 768, 950, 1100, 1240, 1920, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await misfits(page), `${width} pixels`).to.deep.equal([]);
    }
    await page.setViewportSize({ width: 400, height: 900 });
    await chart().getByText('run-15').first().waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    const adjust = await page.evaluate(
      "getComputedStyle(document.querySelector('svg[role=img]')).forcedColorAdjust",
    );
    expect(adjust).to.equal('none');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
