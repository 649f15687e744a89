import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { StoredCalls } from '../../src/model/calls/stored-calls.js';
import { builtUi } from '../helpers/browser.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { ServedProject } from '../helpers/served-project.js';
import { at, serveCalls } from './calls-project.js';
import { looksWell } from './looks.js';
import { open, part } from './result-project.js';
import { cutBy, eventually, goWithin } from './screen.js';

describe('the calls of a result', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let provider: FakeProvider;
  let run: string;
  let page: Page;
  let faults: readonly string[];

  const show = async (which: keyof typeof at): Promise<void> => {
    await goWithin(page, `/runs/${run}/results/${at[which]}`);
    await page.getByRole('heading', { level: 1, name: which }).waitFor();
  };
  const rows = () => page.getByRole('treegrid').locator('[role=row][aria-level]');
  /** The row of a call or tool, by a part of what it says. */
  const rowOf = (text: string) => rows().filter({ hasText: text }).first();
  const words = (text: string) => text.replace(/\s+/g, ' ').trim();

  before(async () => {
    ({ served, provider } = await serveCalls());
    run = (await served.runAll()).run_id;
    // The late call is stored after the end of the run.
    await eventually(
      async () =>
        (await served.get(`/api/runs/${run}/results/${at.late}`)).body.result.result.calls,
      (calls) => calls?.[0]?.late === true,
      'the late call',
    );
    ({ page, faults } = await open(served, `/runs/${run}/results/${at.cancel}`));
  });
  // Each result is shown by the page that has shown the one before.
  beforeEach(() => page.setViewportSize({ width: 1440, height: 900 }));
  afterEach(() => {
    expect(faults).to.deep.equal([]);
  });

  it('are on a timeline by who made them, with tries, errors, tokens and cost', async () => {
    await show('cancel');
    await rows().first().waitFor();
    const lines = (await rows().allInnerTexts()).map(words);
    const shapes = [
      /^target [\d.]+ to [\d.]+ s .* 400 480 120 0\.000\d+$/,
      /^gpt-4o-mini .* waited [\d.]+ m?s none 429$/,
      /^gpt-4o-mini 2nd try .* 100 120 30 0\.000\d+ → weather$/,
      /^GET 127\.0\.0\.1:\d+\/orders\/A-7 .* 404$/,
      /^gpt-4o-mini .* 2 tool calls$/,
      /^GET /,
      /^gpt-4o-mini .* stop$/,
      /^gpt-4o-mini .* first token after .* stop$/,
      /^evaluators .* 300 360 90 ≥ 0\.000\d+$/,
      /^correctness gpt-5 .* 100 120 30 0\.000\d+ stop$/,
      /^grounded .* 200 240 60 ≥ 0\.000\d+$/,
      /^gpt-5 .* 0\.000\d+ stop$/,
      /^tiny-judge .* not priced stop$/,
      /^broken gpt-5-mini-fake-broken .* none 500$/,
      /^halved gpt-5-mini-fake-cut .* unknown broken off$/,
    ];
    expect(lines).to.have.length(shapes.length);
    for (const [n, shape] of shapes.entries()) expect(lines[n]).to.match(shape);
    const facts = words(await page.locator('main').innerText());
    expect(facts).to.contain('≥ $0.00079 10 calls');
    expect(words(await part(page, 'Calls').innerText())).to.match(
      /10 to models (≥ )?[\d.]+ m?s, 2 others/,
    );
    const used = words(await part(page, 'Usage').innerText());
    expect(used).to.match(/target 5 480 400 120 40 0\.0001\d* /);
    expect(used).to.match(/evaluators 5 360 300 90 30 ≥ 0\.000\d+ /);
    expect(used).to.contain(
      '1 call is not priced: tiny-judge, 1 call reported no tokens: gpt-5-mini-fake-cut; give the price of the model under prices in assay.yaml. These figures are lower bounds.',
    );
    const outcome = rows().getByTitle('→ weather', { exact: true });
    const cut = await outcome.evaluate(cutBy);
    expect(cut, 'a cut name of a tool').to.equal(0);
    await page.setViewportSize({ width: 360, height: 900 });
    const title = page.getByRole('heading', { level: 2, name: 'Calls' }).getByRole('button');
    expect(await title.evaluate(cutBy), 'a cut title').to.equal(0);
    await looksWell(page, 'the timeline');
  });

  it('open by keyboard to what is new, the answer, raw JSON and a command without keys', async () => {
    await show('cancel');
    await rowOf('target').focus();
    for (let n = 0; n < 4; n += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const request = page.getByRole('region', { name: 'Request' });
    expect(words(await request.innerText())).to.match(
      /^Request what is new since call 2 11 earlier messages 1 system, 6 user, 4 assistant call weather \{"city": "Wien"\} \{"ok": true\} temperature 0\.2 max_tokens 800 2 tools weather, time$/,
    );
    const answer = page.getByRole('region', { name: 'Response' });
    expect(words(await answer.innerText())).to.contain(
      'call time {"zone": "a"} call time {"zone": "b"}',
    );
    await request.getByRole('button', { name: '11 earlier messages' }).click();
    await request.getByText('You cancel orders.').waitFor();
    await request.getByRole('button', { name: '2 tools' }).click();
    await request.getByRole('list', { name: 'Tools' }).waitFor();

    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('The command is in the clipboard.').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).to.match(
      /^curl -X POST "http:\/\/127.0.0.1:\d+\/v1\/chat\/completions\?api-key=\$API_KEY"/,
    );
    expect(command).to.contain('-H "Authorization: Bearer $OPENAI_API_KEY"');
    const { request: sent } =
      provider.exchanges.filter(({ model }) => model === 'gpt-4o-mini')[2] ?? {};
    const body = /-d '(.*)'$/s.exec(command)?.[1] ?? '';
    expect(JSON.parse(body)).to.deep.equal(JSON.parse(String(sent?.body)));

    await page.getByRole('group', { name: 'Call as' }).getByRole('button', { name: 'Raw' }).click();
    const raw = await page.getByRole('treegrid').locator('pre').innerText();
    expect(JSON.parse(raw)).to.deep.include({ number: 4, role: 'target', status: 200 });
    expect(raw).not.to.contain('canary-secret');
    await page.keyboard.press('Escape');
    await request.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-rowindex')).to.equal('6');
    await page.keyboard.press('ArrowLeft');
    expect(words(await page.locator(':focus').innerText())).to.match(/^target/);
    // The page was not left.
    expect(page.url()).to.contain(`/results/${at.cancel}`);
  });

  it('say what went wrong, and what is not read', async () => {
    await show('cancel');
    await rowOf('halved').click();
    await page.getByText('The stream broke off: this is what had come.').waitFor();
    await rowOf('429').click();
    await page.getByText('Too many requests, slow down').waitFor();
    expect(await page.getByText('The stream broke off').count()).to.equal(0);
    await rowOf('orders/A-7').click();
    await page.getByText('Not a call of a model: its bodies are not kept.').waitFor();
    await show('late');
    await rowOf('gpt-5-mini-fake-late').click();
    await page.getByText('It ended after its attempt.').waitFor();
    expect(words(await rowOf('gpt-5-mini-fake-late').innerText())).to.match(/not priced late$/);
    expect(await page.getByText('Cost not known').count()).to.equal(1);
  });

  it('are a conversation and raw text too, one key away, and stay so', async () => {
    await show('cancel');
    await rows().first().waitFor();
    await page.keyboard.press('m');
    const calls = part(page, 'Calls');
    await calls.getByText('You cancel orders.').waitFor();
    const run = calls.getByRole('button', { name: '3 calls weather, time ×2' });
    await run.focus();
    await page.keyboard.press('Enter');
    expect(words(await calls.innerText())).to.match(
      /weather \{"city": "Wien"\} \{"ok": true\} .*Done\./,
    );
    await page.keyboard.press('m');
    await calls.locator('pre').getByText('"number": 1').first().waitFor();
    await page.keyboard.press('m');
    await rows().first().waitFor();
  });

  it('leave the messages that an evaluation has given where they were', async () => {
    await show('own');
    await rows().first().waitFor();
    expect(words(await part(page, 'Messages').innerText())).to.contain('Said by hand.');
    const looks = part(page, 'Calls').getByRole('group', { name: 'Calls as' });
    expect(words(await looks.innerText())).to.equal('Timeline Raw');
    await show('silent');
    expect(await part(page, 'Calls').count()).to.equal(0);
    expect(await part(page, 'Usage').count()).to.equal(0);
  });

  it('stay quick when there are 200, with long texts', async () => {
    await show('many');
    await rows().first().waitFor();
    expect(await page.getByRole('treegrid').getAttribute('aria-rowcount')).to.equal('202');
    expect(await rows().count()).to.be.below(120);
    await rows().first().focus();
    await page.keyboard.press('End');
    await eventually(
      () => page.evaluate<string | null>("document.activeElement.getAttribute('aria-rowindex')"),
      (index) => index === '202',
      'the last row has the focus',
    );
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: 'Request' })
      .getByText(/earlier messages/)
      .waitFor();
    await page.getByText('The texts of these calls were too long').waitFor();
    await page.keyboard.press('m');
    const questions = part(page, 'Calls').getByText(/^Question \d+$/);
    await questions.first().waitFor();
    expect(await questions.count()).to.be.below(120);
    await page.keyboard.press('m');
    await part(page, 'Calls')
      .getByRole('button', { name: /^Show all [\d,]+ characters/ })
      .waitFor();
    await page.keyboard.press('m');
  });

  it('are summed up on the dashboard, with columns, order and a filter for what has no price', async () => {
    await goWithin(page, `/?run=${run}`);
    const results = page.getByRole('grid', { name: 'Results' }).getByRole('row');
    const line = page.getByRole('region', { name: /^Summary/ });
    await line.getByText('calls not priced').waitFor();
    expect(words(await line.innerText())).to.match(
      /≥ \$0\.0\d+ target ≥ \$0\.0\d+ evaluators ≥ \$0\.000\d+ 228 calls ≥ 27k tokens in \(23k cached\), 6.8k out 2 calls not priced: .*, 1 call reported no tokens: gpt-5-mini-fake-cut/,
    );
    const cells = async (name: string, id: string) =>
      words(
        await page
          .getByRole('row')
          .filter({ hasText: name })
          .locator(`[data-cell=${id}]`)
          .first()
          .innerText(),
      );
    expect(await cells('cancel', 'calls')).to.equal('10');
    expect(await cells('cancel', 'tokens')).to.equal('≥ 1.1k');
    expect(await cells('cancel', 'cost')).to.equal('≥ 0.00079');
    expect(await cells('late', 'cost')).to.equal('not priced');
    expect(await cells('silent', 'calls')).to.equal('');
    await page.getByRole('columnheader', { name: 'Cost $' }).getByRole('button').first().click();
    await page.waitForURL(/sort=cost/);
    await results.nth(1).filter({ hasText: 'many' }).waitFor();
    await results.nth(3).filter({ hasText: 'cancel' }).waitFor();
    await line.getByRole('button', { name: /^2 calls not priced/ }).click();
    await page.waitForURL(/cost=unknown/);
    await results.filter({ hasText: 'many' }).waitFor({ state: 'detached' });
    expect(await results.count()).to.equal(3);
    await looksWell(page, 'counts of scores above what calls cost');
  });

  it('have bars of the tools that ran between them, which open to what they did', async () => {
    await show('tools');
    await rowOf('refund').waitFor();
    const lines = (await rows().allInnerTexts()).map(words);
    const shapes = [
      /^target /,
      /^gpt-5-mini .* 3 tool calls$/,
      /^refund [\d.]+ to [\d.]+ s [\d.]+$/,
      /^refund .* A-8 was never paid$/,
      /^refund .* ok: false$/,
      /^gpt-5-mini .* stop$/,
    ];
    expect(lines).to.have.length(shapes.length);
    for (const [n, shape] of shapes.entries()) expect(lines[n]).to.match(shape);
    expect(words(await part(page, 'Calls').innerText())).to.match(
      /2 to models [\d.]+ m?s, 3 to tools [\d.]+ m?s/,
    );
    await rows().nth(2).focus();
    await page.keyboard.press('Enter');
    const told = (name: string) => page.getByRole('region', { name });
    expect(words(await told('Arguments').innerText())).to.match(/order "A-7"$/);
    expect(words(await told('Result').innerText())).to.match(/ok true amount 42.5$/);
    await page.keyboard.press('Escape');
    await rows().nth(3).click();
    await page.getByText('A-8 was never paid').nth(1).waitFor();
  });

  it('fold the tools of their steps on a long timeline, and open them by keyboard and mouse', async () => {
    await show('steps');
    await rows().first().waitFor();
    expect(await rows().count()).to.equal(15);
    const grid = page.getByRole('treegrid');
    expect(await grid.getAttribute('aria-rowcount')).to.equal('16');
    expect(words(await rows().nth(1).innerText())).to.match(/^gpt-5-mini 2 spans /);
    expect(words(await rows().nth(4).innerText())).to.match(/^gpt-5-mini 2 spans, 1 failed /);
    await rows().nth(1).focus();
    await page.keyboard.press('ArrowRight');
    await rowOf('orders.find').waitFor();
    expect(await rows().count()).to.equal(17);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(words(await page.locator(':focus').innerText())).to.match(/orders\.refund /);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Attributes' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator(':focus').getAttribute('aria-rowindex')).to.equal('3');
    await page.keyboard.press('ArrowLeft');
    expect(await rows().count()).to.equal(15);
    await rows().nth(4).getByRole('button', { name: '2 spans, 1 failed' }).click();
    await rowOf('no such order').waitFor();
  });

  it('leave a timeline of spans where none was made', async () => {
    await show('spans');
    await rowOf('plan').waitFor();
    const lines = (await rows().allInnerTexts()).map(words);
    const shapes = [
      /^target /,
      /^plan /,
      /^look up /,
      /^quick .* <?0\.\d{2,3}$/,
      /^fails .* no such order$/,
    ];
    expect(lines).to.have.length(shapes.length);
    for (const [n, shape] of shapes.entries()) expect(lines[n]).to.match(shape);
    const levels = await Promise.all(
      (await rows().all()).map((row) => row.getAttribute('aria-level')),
    );
    expect(levels).to.deep.equal(['1', '2', '3', '3', '2']);
    expect(words(await part(page, 'Calls').innerText())).to.contain('4 spans, none to a model');
    await rows().nth(1).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const attributes = page.getByRole('region', { name: 'Attributes' });
    expect(words(await attributes.innerText())).to.match(/order "A-7"$/);
    // Without a call of a model there is nothing to say of tokens and cost.
    const heads = page.getByRole('treegrid').getByRole('columnheader');
    expect((await heads.allInnerTexts()).map(words)).to.have.length(3);
    expect(await page.getByRole('treegrid').getAttribute('aria-colcount')).to.equal('3');
    const { body } = await served.get(`/api/runs/${run}/results/${at.silent}?calls=false`);
    expect(body).not.to.have.property('has_calls');
  });

  it('are answered with each text once', async () => {
    const { body, text } = await served.get(`/api/runs/${run}/results/${at.many}/calls`);
    const { calls, texts } = body as StoredCalls;
    expect(calls).to.have.length(200);
    expect(texts.length).to.be.below(440);
    expect(text.length).to.be.below(3_000_000);
    const { result } = (await served.get(`/api/runs/${run}/results/${at.many}?calls=false`)).body
      .result;
    expect(result).not.to.have.any.keys('calls');
    expect(result.trace_data).not.to.have.any.keys('messages');
    expect(result.usage.calls).to.equal(200);
    expect((await served.get(`/api/runs/${run}/results/${at.silent}/calls`)).body).to.deep.equal({
      calls: [],
      texts: [],
    });
    expect((await served.get(`/api/runs/${run}/results/99/calls`)).status).to.equal(404);
  });

  it('show the budget of a run in progress, for how long calls and results were held, and go on with a higher budget', async () => {
    await using slow = await startFakeProvider(() => ({ delay: 100 }));
    const evals = `
      import { existsSync } from 'node:fs';
      import { evaluation } from 'assay';
      const ask = async (content: string, model = 'gpt-5-mini') => {
        const body = JSON.stringify({ model, messages: [{ role: 'user', content }] });
        const response = await fetch('${slow.url}/v1/chat/completions', { method: 'POST', body });
        await response.text();
      };
      export const held = evaluation({ target: () => Promise.all([ask('a'), ask('b')]) }, () => {});
      export const queued = evaluation({ target: () => ask('c') }, () => {});
      export const last = evaluation({}, async () => {
        while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
      });
      export const strange = evaluation({
        target: async () => { await ask('d', 'my-model'); await ask('e', 'my-model'); },
      });
    `;
    const files = { 'a.eval.ts': evals, 'assay.yaml': 'rates:\n  gpt-5*: { at_once: 1 }\n' };
    const own = await ServedProject.start(files, { ui: builtUi, hosts: true });
    const known = { max_cost: 0.001, indices: [0, 1, 2] };
    expect((await own.post('/api/runs/new', known)).status).to.equal(200);
    const { run_id } = await own.until(({ total_passed }) => total_passed === 2);
    await page.goto(`${own.url}/?run=${run_id}`);
    const line = page.getByRole('region', { name: /^Summary/ });
    await line.getByText('of $0.0010').waitFor();
    await line.getByRole('img', { name: /^[1-9]\d % of max_cost spent$/ }).waitFor();
    expect((await own.active()).state).to.equal('running');
    own.project.write('go', '');
    await own.until(({ state }) => state === 'finished');

    await goWithin(page, `/runs/${run_id}/results/0`);
    await rows().nth(2).waitFor();
    const [, first, second] = (await rows().allInnerTexts()).map(words);
    expect(first).to.not.match(/waited/);
    expect(second).to.match(/, waited [\d.]+ (s|ms) before .*, waited [\d.]+ (s|ms) /);

    await goWithin(page, `/runs/${run_id}/results/1`);
    await page.getByText(/\d (ms|s) · waited \d[\d.]* (ms|s)/).waitFor();

    await own.post('/api/runs/new?wait=true', { max_cost: 5, indices: [3] });
    await goWithin(page, `/?run=${(await own.active()).run_id}`);
    const banner = page.getByRole('status').filter({ hasText: 'cannot be kept' });
    expect(words(await banner.innerText())).to.equal(
      'The budget of $5.00 cannot be kept: 1 call is not priced: my-model; give the price of the model under prices in assay.yaml; 1 of 4 waits. $ Resume 1',
    );
    expect(await banner.getByRole('textbox', { name: 'Budget' }).inputValue()).to.equal('5');

    const indices = [1, 0];
    await own.post('/api/runs/new?wait=true', { max_cost: 0.00001, indices });
    const ended = (await own.get('/api/active-run')).body;
    expect(ended.budget).to.include({ max_cost: 0.00001 });
    await goWithin(page, `/?run=${ended.run_id}`);
    const stopped = page.getByRole('status').filter({ hasText: 'Stopped at the budget.' });
    expect(words(await stopped.innerText())).to.match(
      /^Stopped at the budget\. \$0\.000\d+ spent of \$0\.000\d+; \d+ of \d+ waits?\. \$ Resume \d+$/,
    );
    const field = stopped.getByRole('textbox', { name: 'Higher budget' });
    await field.fill('0.00001');
    expect(await stopped.getByRole('button', { name: /^Resume/ }).isDisabled()).to.equal(true);
    await field.fill('1');
    await page.keyboard.press('Enter');
    await stopped.waitFor({ state: 'detached' });
    const spent = page.getByRole('region', { name: /^Summary/ });
    await spent.getByText(/of \$1\.00/).waitFor();
    await spent.getByRole('img', { name: /^\d+ % of max_cost spent$/ }).waitFor();
    await eventually(
      async () => (await own.get(`/api/runs/${ended.run_id}`)).body,
      ({ state, budget }) => state === 'finished' && budget === undefined,
      'the rest of the run',
    );
  });
});
