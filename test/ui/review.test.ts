import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, openPage } from '../helpers/browser.js';
import { times } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { looksWell } from './looks.js';
import { goWithin } from './screen.js';

/** Begins what the judge says of each case; nothing that the page gets may have it before the label. */
const secret = 'only the judge says so of';

const evals = `
import { evaluation } from 'assay';
const judged = (key) => ({ caseId }) => ({
  key,
  passed: Number(caseId.slice(1)) % 3 > 0,
  notes: ${JSON.stringify(secret)} + ' ' + key + ' ' + caseId,
});
const options = {
  target: ({ input }) => 'Your order **' + input + '** was cancelled.',
  metadata: { channel: 'mail' },
};
const cases = (count) => Array.from({ length: count }, (_, n) => ({
  id: 'n' + n, input: 'A-' + n, reference: 'Order A-' + n + ' was cancelled.',
}));
export const cancel = evaluation({ ...options, cases: cases(70) }, (ctx) => ctx.score(judged('correctness')(ctx)));
`;
const twoKeys = evals
  .replace('cases(70)', 'cases(6)')
  .replace(
    "ctx.score(judged('correctness')(ctx))",
    "{ ctx.score(judged('correctness')(ctx)); ctx.score(judged('tone')(ctx)); }",
  );
const settings = `
rubrics:
  correctness: |
    The customer learns what **really happened**.

    - **Pass**: a detail is left out.
    - **Fail**: anything that no tool confirmed.
`;

