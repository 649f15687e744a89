import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { openStore } from '../../src/store/store.js';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { finished, newRun, plan } from '../store/builders.js';
import { serveKept } from '../ui/kept-page.js';
import { goWithin } from '../ui/screen.js';

// A tenth of the cases of the first run have made room for harder ones in the second; on the others nothing has
// changed but the number of tokens.
const evals = `
import { readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const isFirst = readFileSync(new URL('./run', import.meta.url), 'utf8') === 'first';
const cases = (from, to) => Array.from({ length: to - from }, (_, i) => ({ id: 'c' + (from + i), input: from + i }));
export const kept = evaluation({
  dataset: 'kept', cases: cases(0, 180), target: (ctx) => ctx.input,
}, (ctx) => {
  ctx.score('exact', ctx.input % 10 !== 0);
  ctx.score({ key: 'tokens', value: 100 + ctx.input + (isFirst ? 0 : 25) });
});
export const other = evaluation({
  dataset: 'other', cases: isFirst ? cases(180, 200) : cases(200, 220), target: (ctx) => ctx.input,
}, (ctx) => { ctx.score('exact', isFirst); });
`;

describe('figures of runs with other cases', function () {
  this.timeout(120_000);
  const ids: string[] = [];
  const at = serveKept(async () => {
    const served = await ServedProject.start(
      { 'a.eval.ts': evals, run: 'first' },
      { ui: builtUi, runName: 'before' },
    );
    ids.push((await served.runAll()).run_id);
    served.project.write('run', 'second');
    await served.post('/api/server/restart');
    await served.post('/api/runs/new?wait=true', { run_name: 'now' });
    ids.push((await served.active()).run_id);
    return served;
  });
  const scores = () => at.page.getByRole('table', { name: 'Scores', exact: true });
  const cellsOf = async (key: string) =>
    scores()
      .getByRole('row')
      .filter({ has: at.page.getByRole('button', { name: key, exact: true }) })
      .getByRole('cell')
      .allInnerTexts();

  it('are against the run before over what both have, whatever else either has', async () => {
    const page = await at.open(`/?run=${ids[1]}`);
    expect((await cellsOf('exact')).slice(-2)).to.deep.equal(['0.0', '180']);
    expect((await cellsOf('tokens')).slice(-2)).to.deep.equal(['▲ mean +25', '180']);
    await page.getByText('vs last: against before, over the cases that both').waitFor();
    const tokens = scores().getByTitle(/^Against before: /);
    const look = (n: number) => tokens.nth(n).getAttribute('class');
    const [exact, more] = await Promise.all([look(0), look(1)]);
    expect(exact).not.to.match(/better|worse/);
    expect(more).to.match(/better/);
    await goWithin(page, `/?run=${ids[0]}`);
    await page.getByText('vs last: nothing, no earlier run of config default').waitFor();
    expect((await cellsOf('exact')).slice(-2)).to.deep.equal(['', '']);
  });

  it('follow a filter, or say that they are of the whole run', async () => {
    const page = await at.open(`/?run=${ids[1]}&dataset=other`);
    const summary = page.getByRole('region', { name: /^Summary/ });
    expect(await summary.innerText()).to.match(/^0\.0 %\s*passed/);
    await summary.getByText('20 of 200 results').waitFor();
    expect((await cellsOf('exact')).slice(1, 3)).to.deep.equal(['0.0 %', '0 / 20']);
    expect((await cellsOf('exact')).slice(-2)).to.deep.equal(['0.0', '180']);
    // Each comes with an answer of its own.
    for (const name of ['last 2 whole runs', 'whole run vs last']) {
      await scores().getByRole('columnheader', { name, exact: true }).waitFor();
    }
    await summary.getByText('regardless of the filter').waitFor();
  });

  it('have in compare differences of the very two values beside them, over so many pairs', async () => {
    const page = await at.open(`/?run=${ids[1]}`);
    await goWithin(page, `/compare?run=${ids[0]}&run=${ids[1]}`);
    const table = page.getByRole('table', { name: 'Scores by run' });
    await table.getByText(' of 180').first().waitFor();
    const rows = await table.getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((row) => row.split('\n').slice(-2))).to.deep.equal([
      ['90.0 → 90.0', '0.0 of 180'],
      ['90.0 → 90.0', '0.0 of 180'],
      ['p50 189.5 → 214.5', '▲ mean +25 of 180'],
    ]);
    const runs = page.getByRole('group', { name: 'Runs' });
    expect(await runs.innerText()).to.match(/^whole run\n/);
    expect(await runs.innerText()).to.match(/91\.0 %.*81\.0 %/s);
    await goWithin(page, `/compare?run=${ids[0]}&run=${ids[1]}&dataset=other`);
    await page.getByText('of what the filters match').waitFor();
    await page.getByText('Over all pairs, regardless of the filter:').waitFor();
  });

  it('have no verdict on latencies', async () => {
    const page = await at.open(`/?run=${ids[1]}`);
    await goWithin(page, `/compare?run=${ids[0]}&run=${ids[1]}`);
    const table = page.getByRole('table', { name: 'Latency by run' });
    expect(await table.innerText()).not.to.match(/[▲▼]/);
    await page.getByRole('button', { name: 'All differences' }).click();
    await page
      .getByText(/Latencies get no verdict: the results of one run share its load/)
      .waitFor();
    const line = page.getByRole('row').filter({ hasText: /^latency/ });
    expect((await line.getByRole('cell').allInnerTexts()).slice(-2)).to.deep.equal([
      '',
      'no verdict',
    ]);
  });
});

describe('trials that nothing grades', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start(
      {
        'a.eval.ts': `
import { evaluation } from 'assay';
export const plain = evaluation({ trials: 3, cases: [{ id: 'a', input: 1 }], target: (ctx) => ctx.input });
`,
      },
      { ui: builtUi },
    );
    await served.runAll();
    return served;
  });

  it('have no pass@k', async () => {
    const page = await at.open();
    const summary = page.getByRole('region', { name: /^Summary/ });
    await summary.getByText('pass@3 – no verdict').waitFor();
  });
});

describe('long runs whose comparison takes longer than the first answer', function () {
  this.timeout(120_000);
  const ids: string[] = [];
  const at = serveKept(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals, run: 'first' }, { ui: builtUi });
    const store = await openStore(served.project.path('.assay/sessions'));
    for (const name of ['before', 'now']) {
      const started_at_ms = Date.now() + ids.length;
      const owner = await store.createRun(newRun({ run_name: name }));
      const indices = Array.from({ length: 10_000 }, (_, index) => index);
      owner.plan(indices.map((index) => plan(index)));
      owner.schedule({ kind: 'run', rows: 'all' });
      const scores = (index: number) => [{ key: 'exact', passed: name === 'before' || index > 99 }];
      owner.finish(indices.map((index) => finished(index, { scores: scores(index) })));
      await owner.close('finished');
      await owner.run.close();
      ids.push(owner.run.runId);
      while (Date.now() <= started_at_ms) await delay(1);
    }
    return served;
  });

  it('show the difference to the run before when it is known, without a reload', async () => {
    const page = await at.open(`/?run=${ids[1]}`);
    await page.getByText('vs last: against before, over the cases that both').waitFor();
    await page.getByTitle(/^Against before: .*beyond chance/).waitFor();
    await page.getByText('10,000 of 10,000').waitFor();
    // A filter asks for rows of its own; the comparison stays.
    await goWithin(page, `/?run=${ids[1]}&status=failed`);
    await page.getByText('100 of 10,000').first().waitFor();
    await page.getByTitle(/^Against before: .*beyond chance/).waitFor();
  });
});
