import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { part, serveOrders } from './result-project.js';
import { eventually, goWithin } from './screen.js';

const more = `
import { evaluation } from 'assay';
class Hidden { #text = 'hidden'; get text() { return this.#text; } }
export const hides = evaluation({ target: () => new Hidden() }, () => undefined);
export const draw = evaluation({
  target: () => 'drawn: ' + Math.random(),
  evaluators: [function right() { return true; }],
});
`;

describe('the page of a result', () => {
  let served: ServedProject;
  let run: string;
  const kept = keepPage(() => served.url);
  const show = (path: string): Promise<Page> => kept.open(path);

  before(async function () {
    this.timeout(120_000);
    served = await serveOrders({ 'z.eval.ts': more, 'assay.yaml': 'editor: vscode\n' });
    run = await served.activeId();
  });

  it('says in plain words what the server refuses', async () => {
    const page = await show(`/runs/${run}/results/0`);
    await part(page, 'Output').getByText('has not been run').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.type('too early');
    await page.keyboard.press('Control+Enter');
    const alert = part(page, 'Annotation').getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).to.match(/not (?:been )?started/);
    expect(await page.getByRole('textbox').inputValue()).to.equal('too early');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await part(page, 'Output').getByText('once').waitFor();
    await served.until(({ state }) => state === 'finished');
  });

  describe('that has been run', () => {
    before(() => served.runAll());

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
      await page.keyboard.press('y');
      await page.getByText('The link is in the clipboard.').waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).to.equal(page.url());
      await input.getByRole('button', { name: 'Copy case as TypeScript' }).click();
      await input.getByText('Copied').last().waitFor({ state: 'attached' });
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).to.contain(
        "input: { order: { id: 'A-7', total: 42.5 }, tools: ['get', 'cancel'] }",
      );
      expect(await part(page, 'Output').locator('strong').first().innerText()).to.equal('twice');
      expect(await part(page, 'Messages').innerText()).to.match(
        /cancel \{"id": "A-7"\}\s*\{"ok": true\}/,
      );
      const trace = page.getByRole('link', { name: 'Trace' });
      expect(await trace.getAttribute('href')).to.equal('https://traces.example/t/1');
      expect(await trace.getAttribute('rel')).to.contain('noopener');
      expect(await part(page, 'Logs').innerText()).to.contain('calling tools');
    });

    it('begins where a failing output differs from the reference, unless that was turned off', async () => {
      const page = await show(`/runs/${run}/results/1`);
      await page.locator('mark[data-current]').first().waitFor();
      expect(await page.locator('mark[data-current]').allInnerTexts()).to.deep.equal([
        'twice',
        'once',
      ]);
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
      expect(await page.getByRole('switch').getAttribute('aria-checked')).to.equal('false');
      await page.keyboard.press('j');
      await page.locator('mark').first().waitFor();
      await page.keyboard.press('d');
      await page.locator('mark').first().waitFor({ state: 'detached' });
      for (const key of ['k', 'j']) await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name: '~2' }).waitFor();
      expect(await page.locator('mark').count()).to.equal(0);
    });

    it('is graded by keys, and each verdict can be taken back', async () => {
      const page = await show(`/runs/${run}/results/1`);
      const scores = part(page, 'Scores');
      const verdictOf = (key: string) =>
        scores.getByRole('group', { name: `Verdict of ${key}` }).waitFor();
      const stored = async () =>
        (await served.get(`/api/runs/${run}/results/1`)).body.result.result.scores;
      const given = await stored();
      await verdictOf('correct');
      await page.keyboard.press('1');
      await scores.getByText('was failed').waitFor();
      await scores.getByText('by hand, now').waitFor();
      expect((await stored())[0]).to.deep.equal({ ...given[0], passed: true, source: 'human' });
      await page.keyboard.press('u');
      await scores.getByText('was passed, by hand').waitFor();
      expect(await stored()).to.deep.equal(given);

      await page.keyboard.press('s');
      await verdictOf('tone');
      await page.keyboard.press('2');
      await scores.getByText('was without a verdict').waitFor();
      // What is typed is no verdict.
      await page.keyboard.press('n');
      await scores.getByRole('textbox', { name: 'notes' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('1 z u');
      await page.keyboard.press('Escape');
      expect((await stored()).at(-1)).to.include({ passed: false, source: 'human' });
      for (const key of ['z', 'z', 'z']) await page.keyboard.press(key);
      await verdictOf('correct');
      await scores.getByText(/^was /).waitFor({ state: 'detached' });
      expect(await stored()).to.deep.equal(given);
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: '~3' }).waitFor();
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

    it('is printed without what can only be pressed', async () => {
      const page = await show(`/runs/${run}/results/0`);
      await page.emulateMedia({ media: 'print' });
      const annotation = part(page, 'Annotation');
      await annotation.getByText('None yet.').waitFor();
      expect(await annotation.innerText()).not.to.contain('writes one');
      expect(await page.getByRole('button', { name: /^Copy/ }).count()).to.equal(0);
      await page.emulateMedia({ media: null });
    });

    it('shows an error in the place of the output, with its stack, and earlier attempts', async () => {
      await served.post('/api/runs/rerun?wait=true', { run_id: run, indices: [2] });
      const page = await show(`/runs/${run}/results/2`);
      const error = part(page, 'Error');
      await error.getByText('the tool answered 503').waitFor();
      expect(await error.locator('b').innerText()).to.equal('ToolError');
      expect(await error.locator('pre').innerText()).to.match(
        /^at \S+ \(orders\.eval\.ts:\d+:\d+\)/,
      );
      const frame = error.getByRole('link').first();
      expect(await frame.getAttribute('href')).to.match(
        /^vscode:\/\/file\/.+\/orders\.eval\.ts:\d+:\d+$/,
      );
      expect(await part(page, 'Output').count()).to.equal(0);
      const attempts = part(page, 'Attempts');
      await attempts.getByRole('group', { name: 'Error of attempt 1' }).waitFor();
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
      await served.patch(`/api/runs/${run}/results/4`, {
        result: { annotation: 'from elsewhere' },
      });
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
      await page.getByText('The run has results 0 to 7.').waitFor();
      await goWithin(page, `/runs/${run}/results/one`);
      await page.getByRole('heading', { name: /^No result one in / }).waitFor();
      await goWithin(page, '/runs/000000000000/results/0');
      await page.getByRole('heading', { name: 'No run 000000000000' }).waitFor();
      await goWithin(page, '/runs/nonsense/results/0');
      await page.getByRole('heading', { name: 'No run nonsense' }).waitFor();
    });
  });

  describe('that is edited', () => {
    let edited: string;
    /** Shows a result of a run of its own. */
    const showToEdit = async (index: number, query = ''): Promise<Page> => {
      edited = (await served.post('/api/runs/new?wait=true', {})).body.run_id;
      const page = await show(`/runs/${edited}/results/${index}${query}`);
      await part(page, 'Scores').waitFor();
      return page;
    };
    const stored = async (index: number) =>
      (await served.get(`/api/runs/${edited}/results/${index}`)).body.result.result;

    it('changes a score in place, and tells so in the history', async () => {
      const page = await showToEdit(1);
      const scores = part(page, 'Scores');
      await scores.getByRole('button', { name: 'Edit correct' }).click();
      const form = scores.getByRole('form', { name: 'Edit correct' });
      await form.getByText('pass', { exact: true }).click();
      await form.getByLabel('value').fill('0.9');
      await form.getByLabel('notes').fill('good enough');
      await page.keyboard.press('Control+Enter');
      await scores.getByText('by hand').waitFor();
      expect((await stored(1)).scores[0]).to.deep.equal({
        key: 'correct',
        passed: true,
        value: 0.9,
        notes: 'good enough',
        source: 'human',
      });
      await page.getByRole('img', { name: 'passed' }).first().waitFor();
      const history = part(page, 'Correction history').getByRole('listitem');
      expect(await history.count()).to.equal(1);
      expect((await history.innerText()).replace(/\s+/g, ' ')).to.match(
        /^correct failed ?→ ?passed 0\.9 .*, by hand$/,
      );
    });

    it('adds a score, says what is wrong by the field, and removes one', async () => {
      const page = await showToEdit(0);
      const scores = part(page, 'Scores');
      await scores.getByRole('button', { name: 'Add' }).click();
      const form = scores.getByRole('form', { name: 'New score' });
      await page.keyboard.type('tone');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByRole('alert').getByText('There is another score with this key.').waitFor();
      await form.getByLabel('key').fill('grounded');
      await form.getByRole('alert').getByText('A score needs pass or fail, or a value.').waitFor();
      await form.getByLabel('value').fill('0.25');
      await page.keyboard.press('Control+Enter');
      await form.waitFor({ state: 'detached' });
      await scores.getByText('grounded').waitFor();
      await scores.getByRole('button', { name: 'Edit tone' }).click();
      await scores.getByRole('button', { name: 'Remove score' }).click();
      await scores.getByRole('form').waitFor({ state: 'detached' });
      expect(await scores.getByText('tone').count()).to.equal(0);
      const { scores: now } = await stored(0);
      expect(now.map(({ key }: { key: string }) => key)).to.deep.equal(['correct', 'grounded']);
      // What was sent back unchanged is not taken for a person's.
      expect(now[0]).not.to.have.property('source');
    });

    it('has one editor open at a time, and keeps what was typed in the other', async () => {
      const page = await showToEdit(1);
      await page.getByRole('button', { name: 'Edit correct' }).click();
      await page.getByLabel('notes').fill('half a thought');
      await page.getByRole('button', { name: 'Edit annotation' }).click();
      await part(page, 'Annotation').getByRole('textbox').waitFor();
      expect(await page.getByRole('textbox').count()).to.equal(1);
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: '~3' }).waitFor();
      await page.keyboard.press('k');
      await page.getByRole('heading', { level: 1, name: '~2' }).waitFor();
      await page.getByRole('button', { name: 'Edit correct' }).click();
      expect(await page.getByLabel('notes').inputValue()).to.equal('half a thought');
    });

    it('asks what to do when somebody else has changed the result, and keeps what was typed', async () => {
      const page = await showToEdit(4);
      const annotation = part(page, 'Annotation');
      const text = annotation.getByRole('textbox');
      await page.keyboard.press('a');
      await page.keyboard.type('mine');
      const { status } = await served.patch(`/api/runs/${edited}/results/4`, {
        result: { annotation: 'theirs' },
      });
      expect(status).to.equal(200);
      await annotation.getByRole('button', { name: /^Save/ }).click();
      await annotation.getByRole('alert').getByText('This result was changed elsewhere').waitFor();
      expect(await text.inputValue()).to.equal('mine');
      expect((await stored(4)).annotation).to.equal('theirs');
      await annotation.getByRole('button', { name: 'Load the newer version' }).click();
      expect(await text.inputValue()).to.equal('theirs');
      expect(await annotation.getByRole('alert').count()).to.equal(0);
      await text.fill('theirs and mine');
      await page.keyboard.press('Control+Enter');
      // The text is on the page before it is saved, in the editor.
      await text.waitFor({ state: 'detached' });
      await annotation.getByText('theirs and mine').waitFor();
      expect((await stored(4)).annotation).to.equal('theirs and mine');
    });

    it('overwrites on demand what somebody else has changed, and nothing else', async () => {
      const page = await showToEdit(4);
      const scores = part(page, 'Scores');
      await scores.getByRole('button', { name: 'Edit correctness' }).click();
      await scores.getByLabel('notes').fill('mine');
      const all = [...(await stored(4)).scores, { key: 'theirs', value: 1 }];
      await served.patch(`/api/runs/${edited}/results/4`, { result: { scores: all } });
      await scores.getByText('theirs', { exact: true }).waitFor();
      await page.keyboard.press('Control+Enter');
      const overwrite = scores.getByRole('button', { name: 'Overwrite it' });
      await overwrite.waitFor();
      expect((await stored(4)).scores[0]).to.not.have.property('notes');
      await overwrite.click();
      await scores.getByRole('form').waitFor({ state: 'detached' });
      expect((await stored(4)).scores).to.deep.equal([
        { key: 'correctness', passed: true, notes: 'mine', source: 'human' },
        { key: 'theirs', value: 1, source: 'human' },
      ]);
    });

    it('does not take the own edits of a reader for those of somebody else', async () => {
      const page = await showToEdit(2);
      const scores = part(page, 'Scores');
      await page.keyboard.press('a');
      await page.keyboard.type('half a thought');
      await scores.getByRole('button', { name: 'Add' }).click();
      await page.keyboard.type('tone');
      await scores.getByLabel('value').fill('1');
      await page.keyboard.press('Control+Enter');
      await scores.getByText('tone').waitFor();
      await page.keyboard.press('a');
      await page.keyboard.type(', and the other half');
      await page.keyboard.press('Control+Enter');
      await eventually(
        async () => (await stored(2)).annotation,
        (annotation) => annotation === 'half a thought, and the other half',
        'the whole annotation',
      );
    });

    it('goes on through the filter when a result has left it', async () => {
      const page = await showToEdit(3, '?status=failed');
      await page.getByText('2 of 2 failing').waitFor();
      await page.getByRole('button', { name: 'Edit label' }).click();
      await page.getByText('pass', { exact: true }).click();
      await page.keyboard.press('Control+Enter');
      await page.getByText('not among the 1 failing').waitFor();
    });

    it('keeps an annotation that was begun over Back and a reload; Esc leaves it as it was', async () => {
      const page = await showToEdit(4);
      const annotation = part(page, 'Annotation');
      const field = annotation.getByRole('textbox', { name: 'Annotation' });
      const edit = annotation.getByRole('button', { name: 'Edit annotation' });
      const type = (text: string) => page.keyboard.type(text);
      await page.keyboard.press('a');
      await type('half a thou');
      await goWithin(page, `/?run=${edited}`);
      await page.getByRole('grid', { name: 'Results' }).waitFor();
      await page.goBack();
      await field.waitFor();
      await page.reload();
      await field.waitFor();
      expect(await field.inputValue()).to.equal('half a thou');
      await field.press('End');
      await type('ght\nand more');
      await page.keyboard.press('Control+Enter');
      await annotation.getByText('half a thought').waitFor();
      await annotation.getByText(/^edited /).waitFor();
      expect((await stored(4)).annotation).to.equal('half a thought\nand more');
      await annotation.locator('button:focus').waitFor();
      await page.keyboard.press('a');
      await type(' that is not kept');
      await page.keyboard.press('Escape');
      await annotation.getByText('half a thought').waitFor();
      await edit.and(page.locator(':focus')).waitFor();
      await goWithin(page, `/runs/${edited}/results/5`);
      await page.getByRole('heading', { level: 1, name: 'waits' }).waitFor();
      await page.goBack();
      await edit.waitFor();
      expect(await field.count()).to.equal(0);
      expect((await stored(4)).annotation).to.equal('half a thought\nand more');
    });

    it('is offered for the attempt that counts of a repeat with another output, beside it', async () => {
      const page = await showToEdit(7);
      await served.post('/api/runs/rerun?wait=true', { indices: [7] });
      const counting = async () => (await served.get('/results')).body.summary.verdicts.passed;
      const before = await counting();
      const scores = part(page, 'Scores that count');
      await part(page, 'Output that counts').getByText('drawn: ').waitFor();
      await scores.getByRole('button', { name: 'Edit right' }).click();
      await scores.getByRole('form').getByText('fail', { exact: true }).click();
      await page.keyboard.press('Control+Enter');
      await scores.getByText('by hand').waitFor();
      expect(await counting()).to.equal(before - 1);
      expect((await stored(7)).scores).to.deep.equal([{ key: 'right', passed: true }]);
    });
  });
});
