import { cpSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import type { ResultEntry } from '../../src/model/result.js';
import { type Serving, serve } from '../e2e/serve-process.js';
import { type OpenedPage, openPage } from '../helpers/browser.js';
import { Project } from '../helpers/project.js';
import { part } from './result-project.js';
import {
  choose,
  downloaded,
  eventually,
  rowNames,
  rowOf,
  scrolledBy,
  untilShown,
  wheelDownTo,
} from './screen.js';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The example as a user has it: with its settings and the packages it needs. */
function makeSentimentProject(): Project {
  const project = new Project();
  for (const name of ['examples/sentiment', 'assay.yaml']) {
    cpSync(`${checkout}/${name}`, project.path(name), { recursive: true });
  }
  for (const name of ['sentiment', 'vader-sentiment', 'wink-sentiment']) {
    symlinkSync(`${checkout}/node_modules/${name}`, project.path('node_modules', name));
  }
  return project;
}

// Each step begins where the one before has ended, in one page that is never loaded again.
describe('a sitting with examples/sentiment', function () {
  this.timeout(120_000);
  let serving: Serving;
  let opened: OpenedPage;
  let page: Page;
  let failing: string[];
  let first: string;

  const resultsOf = async (run: string): Promise<readonly ResultEntry[]> => {
    const response = await fetch(`${serving.url}/api/runs/${run}/data`);
    return ((await response.json()) as { results: ResultEntry[] }).results;
  };
  const runId = () => new URL(page.url()).searchParams.get('run') ?? '';
  const isPassed = ({ result }: ResultEntry) => result.scores.every(({ passed }) => passed);

  before(async () => {
    serving = await serve(makeSentimentProject(), ['examples/sentiment', '--no-open']);
    opened = await openPage();
    page = opened.page;
    await page.goto(serving.url);
    await page.evaluate('window.isTheSamePage = true');
  });

  it('begins with a click on Run, which turns the rows live', async () => {
    const row = rowOf(page, 'review[1]');
    await row.getByText('not started').first().waitFor();
    await page.getByRole('button', { name: 'Run 1,000' }).click();
    await row.getByText('negative', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: '807 passed' }).waitFor();
    await page.getByRole('button', { name: '193 failed' }).waitFor();
    await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor();
    first = runId();
    failing = (await resultsOf(first)).filter((row) => !isPassed(row)).map((row) => row.function);
    expect(failing).to.have.length(193);
  });

  it('leaves the failures at a click on the bar of a score, and sorts them by it', async () => {
    await page.getByTitle('Show where exact failed').click();
    await untilShown(page, '193 of 1,000');
    await choose(page, 'Scores', 'exact');
    await page.keyboard.press('Escape');
    const head = page.getByRole('columnheader', { name: 'Scores' });
    await eventually(
      () => head.getAttribute('aria-sort'),
      (sort) => sort === 'ascending',
      'sort',
    );
    const names = await rowNames(page);
    expect(names).to.deep.equal(failing.slice(0, names.length));
  });

  it('opens one far down, and holds its output against the reference', async () => {
    await page.mouse.move(700, 700);
    const row = rowOf(page, failing[110] ?? '');
    await wheelDownTo(page, row);
    await row.click({ position: { x: 500, y: 14 } });
    await page.getByRole('heading', { level: 1, name: failing[110] ?? '' }).waitFor();
    await page.getByText('111 of 193 matching').waitFor();
    const [said, wanted] = await Promise.all(
      ['Output', 'Reference'].map((title) => part(page, title).innerText()),
    );
    await page.getByRole('switch', { name: 'Diff' }).click();
    const marks = await page.locator('mark').allInnerTexts();
    expect(marks.toSorted()).to.deep.equal(['negative', 'positive']);
    expect(said).to.contain(marks[0]);
    expect(wanted).to.contain(marks[1]);
  });

  it('corrects the score with a note, which the history tells', async () => {
    const scores = part(page, 'Scores');
    await scores.getByRole('button', { name: 'Edit exact' }).click();
    await scores.getByText('pass', { exact: true }).click();
    await scores.getByLabel('notes').fill('the reviewer is ironic');
    await scores.getByRole('button', { name: 'Save' }).click();
    await scores.getByText('by hand').waitFor();
    await scores.getByText('the reviewer is ironic').waitFor();
    const history = part(page, 'Correction history').getByRole('listitem');
    await history.getByText('passed').waitFor();
    expect((await history.innerText()).replace(/\s+/g, ' ')).to.match(
      /failed ?→ ?passed .*by hand/,
    );
  });

  it('leads back to the same place, from which the corrected row has gone', async () => {
    await page.goBack();
    await untilShown(page, '192 of 1,000');
    const next = rowOf(page, failing[111] ?? '');
    await next.waitFor();
    expect((await next.boundingBox())?.y).to.be.within(28, 900);
    expect(await scrolledBy(page)).to.be.greaterThan(2000);
    expect(await rowOf(page, failing[110] ?? '').count()).to.equal(0);
    failing.splice(110, 1);
  });

  it('runs ten selected rows again, and no other', async () => {
    const from = failing.indexOf((await rowNames(page))[20] ?? '');
    const ten = failing.slice(from, from + 10);
    await rowOf(page, ten[0] ?? '')
      .getByRole('checkbox')
      .click();
    await rowOf(page, ten[9] ?? '')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Rerun 10 selected' }).click();
    const tries = async ({ index }: { index: number }) => {
      const response = await fetch(`${serving.url}/api/runs/${first}/results/${index}`);
      return ((await response.json()) as { attempts?: unknown[] }).attempts?.length ?? 0;
    };
    const rows = (await resultsOf(first)).map(({ function: name }, index) => ({ name, index }));
    const again = rows.filter(({ name }) => ten.includes(name));
    await eventually(
      () => Promise.all(again.map(tries)),
      (counts) => counts.every((count) => count === 1),
      'earlier attempts',
    );
    const others = rows.filter(({ name }) => failing.includes(name) && !ten.includes(name));
    expect(await Promise.all(others.slice(0, 30).map(tries))).to.deep.equal(Array(30).fill(0));
    await page.getByRole('button', { name: 'Rerun 10 selected' }).waitFor();
    await untilShown(page, '192 of 1,000');
  });

  it('exports what is on screen, in its order and columns, and all as CSV', async () => {
    const report = await downloaded(page, () => choose(page, 'Export', /^Markdown/));
    expect(report.name).to.equal(`${first}.md`);
    const [head, , ...rows] = report.text.slice(report.text.indexOf('| eval')).trim().split('\n');
    expect(head).to.equal('| eval | input | reference | output | scores | latency |');
    expect(rows).to.have.length(192);
    for (const [n, name] of failing.entries()) {
      expect(rows[n]?.replaceAll('\\', '')).to.contain(name);
    }
    const part = await downloaded(page, () => choose(page, 'Export', /^CSV/));
    expect(part.name).to.equal(`${first}-part.csv`);
    const shown = parse(part.text, { columns: true }) as Record<string, string>[];
    expect(Object.keys(shown[0] ?? {})).to.deep.equal(
      'function,input,reference,output,scores,latency'.split(','),
    );
    expect(shown).to.have.length(192);
    expect(shown.slice(0, failing.length).map((record) => record.function)).to.deep.equal(failing);
    const json = await downloaded(page, () => choose(page, 'Export', /^JSON/));
    expect(JSON.parse(json.text)).to.deep.include({ part_of: 1000, total_evaluations: 192 });
    const table = await downloaded(page, () => choose(page, 'Export', /^Whole run as CSV/));
    expect(table.name).to.equal(`${first}.csv`);
    const records = parse(table.text, { columns: true, bom: true }) as Record<string, string>[];
    const saved = await resultsOf(first);
    expect(records.map((record) => record.function)).to.deep.equal(
      saved.map((row) => row.function),
    );
    expect(records.map(({ output }) => output)).to.deep.equal(
      saved.map(({ result }) => result.output),
    );
  });

  it('shares what is on screen by its address', async () => {
    const other = (await openPage()).page;
    await other.goto(page.url());
    await untilShown(other, '192 of 1,000');
    await rowOf(other, failing[0] ?? '').waitFor();
    const names = await rowNames(other);
    expect(names).to.deep.equal(failing.slice(0, names.length));
    const pressed = other.getByTitle('Show where exact failed');
    expect(await pressed.getAttribute('aria-pressed')).to.equal('true');
    await other.context().close();
  });

  it('starts a new run with another run config', async () => {
    await page.getByRole('button', { name: 'next run: default' }).click();
    await page.getByRole('menuitemradio', { name: 'wink' }).click();
    await page.getByRole('button', { name: 'next run: wink' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await choose(page, 'More ways to run', /^New run/);
    const dialog = page.getByRole('dialog', { name: 'New run' });
    await dialog.getByText('With run config wink.').waitFor();
    await dialog.getByLabel('Name of the new run').fill('with wink');
    await dialog.getByLabel('only the 10 selected').uncheck();
    await dialog.getByRole('button', { name: 'Run 1,000' }).click();
    await page.getByRole('button', { name: '845 passed' }).waitFor();
    expect(runId()).not.to.equal(first);
  });

  it('compares the two: what got better and what worse, paired by id', async () => {
    const second = runId();
    const [before, now] = await Promise.all([resultsOf(first), resultsOf(second)]);
    const passedBefore = new Map(before.map((row) => [row.id, isPassed(row)]));
    const moved = (from: boolean, to: boolean) =>
      now.filter((row) => passedBefore.get(row.id) === from && isPassed(row) === to).length;
    const [worse, better] = [moved(true, false), moved(false, true)];
    // Of the 807 and the corrected one.
    expect(808 - worse + better).to.equal(845);
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(`${serving.url}/compare?run=${first}&run=${second}`);
    await untilShown(page, '1,000 of 1,000 pairs');
    await page.getByRole('button', { name: `${better} fixed in B` }).waitFor();
    await page.getByRole('button', { name: `${worse} regressed in B` }).click();
    await untilShown(page, `${worse} of 1,000 pairs`);
    const pair = page.locator('[role=rowgroup] > [role=row]').first();
    expect(await pair.innerText()).to.contain('regressed');
    await page.keyboard.press('Escape');
    await page.waitForURL(`${serving.url}/?run=${second}`);
    expect(await page.evaluate('window.isTheSamePage')).to.equal(true);
    expect(opened.faults).to.deep.equal([]);
  });
});
