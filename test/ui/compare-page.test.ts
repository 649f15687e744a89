import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, type PageOptions } from '../helpers/browser.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { eventually, goWithin, holdBack, restingScroll, scrolledBy, untilShown } from './screen.js';

/** What the system under test says, by case; `pass` is what its grader wants. */
interface Answers {
  readonly [id: string]: {
    readonly says: unknown;
    readonly pass: boolean;
    readonly dataset?: string;
  };
}

const evals = `
import { readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const answers = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8'));
export const all = Object.entries(answers).map(([name, { says, pass, dataset }]) =>
  evaluation({
    name,
    dataset: dataset ?? 'orders',
    input: 'ask ' + name,
    target: () => says,
    evaluators: [() => ({ key: 'exact', passed: pass })],
  }),
);
`;

const filler = Object.fromEntries(
  Array.from({ length: 80 }, (_, n) => [`filler_${n}`, { says: `Filler ${n}`, pass: true }]),
);
const asBefore = { says: { eligible: false }, pass: false, dataset: 'refunds' };
const base: Answers = {
  kept: { says: 'The same words', pass: true },
  'cancel[late]': { says: 'I cannot cancel it, it has left.', pass: true },
  refund: asBefore,
  gone: { says: 'only here', pass: true },
  ...filler,
};
const other: Answers = {
  'cancel[late]': { says: 'I have cancelled it, it has left.', pass: false },
  refund: { says: { eligible: true }, pass: true, dataset: 'refunds' },
  kept: { says: 'The same words', pass: true },
  fresh: { says: 'only there', pass: true },
  ...filler,
};

/** Case n calls a model once, in the second version 1, 2 or 3 times; the last one also calls a model without price. */
const calling = (url: string) => `
import { evaluation } from 'assay';
const ask = async (model: string) => {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('${url}/v1/chat/completions', { method: 'POST', body, headers });
  await response.text();
};
const version = Number(process.env.V ?? 1);
export const refund = evaluation({
  cases: Array.from({ length: 24 }, (_, n) => ({ id: 'c' + n, input: n })),
  target: async ({ input }) => {
    for (let n = 0; n <= (version === 2 ? input % 3 : 0); n += 1) await ask('gpt-5-mini');
    if (input === 23) await ask('tiny-judge');
    return 'sent back';
  },
  evaluators: [function exact({ output }) { return output === 'sent back'; }],
});
`;