describe('review page', function () {
  this.timeout(120_000 * times(1));
  let served: ServedProject;
  let run: string;
  let page: Page;
  let faults: readonly string[];
  /** What the server has told the page of what the judge says, by case: how many labels it had given before. */
  let told: Map<string, number>;
  let count: number;

  const start = async (source: string, size: number) => {
    served = await ServedProject.start(
      { 'a.eval.ts': source, 'assay.yaml': settings },
      { ui: builtUi },
    );
    await served.runAll();
    run = await served.activeId();
    await served.post(`/api/runs/${run}/review/sample`, { size, seed: 1 });
  };
  const open = async (reviewer: string) => {
    ({ page, faults } = await openPage());
    [told, count] = [new Map(), 0];
    const hear = (text: string, at: number) => {
      for (const [, id = ''] of text.matchAll(new RegExp(`${secret} correctness (n\\d+)`, 'g'))) {
        told.set(id, Math.min(at, told.get(id) ?? at));
      }
    };
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.eventSourceMessageReceived', ({ data }) => hear(data, count));
    page.on('response', async (response) => {
      if (!response.url().includes('/api/') || response.url().endsWith('/events')) return;
      const at = count;
      hear(await response.text().catch(() => ''), at);
    });
    await page.goto(`${served.url}/runs/${run}/review`);
    const name = page.getByRole('textbox', { name: 'Your name' });
    await name.fill(reviewer);
    await name.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^cancel\[n\d+\]$/ }).waitFor();
    const { run_name } = (await served.active()).run ?? (await served.active());
    await page.getByRole('banner').getByText(run_name, { exact: true }).waitFor();
    return page;
  };
  const shown = (of = page) => of.getByRole('heading', { level: 1 }).innerText();
  const until = (text: string, of = page) =>
    of.getByRole('banner').getByRole('status').getByText(text).waitFor();
  const panel = (of = page) => of.getByRole('complementary', { name: 'Your label' });
  const labels = async () => (await served.get(`/api/runs/${run}/labels?format=json`)).body.labels;
  /** Presses a key, and waits for the next result. */
  const label = async (key: string) => {
    const before = await shown();
    count += 1;
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: before }).waitFor();
  };

  afterEach(() => {
    expect(faults).to.deep.equal([]);
  });

  describe('of 12 results', () => {
    before(() => start(evals, 12));

    it('is labelled by the keyboard alone, without a word of the judge before the label', async () => {
      await open('Ada');
      const labelled: string[] = [];
      for (let n = 0; n < 12; n += 1) {
        const id = /n\d+/.exec(await shown())?.[0] ?? '';
        expect(await page.content(), id).not.to.match(new RegExp(`${secret} correctness ${id}\\b`));
        labelled.push(id);
        await label(n % 5 === 0 ? 'u' : n % 2 === 0 ? '1' : '2');
      }
      await page.getByRole('heading', { level: 1, name: 'All 12 are labelled' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(new Set(labelled).size).to.equal(12);
      for (const [n, id] of labelled.entries()) expect(told.get(id) ?? 99, id).to.be.above(n);
      expect(told.size).to.be.above(0);
      const saved = await labels();
      expect(saved).to.have.length(12);
      expect(new Set(saved.map(({ reviewer }: { reviewer: string }) => reviewer))).to.deep.equal(
        new Set(['Ada']),
      );
      expect(saved.every(({ sample }: { sample?: string }) => sample !== undefined)).to.equal(true);
    });

    it('keeps what is labelled while the server is gone, and says that it is not saved', async () => {
      await open('Grace');
      await until('0 of 12');
      const { project, url } = served;
      await served.close();
      await page.getByText(/^No connection/).waitFor();
      await page.keyboard.press('n');
      await page.keyboard.type('2 of them');
      await page.keyboard.press('Escape');
      await label('2');
      await panel().getByText('1 label not saved:').waitFor();
      // The banner leaves room for what stands at the end.
      const last = await panel().getByRole('region', { name: 'Just labelled' }).boundingBox();
      expect((last?.y ?? 0) + (last?.height ?? 0)).to.be.within(
        1,
        page.viewportSize()?.height ?? 0,
      );
      await until('1 not saved yet');
      await until('0 of 12');
      served = await ServedProject.start(project, { ui: builtUi });
      expect(served.url).to.equal(url);
      await until('1 of 12');
      await panel().getByText('not saved').waitFor({ state: 'detached' });
      const [given] = (await labels()).filter(
        ({ reviewer }: { reviewer: string }) => reviewer === 'Grace',
      );
      expect(given).to.include({ verdict: 'fail', note: '2 of them' });
    });
  });

  describe('of two scores', () => {
    before(() => start(twoKeys, 6));

    it('asks one after the other, takes labels back, and skips', async () => {
      await open('Ada');
      const name = await shown();
      const asked = (key: string) =>
        panel()
          .getByRole('group', { name: `Verdict of ${key}` })
          .waitFor();
      await asked('correctness');
      await panel().getByText('really happened').first().waitFor();
      await page.keyboard.press('1');
      await asked('tone');
      await panel()
        .getByText(/^The judge says$/)
        .waitFor();
      expect(await shown()).to.equal(name);
      await label('2');
      await until('1 of 6');
      await panel()
        .getByRole('region', { name: 'Just labelled' })
        .getByText('judge')
        .first()
        .waitFor();

      await page.keyboard.press('z');
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await asked('tone');
      await until('0 of 6');
      await page.keyboard.press('z');
      await asked('correctness');
      await panel().getByText('hidden until you label').waitFor();
      expect(await labels()).to.deep.equal([]);

      await label('s');
      await until('1 of 6');
      expect((await labels()).map(({ verdict }: { verdict: string }) => verdict)).to.deep.equal([
        'skipped',
        'skipped',
      ]);
      await page.keyboard.press('k');
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Escape');
      await page.waitForURL(/\/\?run=/);
    });

    it('is reviewed by two people at the same time, each for themselves', async () => {
      const ada = await open('Lin');
      const [adaFaults, name] = [faults, await shown()];
      const grace = await open('Emmy');
      expect(await shown(grace)).to.equal(name);
      for (const key of ['1', '1']) await ada.keyboard.press(key);
      await until('1 of 6', ada);
      for (const key of ['2', '2']) await grace.keyboard.press(key);
      await until('1 of 6', grace);
      await ada.keyboard.press('k');
      await ada.getByRole('heading', { level: 1, name }).waitFor();
      await panel(ada)
        .getByText('Pass')
        .and(ada.locator('[aria-pressed=true] *'))
        .first()
        .waitFor();
      const verdicts = (await labels()).flatMap(
        ({ reviewer, verdict }: { reviewer: string; verdict: string }) =>
          reviewer === 'Lin' || reviewer === 'Emmy' ? [`${reviewer} ${verdict}`] : [],
      );
      expect(verdicts.sort()).to.deep.equal(['Emmy fail', 'Emmy fail', 'Lin pass', 'Lin pass']);
      expect(adaFaults).to.deep.equal([]);
    });

    it('fits and is for everybody', async () => {
      await open('Mary');
      // On a phone, the bar of verdicts says what is asked.
      await page.setViewportSize({ width: 400, height: 800 });
      const bar = panel().getByRole('group', { name: 'Verdict of correctness' });
      await bar.getByRole('button', { name: 'correctness' }).waitFor();
      await bar.getByText('1 of 2').waitFor();
      await bar.getByText('The customer learns what').waitFor();
      await bar.getByRole('button', { name: 'correctness' }).click();
      const rubric = panel().getByText('anything that no tool confirmed');
      const [end, top] = await Promise.all([rubric.boundingBox(), bar.boundingBox()]);
      expect((end?.y ?? 800) + (end?.height ?? 0)).to.be.below(top?.y ?? 0);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.keyboard.press('2');
      await panel()
        .getByText(/^The judge says$/)
        .waitFor();
      await looksWell(page, 'a labelled result', { inEach: true });
      await looksWell(page, 'in forced colours', { at: [], widths: [1440] });
    });
  });

  it('tells how far the judges can be trusted, and where people disagree with them', async () => {
    await start(evals, 60);
    const { queue } = (await served.get(`/api/runs/${run}/review?reviewer=Ada`)).body;
    const label = (n: number, verdict: string) =>
      served.post(`/api/runs/${run}/review/${queue[n].index}`, {
        ...{ key: 'correctness', verdict, note: 'Not told.', reviewer: 'Ada' },
        sample: queue[n].sample_id,
      });
    await label(0, 'pass');
    ({ page, faults } = await openPage());
    const open = async () => {
      await page.goto(`${served.url}/runs/${run}/calibration`);
      await page.getByRole('heading', { level: 1, name: 'How far the judges' }).waitFor();
    };
    await open();
    const table = page.getByRole('region', { name: 'Agreement by judge' });
    await table.getByText('needs 20 passes, has 1, and 20 fails, has 0').waitFor();
    await table.getByRole('link', { name: 'Label 59 drawn results first' }).waitFor();

    for (let n = 1; n < 60; n += 1) await label(n, n % 2 === 0 ? 'pass' : 'fail');
    await open();
    const { judges, disagreements } = (await served.get(`/api/runs/${run}/calibration`)).body;
    const rates = page.getByRole('region', { name: 'Pass rate of correctness' });
    const percent = (judges[0].corrected.estimate * 100).toFixed(1);
    await rates.getByText(percent, { exact: true }).waitFor();
    const listed = page.getByRole('region', { name: 'Disagreements' }).getByRole('listitem');
    expect(await listed.count()).to.equal(disagreements.length);
    await listed.nth(1).getByText(`${secret} correctness`).waitFor();
    await looksWell(page, 'the calibration', { inEach: true });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/results/${disagreements[1].index}$`));

    // Wherever the judge's rate stands, that of people stands below it.
    await goWithin(page, '/');
    const line = page.getByRole('row', { name: `correctness corrected` });
    await line.getByText(`${percent} %`, { exact: true }).waitFor();
    await looksWell(page, 'the dashboard');
    await line.getByRole('link').click();
    await page.waitForURL(new RegExp(`/runs/${run}/calibration$`));
    const { run_id: other } = (await served.post('/api/runs/new?wait=true')).body;
    await goWithin(page, `/compare?run=${run}&run=${other}`);
    await page.getByText(`Whole run: A ${percent} % (60 labels), B – (no labels)`).waitFor();
    await looksWell(page, 'the comparison');
    await page.getByRole('link', { name: 'Calibration of correctness in A' }).click();
    await page.waitForURL(new RegExp(`/runs/${run}/calibration$`));

    // By a new rubric, people disagree once: what they said by the older one is a press away.
    served.project.write('assay.yaml', settings.replace('a detail', 'nothing'));
    await open();
    await table.getByText('an older rubric').waitFor();
    await label(
      1,
      disagreements.some((one: { index: number }) => one.index === queue[1].index)
        ? 'fail'
        : 'pass',
    );
    await open();
    await page.getByText('1 to read', { exact: true }).waitFor();
    const { judges: both } = (await served.get(`/api/runs/${run}/calibration`)).body;
    expect(both).to.have.length(2);
    for (const { rubric_version } of both) {
      const rubric = `rubric ${rubric_version.slice(0, 6)}`;
      await table.getByText(rubric).waitFor();
      await page.getByRole('region', { name: `Pass rate of correctness, ${rubric}` }).waitFor();
    }
    expect(await listed.count()).to.equal(1);
    await page.getByRole('switch', { name: `${disagreements.length} by older rubrics` }).click();
    expect(await listed.count()).to.equal(disagreements.length + 1);
    await looksWell(page, 'the calibration by two rubrics');
  });

  it('draws a sample of a run that has none', async () => {
    served = await ServedProject.start(
      { 'a.eval.ts': evals, 'assay.yaml': settings },
      { ui: builtUi },
    );
    await served.runAll();
    ({ page, faults } = await openPage());
    await page.goto(`${served.url}/runs/${await served.activeId()}/review`);
    const name = page.getByRole('textbox', { name: 'Your name' });
    // That of the settings, or of the system.
    expect(await name.inputValue()).not.to.equal('');
    await name.fill('Ada');
    await name.press('Enter');
    await page.getByRole('heading', { name: 'Draw a sample' }).waitFor();
    await looksWell(page, 'the form', { inEach: true });
    await page.getByRole('textbox', { name: 'Results' }).fill('7');
    await page.getByRole('radio', { name: 'from each dataset' }).click();
    await page.getByRole('button', { name: 'Draw' }).click();
    await until('0 of 7');
  });
});
