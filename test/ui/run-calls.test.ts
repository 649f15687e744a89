import { expect } from 'chai';
import type { StoredCall } from '../../src/model/calls/stored-calls.js';
import { usageOf } from '../../src/model/calls/usage.js';
import { openStore } from '../../src/store/store.js';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { finished, newRun, plan } from '../store/builders.js';
import { keepPage } from './kept-page.js';
import { layouts, looksWell } from './looks.js';

const cases = 40;

const callsOf = (index: number): StoredCall[] =>
  ['target', 'evaluator:tone'].map((role, n) => ({
    ...{ number: n + 1, role: role as StoredCall['role'], method: 'POST', url: 'http://m/' },
    ...{ status: index === 3 ? 500 : 200, start: n, first_token: n + 0.1, end: n + 1 + index / 10 },
    cost: index === 3 ? 0 : n === 1 && index % 5 === 0 ? null : (index + 1) / 1000,
    model_call: {
      ...{ provider: 'openai', operation: 'chat', model: n === 0 ? 'large' : 'judge' },
      ...{ usage: { input: 100 + index, output: 5 }, messages: [0], answer: [1] },
    },
  }));

const texts = (asked: string) => [
  { role: 'user', content: asked },
  { role: 'assistant', content: 'Done.' },
];

/** A project with two saved runs that differ in what they ask. */
async function serveRuns(): Promise<ServedProject> {
  const served = await ServedProject.start({ 'a.eval.ts': '' }, { ui: builtUi });
  const store = await openStore(served.project.path('.assay/sessions'));
  for (const name of ['before', 'after']) {
    const owner = await store.createRun(newRun({ run_name: name }));
    owner.plan(Array.from({ length: cases }, (_, index) => plan(index)));
    owner.schedule({ kind: 'run', rows: 'all' });
    owner.finish(
      Array.from({ length: cases }, (_, index) => {
        const calls = callsOf(index);
        const usage = usageOf(calls as Parameters<typeof usageOf>[0]);
        return finished(index, {
          calls: {
            calls,
            texts: texts(`${name === 'after' && index < 5 ? 'Now' : 'Ask'} ${index}`),
          },
          ...(usage && { usage }),
        });
      }),
    );
    await owner.close('finished');
    await owner.run.close();
  }
  return served;
}

describe('the calls of a run', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let runs: readonly string[];
  const kept = keepPage(() => served.url);
  before(async () => {
    served = await serveRuns();
    const { body } = await served.get('/api/sessions/default/runs');
    runs = body.runs.map(({ run_id }: { run_id: string }) => run_id).reverse();
  });

  it('lead by keys to the request, to the case at this call, and back', async () => {
    const page = await kept.open(`/runs/${runs[1]}/calls`);
    const rows = page.getByRole('treegrid').locator('[role=row][aria-expanded]');
    await rows.first().waitFor();
    expect(await rows.first().innerText()).to.include('refund[39]');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await page.getByText('Ask 39').first().waitFor();
    const value = page.getByRole('link', { name: 'authored', exact: true });
    await value.waitFor();
    expect(await value.getAttribute('href')).to.equal(
      `/?run=${runs[1]}&where=metadata.kind%3Dauthored`,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'refund[39]' }).waitFor();
    await page.locator('[role=row][aria-expanded=true]').waitFor();
    expect(page.url()).to.match(/results\/39#call-[12]$/);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'All calls of run after' }).waitFor();
  });

  it('are filtered by a click on a model, and look well', async () => {
    const page = await kept.open(`/runs/${runs[1]}/calls`);
    await page.getByRole('button', { name: 'judge' }).first().click();
    await page.getByRole('status').filter({ hasText: '40 calls of 40 results' }).waitFor();
    await looksWell(page, 'the calls of a run', { at: layouts });
  });

  it('of a result lead to what its prompts were before, at any width', async () => {
    const page = await kept.open(`/runs/${runs[1]}/results/1`);
    await page.getByRole('link', { name: 'Compare prompts' }).waitFor();
    await looksWell(page, 'the calls of a result', { at: layouts });
  });

  it('are compared with those of another run', async () => {
    const page = await kept.open(`/compare/prompts?run=${runs[0]}&run=${runs[1]}`);
    await page.getByRole('grid').getByText('Now 0').waitFor();
    await page.getByText('4 of 39 part').waitFor();
    await page.setViewportSize({ width: 1440, height: 250 });
    const outline = page.getByRole('navigation', { name: 'Sections' });
    await outline.getByRole('button', { name: 'Traces 4' }).waitFor();
    expect(await outline.getByRole('button').allInnerTexts()).to.have.length(4);
    await outline.getByRole('button', { name: 'Traces 4' }).click();
    await outline
      .getByRole('button', { name: 'Traces 4' })
      .and(page.locator('[aria-current]'))
      .waitFor();
    await looksWell(page, 'the prompts of two runs');
  });
});