describe('compare page', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let ids: { readonly base: string; readonly other: string; readonly third: string };
  const kept = keepPage(() => served.url);

  before(async () => {
    served = await ServedProject.start(
      { 'evals/a.eval.ts': evals, 'evals/answers.json': JSON.stringify(base) },
      { ui: builtUi, paths: ['evals'] },
    );
    const first = await served.runAll();
    const next = async (name: string, answers: Answers): Promise<string> => {
      served.project.write('evals/answers.json', JSON.stringify(answers));
      await served.post('/api/server/restart');
      await served.post('/api/runs/new?wait=true', { run_name: name });
      return (await served.active()).run_id;
    };
    ids = {
      base: first.run_id,
      other: await next('other', other),
      third: await next('third', { ...other, refund: asBefore }),
    };
  });

  const two = () => `run=${ids.base}&run=${ids.other}`;
  const three = () => `${two()}&run=${ids.third}`;
  const open = async (query: string, options?: PageOptions): Promise<Page> => {
    const page = await kept.open(`/compare?${query}`, options);
    await page.getByRole('heading', { level: 1, name: /^Compare/ }).waitFor();
    return page;
  };
  const rowsOf = (page: Page) => page.locator('[role=rowgroup] > [role=row]');
  const row = (page: Page, name: string) =>
    rowsOf(page).filter({ has: page.getByTitle(`evals/a.eval.ts::${name}`, { exact: true }) });
  const count = (page: Page) => page.locator('nav [role=status]').innerText();
  const until = (page: Page, part: string) =>
    page.waitForURL((url) => decodeURIComponent(url.search).includes(part));

  it('pairs by id, not by position, begins with what regressed, and says what may be chance', async () => {
    const page = await open(two());
    await rowsOf(page).first().waitFor();
    expect(await count(page)).to.equal('85 of 85 pairs');
    const first = await rowsOf(page).first().innerText();
    expect(first).to.contain('cancel[late]').and.to.contain('regressed');
    expect(await row(page, 'refund').innerText()).to.contain('fixed');
    expect(await page.getByRole('button', { name: '1 regressed in B' }).innerText()).to.equal('1');
    expect(await page.getByRole('button', { name: '2 only in one in B' }).innerText()).to.equal(
      '2',
    );
    expect(await page.getByRole('table', { name: 'Usage by run' }).count()).to.equal(0);
    await page.getByText(/Passes .* → .* % over 83 pairs \(.*\): too little data/).waitFor();
    await page.getByRole('button', { name: 'All differences' }).click();
    const dialog = page.getByRole('dialog', { name: 'All differences' });
    expect(await dialog.getByRole('row', { name: /^exact/ }).innerText()).to.contain('83');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('says which run an evaluation is in', async () => {
    const page = await open(`${three()}&change=only_base&change=only_other`);
    expect(await row(page, 'gone').innerText())
      .to.contain('only in A')
      .and.contain('not in this run');
    expect(await row(page, 'fresh').innerText()).to.contain('only in B and C');
    expect(await rowsOf(page).count()).to.equal(2);
    // A pill counts a pair once, in however many runs it is so.
    const regressed = page.locator('nav').getByRole('button', { name: /^regressed/ });
    await regressed.getByText('1', { exact: true }).waitFor();
  });

  it('shows outputs as what differs by words, or as they are, and sorts by what a score changed by', async () => {
    const page = await open(two());
    const cancel = row(page, 'cancel[late]');
    expect(await cancel.locator('del').innerText()).to.equal('cannot cancel');
    expect(await cancel.locator('ins').innerText()).to.equal('have cancelled');
    await page.keyboard.press('d');
    await until(page, 'diff=off');
    await cancel.getByText('I have cancelled it, it has left.').waitFor();
    expect(await cancel.locator('del').count()).to.equal(0);
    await page.getByRole('button', { name: 'exact', exact: true }).click();
    await until(page, 'sort=score:exact');
    const first = (name: string) => page.locator(`[data-index="0"] [title$="::${name}"]`).waitFor();
    await first('cancel[late]');
    await page.getByRole('button', { name: 'by exact' }).click();
    await page.getByRole('menuitem', { name: 'Reverse order' }).click();
    await first('refund');
  });

  it('shows the paths that differ in JSON, and grades the focused pair by keys', async () => {
    const page = await open(`${two()}&dataset=refunds`);
    const refund = row(page, 'refund');
    await refund.getByText('0 of 1 value is equal').waitFor();
    expect(await refund.locator('dt').allInnerTexts()).to.deep.equal(['eligible', 'eligible']);
    expect(await refund.locator('mark').allInnerTexts()).to.deep.equal(['true']);
    const grades = (run: number) =>
      refund.locator(`[data-run="${run}"]`).getByRole('group', { name: 'Verdict of exact' });
    expect(await grades(1).count()).to.equal(0);
    await page.keyboard.press('j');
    await grades(1).waitFor();
    await page.keyboard.press('2');
    await refund.getByText('changed', { exact: true }).waitFor();
    await page.keyboard.press('z');
    await refund.getByText('fixed', { exact: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await grades(0).waitFor();
    expect(await grades(1).count()).to.equal(0);
  });

  it('a number of the summary filters by it, and the address keeps that', async () => {
    const page = await open(three());
    await page.getByRole('button', { name: '1 fixed in B' }).click();
    await until(page, 'change=fixed:1');
    await page.locator('nav').getByText('1 of 85').waitFor();
    const cell = page.getByRole('button', { name: '1 fixed in B' });
    expect(await cell.getAttribute('aria-pressed')).to.equal('true');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.locator('nav').getByText('85 of 85').waitFor();
    await page.goBack();
    await page.locator('nav').getByText('1 of 85').waitFor();
  });

  it('runs are put in another order, taken away and added', async () => {
    const page = await open(two());
    await page.getByRole('button', { name: /^Run B, other/ }).click();
    await page.getByRole('menuitem', { name: /Make it the base/ }).click();
    await until(page, `run=${ids.other}&run=${ids.base}`);
    await row(page, 'cancel[late]').getByText('fixed').waitFor();
    await page.getByRole('button', { name: 'Add run' }).click();
    await page.getByRole('option', { name: /third/ }).click();
    await until(page, ids.third);
    await page.getByRole('columnheader', { name: 'third' }).waitFor();
    await page.getByRole('button', { name: 'Remove other' }).click();
    await page.waitForURL((url) => !url.search.includes(ids.other));
  });

  it('goes with keys: to a row, open and shut, to the result and back to the row', async () => {
    const page = await open(two());
    await rowsOf(page).first().waitFor();
    await page.getByText('too little data').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const focused = page.locator('[role=row]:focus');
    expect(await focused.getAttribute('data-index')).to.equal('1');
    await page.keyboard.press(' ');
    await page
      .locator('[role=row][aria-expanded=true]')
      .getByText('Open the result')
      .first()
      .waitFor();
    await page.keyboard.press('End');
    await page.locator('[role=row][data-index="84"]:focus').waitFor();
    expect(await rowsOf(page).count()).to.be.lessThan(60);
    const scrolled = await restingScroll(page, 20);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/runs\/\w+\/results\/\d+/);
    await page.goBack();
    await page.locator('[role=row][data-index="84"]:focus').waitFor();
    await eventually(
      () => scrolledBy(page),
      (at) => Math.abs(at - scrolled) < 4,
      `scrolled to ${scrolled}`,
    );
    await page.keyboard.press('k');
    expect(await focused.getAttribute('data-index')).to.equal('83');
  });

  it('a change elsewhere shows up', async () => {
    const page = await open(`run=${ids.base}&run=${ids.third}&search=kept`);
    await row(page, 'kept').getByText('same', { exact: true }).waitFor();
    const { rows } = (await served.get(`/api/runs/${ids.third}/rows?search=kept`)).body;
    const grade = (passed: boolean) =>
      served.patch(`/api/runs/${ids.third}/results/${rows[0].index}`, {
        result: { scores: [{ key: 'exact', passed }] },
      });
    try {
      await grade(false);
      await row(page, 'kept').getByText('regressed').waitFor();
    } finally {
      await grade(true);
    }
    await row(page, 'kept').getByText('same', { exact: true }).waitFor();
  });

  it('is shapes until the pairs are read, and shows them before the figures are worked out', async () => {
    const page = await kept.blank();
    const showFigures = await holdBack(page, '**/api/compare?**');
    const showPairs = await holdBack(page, '**/api/compare/**');
    await page.goto(`${served.url}/compare?${two()}`);
    const shapes = page.locator('main [aria-busy=true]').getByText('Reading the comparison');
    await shapes.waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Results esc' }).waitFor();
    showPairs();
    await row(page, 'refund').getByText('fixed').waitFor();
    expect(await shapes.count()).to.equal(0);
    const bars = page.getByRole('table', { name: 'Scores by run' });
    await bars.getByRole('button', { name: 'exact' }).waitFor();
    expect(await page.getByText('too little data').count()).to.equal(0);
    const top = await page.evaluate<number>('document.querySelector("nav").offsetTop');
    showFigures();
    await page.getByText(/Passes .*: too little data/).waitFor();
    const moved = await page.evaluate<number>('document.querySelector("nav").offsetTop');
    expect(Math.abs(moved - top)).to.be.at.most(24);
  });

  it('j and k in a result walk the pairs in their order, each in the run one is in while it is there', async () => {
    const page = await open(`${two()}&sort=score:exact`);
    const title = page.getByRole('heading', { level: 1 });
    const names = await Promise.all(
      [0, 1, 2].map((n) =>
        page.locator(`[role=row][data-index="${n}"] [title*="::"]`).first().getAttribute('title'),
      ),
    );
    const [first = '', second = '', third = ''] = names.map((name) => name?.split('::')[1]);
    const shows = (name: string) => title.filter({ hasText: name }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await shows(second);
    const run = new URL(page.url()).pathname.split('/')[2];
    await page.getByText('2 of 85 pairs').waitFor();
    await page.keyboard.press('j');
    await shows(third);
    expect(new URL(page.url()).pathname.split('/')[2]).to.equal(run);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await shows(first);
    await page.reload();
    await page.getByText('1 of 85 pairs').waitFor();
    await page.getByRole('link', { name: 'Compare esc' }).waitFor();
    await page.keyboard.press('Escape');
    await until(page, 'sort=score:exact');
    await row(page, first).waitFor();
  });

  it('one run, an unknown run and no match say what to do', async () => {
    const page = await open(`run=${ids.base}`);
    await page.getByRole('option', { name: /other/ }).click();
    await until(page, two());
    await goWithin(page, `/compare?run=${ids.base}&run=nope&run=${ids.other}`);
    await page.getByRole('heading', { name: 'No run nope' }).waitFor();
    await page.getByRole('button', { name: 'Go on without' }).click();
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing is so');
    await page.getByRole('heading', { name: 'No pair matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowsOf(page).first().waitFor();
  });

  it('has no pills that select nothing, and says of what is the same neither chance nor config', async () => {
    const same = (await served.post('/api/runs/new?wait=true', { run_name: 'same' })).body.run_id;
    const page = await open(`run=${ids.third}&run=${same}`);
    await page.getByText('The results are identical').waitFor();
    const filters = page.getByRole('navigation', { name: 'Filters' });
    await filters.getByRole('button', { name: /^same 84/ }).waitFor();
    expect(
      await filters.getByRole('button', { name: /^(regressed|fixed|changed|only)/ }).count(),
    ).to.equal(0);
    await page.getByText(/Passes as often: .* over 84 pairs/).waitFor();
    expect(await page.getByText('too little data').count()).to.equal(0);
    expect(await page.getByTitle('Run config default').count()).to.equal(0);
    await goWithin(page, `/compare?run=${ids.third}&run=${same}&change=regressed`);
    await page.getByText('No pair matches').waitFor();
    expect(await page.getByText('The results are identical').count()).to.equal(0);
  });
});

describe('the comparison of what calls used', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let provider: FakeProvider;
  const ids: string[] = [];
  const kept = keepPage(() => served.url);

  const compare = async (...versions: readonly number[]): Promise<Page> => {
    const query = versions.map((version) => `run=${ids[version]}`).join('&');
    const page = await kept.open(`/compare?${query}`);
    await page.getByRole('table', { name: 'Latency by run' }).waitFor();
    return page;
  };
  const texts = (page: Page, name: string) =>
    page.getByRole(`table`, { name }).getByRole('row').allInnerTexts();
  const words = (text: string) => text.replace(/\s+/g, ' ').trim();

  before(async () => {
    provider = await startFakeProvider();
    served = await ServedProject.start({ 'a.eval.ts': calling(provider.url) }, { ui: builtUi });
    // Of the first one, in this process, no call is seen.
    ids.push((await served.runAll()).run_id);
    for (const [V, ...recording] of [['1'], ['2', '--record'], ['2', '--offline']]) {
      const args = ['a.eval.ts', '--run-name', `v${ids.length}`, ...recording];
      ids.push((await served.project.run(args, { env: { V: String(V) } })).run.run_id);
    }
  });

  it('has totals by run, differences with intervals, and says what is left out', async () => {
    const page = await compare(1, 2);
    const [head, base, other] = (await texts(page, 'Usage by run')).map(words);
    expect(head).to.equal('run whole run cost model tokens calls');
    expect(base).to.match(/^A ≥ \$0\.\d+ 3\.8k 25$/);
    expect(other).to.match(/^B ≥ \$0\.\d+ 7\.3k 49$/);
    const summary = words(await page.getByRole('region', { name: 'Summary' }).innerText());
    expect(summary).to.match(/ost \+\$\S+, model tokens \+150, calls \+1, without a verdict\./);

    await page.getByRole('button', { name: 'All differences' }).click();
    const dialog = page.getByRole('dialog');
    const cellsOf = (name: RegExp) =>
      dialog.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts();
    await dialog
      .getByRole('row')
      .filter({ hasText: /^calls/ })
      .waitFor();
    expect(await cellsOf(/^calls/)).to.deep.equal([
      '+1',
      'no verdict',
      '',
      '',
      '+0.648 to +1.352',
      '1.042',
      '2.042',
      '24',
      '',
    ]);
    expect((await cellsOf(/^cost/)).slice(-2)).to.deep.equal(['23', '']);
    await dialog.getByText('Cost is compared without 1 case with calls of unknown cost.').waitFor();
    await dialog.getByText('Latency, cost, model tokens and calls get no verdict').waitFor();
    await page.keyboard.press('Escape');

    // By the increase: two more calls first, then one, and what is not known last.
    await page.getByRole('columnheader', { name: 'cost' }).getByRole('button').click();
    await page.waitForURL(/sort=cost&order=desc/);
    const first = page.locator('[role=rowgroup] > [role=row]').first();
    await first.getByText('[c2]', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^by cost/ }).click();
    await page.getByRole('menuitem', { name: 'calls' }).click();
    await page.waitForURL(/sort=calls&order=desc/);
  });

  it('has no difference when one run has none', async () => {
    const page = await compare(0, 2);
    expect((await texts(page, 'Usage by run')).map(words)[1]).to.equal('A – – –');
    const summary = page.getByRole('region', { name: 'Summary' });
    expect(await summary.innerText()).not.to.include('Cost ');
  });

  it('is folded where it is narrow, until it is opened', async () => {
    const page = await compare(0, 1, 2);
    await page.setViewportSize({ width: 400, height: 900 });
    const fold = page.getByRole('button', { name: /^Scores, changes, latency/ });
    expect(await fold.getAttribute('aria-expanded')).to.equal('false');
    const first = page.locator('[role=rowgroup] > [role=row]').first();
    expect((await first.boundingBox())?.y).to.be.below(560);
    await fold.click();
    await page.reload();
    await page.getByRole('table', { name: 'Usage by run' }).waitFor();
    await fold.click();
  });

  it('says what was replayed: no latency, cost in brackets; and filters by cost', async () => {
    const page = await compare(2, 3);
    expect(words((await texts(page, 'Latency by run'))[2] ?? '')).to.equal('B replayed – –');
    expect(words((await texts(page, 'Usage by run'))[2] ?? '')).to.match(
      /^B \$0\.00 \(≥ \$0\.\d+\) \(7\.3k\) 0 \(49\)$/,
    );
    const side = page.locator('[role=rowgroup] > [role=row]').first().getByRole('gridcell').last();
    expect(words(await side.innerText())).to.match(/replayed same output as A/);

    await goWithin(page, `/?run=${ids[3]}`);
    const row = page.getByRole('row').filter({ hasText: 'c2' }).first();
    await row.getByText('replayed').waitFor();
    expect(await row.locator('[data-cell=cost]').innerText()).to.match(/^\(0\.\d+\)$/);
    const replayed = page.getByRole('button', { name: /^\(\d+ replayed: 49 calls, ≥ \$0\.\d+\)$/ });
    await replayed.click();
    await page.waitForURL(/cost=replayed/);
    await untilShown(page, '24 of 24');

    await goWithin(page, `/?run=${ids[2]}`);
    await untilShown(page, '24 of 24');
    await page.keyboard.press('f');
    const panel = page.getByRole('dialog', { name: 'Filters' });
    const from = panel.getByRole('textbox', { name: 'Cost from' });
    await from.fill('-1');
    await page.keyboard.press('Enter');
    expect(await from.getAttribute('aria-invalid')).to.equal('true');
    await from.fill('0.0001');
    await page.keyboard.press('Enter');
    await page.waitForURL(/cost=0\.0001\.\./);
    await untilShown(page, '16 of 24');
    await panel.getByRole('textbox', { name: 'Cost below' }).fill('0.0002');
    await page.keyboard.press('Enter');
    await untilShown(page, '8 of 24');
    await panel.getByRole('button', { name: 'not priced' }).click();
    await page.waitForURL(/cost=unknown/);
    await untilShown(page, '9 of 24');
  });
});
