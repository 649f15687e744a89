import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { part, serveOrders } from './result-project.js';
import { eventually, goWithin } from './screen.js';

const hides = `
import { evaluation } from 'assay';
class Hidden { #text = 'hidden'; get text() { return this.#text; } }
export const hides = evaluation({ target: () => new Hidden() }, () => undefined);
`;

describe('the page of a result', () => {
  let served: ServedProject;
  let run: string;
  const kept = keepPage(() => served.url);
  const show = (path: string): Promise<Page> => kept.open(path);

  before(async function () {
    this.timeout(120_000);
    served = await serveOrders({ 'z.eval.ts': hides });
    run = (await served.runAll()).run_id;
  });

  it('shows input, output and reference as what they are, raw, and to copy', async () => {
    const page = await show(`/runs/${run}/results/1`);
    await page.getByRole('heading', { level: 1, name: 'cancel[twice]~2' }).waitFor();
    const input = part(page, 'Input');
    expect(await input.getByText('"A-7"').isVisible()).to.equal(true);
    await input.getByRole('button', { name: 'order' }).click();
    expect(await input.getByText('"A-7"').count()).to.equal(0);
    await input.getByRole('button', { name: 'Raw' }).click();
    expect(await input.locator('pre').innerText()).to.contain('"total": 42.5');
    await input.getByRole('button', { name: 'Copy input' }).click();
    await input.getByText('Copied').waitFor({ state: 'attached' });
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(copied)).to.deep.equal({
      order: { id: 'A-7', total: 42.5 },
      tools: ['get', 'cancel'],
    });
    expect(await part(page, 'Output').locator('strong').first().innerText()).to.equal('twice');
    expect(await part(page, 'Messages').innerText()).to.match(
      /cancel \{"id": "A-7"\}\s*\{"ok": true\}/,
    );
    const trace = page.getByRole('link', { name: 'Trace' });
    expect(await trace.getAttribute('href')).to.equal('https://traces.example/t/1');
    expect(await trace.getAttribute('rel')).to.contain('noopener');
    expect(await part(page, 'Logs').innerText()).to.contain('calling tools');
  });

  it('marks on demand what differs from the reference, and keeps doing so', async () => {
    const page = await show(`/runs/${run}/results/1`);
    await part(page, 'Output').waitFor();
    expect(await page.locator('mark').count()).to.equal(0);
    await page.keyboard.press('d');
    await page.locator('mark').first().waitFor();
    expect(await part(page, 'Output').locator('mark').allInnerTexts()).to.deep.equal([
      'twice',
      '84',
    ]);
    expect(await part(page, 'Reference').locator('mark').allInnerTexts()).to.deep.equal([
      'once',
      '42',
    ]);
    await page.keyboard.press('k');
    await page.getByRole('heading', { level: 1, name: '~1' }).waitFor();
    await part(page, 'Reference').getByText('equal to the output').waitFor();
    expect(await page.getByRole('switch').getAttribute('aria-checked')).to.equal('true');
    await page.getByRole('switch').click();
  });

  it('is shapes while it is read, and goes where keys said before its neighbours were known', async () => {
    const page = await kept.blank();
    const held: (() => void)[] = [];
    let isHolding = true;
    await page.route(/rows\/indices|\/results\/\d+(\?|$)/, async (route) => {
      const isPage = route.request().resourceType() === 'document';
      if (isHolding && !isPage) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto(`${served.url}/runs/${run}/results/3`);
    await eventually(
      async () => held.length,
      (count) => count > 1,
      'the result and its neighbours are asked for',
    );
    await page.getByRole('banner').getByRole('link', { name: 'Results' }).waitFor();
    const shapes = page.getByRole('main').locator('[aria-busy=true]');
    await shapes.getByText('Reading the result …').waitFor();
    for (const key of ['j', 'k', 'k', 'k']) await page.keyboard.press(key);
    isHolding = false;
    for (const resume of held) resume();
    await page.waitForURL(`${served.url}/runs/${run}/results/1`);
    await page.getByRole('heading', { level: 1, name: '~2' }).waitFor();
    expect(await shapes.count()).to.equal(0);
    // Beyond the first there is nothing to wait for.
    for (const key of ['k', 'k', 'k', 'j']) await page.keyboard.press(key);
    await page.waitForURL(`${served.url}/runs/${run}/results/1`);
  });

  it('shows an error in the place of the output, with its stack, and earlier attempts', async () => {
    await served.post('/api/runs/rerun?wait=true', { run_id: run, indices: [2] });
    const page = await show(`/runs/${run}/results/2`);
    const error = part(page, 'Error');
    await error.getByText('the tool answered 503').waitFor();
    expect(await error.locator('b').innerText()).to.equal('ToolError');
    expect(await error.locator('pre').innerText()).to.contain('orders.eval.ts');
    expect(await part(page, 'Output').count()).to.equal(0);
    const attempts = part(page, 'Attempts');
    expect(await attempts.getByRole('group', { name: 'Error of attempt 1' }).isVisible()).to.equal(
      true,
    );
    await attempts.getByRole('button', { name: 'ended in an error', expanded: true }).click();
    expect(await attempts.getByRole('group').count()).to.equal(0);
  });

  it('shows pictures and conversations, and long values in part', async () => {
    const page = await show(`/runs/${run}/results/3`);
    const picture = page.getByRole('img', { name: 'Input' });
    await picture.waitFor();
    expect(await page.evaluate('document.querySelector("main img").naturalWidth')).to.equal(10);
    expect(await part(page, 'Output').innerText()).to.contain('assistant');
    await page.keyboard.press('j');
    const input = part(page, 'Input');
    const all = input.getByRole('button', { name: 'Show all 45,000 characters' });
    await all.waitFor();
    expect((await input.innerText()).length).to.be.below(7000);
    await all.click();
    expect((await input.innerText()).length).to.be.above(44_000);
    const output = part(page, 'Output');
    expect(await output.getByRole('listitem').count()).to.equal(101);
    await output.getByRole('button', { name: 'Show 300 more of 400' }).click();
    expect(await output.getByRole('listitem').count()).to.equal(400);
  });

  it('walks through the rows of the filter, and back to them', async () => {
    const page = await show(`/runs/${run}/results/1?status=failed&status=error`);
    await page.getByText('1 of 3 failing').waitFor();
    await page.keyboard.press('j');
    await page.getByText('2 of 3 failing').waitFor();
    expect(page.url()).to.contain(`/results/2?`);
    await page.keyboard.press('ArrowDown');
    await page.getByText('3 of 3 failing').waitFor();
    await page.keyboard.press('j');
    expect(page.url()).to.contain('/results/3?');
    await page.keyboard.press('ArrowUp');
    await page.getByText('2 of 3 failing').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(`${served.url}/?run=${run}&status=failed&status=error`);
  });

  it('leads to the other trials', async () => {
    const page = await show(`/runs/${run}/results/1`);
    const trials = page.getByRole('navigation', { name: 'Trials' });
    await trials.waitFor();
    expect(await trials.innerText()).to.contain('1 of 3 passed');
    expect(await trials.locator('[aria-current=page]').innerText()).to.contain('~2');
    await trials.getByRole('link', { name: '~1' }).click();
    await page.getByRole('heading', { level: 1, name: '~1' }).waitFor();
  });

  it('changes by itself when the result changes elsewhere', async () => {
    const page = await show(`/runs/${run}/results/4`);
    await part(page, 'Annotation').waitFor();
    await served.patch(`/api/runs/${run}/results/4`, { result: { annotation: 'from elsewhere' } });
    await part(page, 'Annotation').getByText('from elsewhere').waitFor();
    await goWithin(page, `/runs/${run}/results/5`);
    served.project.write('hold', '');
    await page.getByRole('button', { name: 'Rerun' }).click();
    await part(page, 'Output').getByText('It is running.').waitFor();
    served.project.remove('hold');
    await part(page, 'Output').getByText('late', { exact: true }).waitFor();
    await part(page, 'Attempts').waitFor();
  });

  it('says what is missing: of its output, and of an address', async () => {
    const hidden = await show(`/runs/${run}/results/6`);
    const warnings = part(hidden, 'Warnings').getByRole('listitem');
    await warnings.first().waitFor();
    expect(await warnings.allInnerTexts()).to.deep.equal([
      'the output is an instance of Hidden, whose content cannot be stored',
    ]);
    expect(await part(hidden, 'Trace data').count()).to.equal(0);
    const page = await show(`/runs/${run}/results/400`);
    await page.getByRole('heading', { name: /^No result 400 in / }).waitFor();
    await page.getByText('The run has results 0 to 6.').waitFor();
    await goWithin(page, `/runs/${run}/results/one`);
    await page.getByRole('heading', { name: /^No result one in / }).waitFor();
    await goWithin(page, '/runs/000000000000/results/0');
    await page.getByRole('heading', { name: 'No run 000000000000' }).waitFor();
    await goWithin(page, '/runs/nonsense/results/0');
    await page.getByRole('heading', { name: 'No run nonsense' }).waitFor();
  });
});
