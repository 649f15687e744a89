import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, openPage } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { part, serveOrders } from './result-project.js';
import { eventually } from './screen.js';

describe('editing a result', () => {
  let served: ServedProject;
  let run: string;

  const kept = keepPage(() => served.url);
  /** Shows a result of a run of its own, so that each test may come alone. */
  const show = async (index: number, query = ''): Promise<Page> => {
    run = (await served.post('/api/runs/new?wait=true', {})).body.run_id;
    const page = await kept.open(`/runs/${run}/results/${index}${query}`);
    await part(page, 'Scores').waitFor();
    return page;
  };
  const stored = async (index: number) =>
    (await served.get(`/api/runs/${run}/results/${index}`)).body.result.result;

  before(async function () {
    this.timeout(120_000);
    served = await serveOrders();
  });

  it('says in plain words what the server refuses', async () => {
    run = await served.activeId();
    const page = await kept.open(`/runs/${run}/results/0`);
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
  });

  it('changes a score in place, and tells so in the history', async () => {
    const page = await show(1);
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
    const page = await show(0);
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
    await scores.getByText('grounded').waitFor();
    expect(await form.count()).to.equal(0);
    await scores.getByRole('button', { name: 'Edit tone' }).click();
    await scores.getByRole('button', { name: 'Remove score' }).click();
    await scores.getByRole('form').waitFor({ state: 'detached' });
    expect(await scores.getByText('tone').count()).to.equal(0);
    const { scores: now } = await stored(0);
    expect(now.map(({ key }: { key: string }) => key)).to.deep.equal(['correct', 'grounded']);
    // What was sent back unchanged is not taken for a person's.
    expect(now[0]).not.to.have.property('source');
  });

  it('writes an annotation with the keyboard alone; Esc leaves it as it was', async () => {
    const page = await show(3);
    const annotation = part(page, 'Annotation');
    await page.keyboard.press('a');
    await page.keyboard.type('first thought\nand more');
    await page.keyboard.press('Control+Enter');
    await annotation.getByText('first thought').waitFor();
    await annotation.getByText(/^edited /).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.type(' that is not kept');
    await page.keyboard.press('Escape');
    await annotation.getByText('first thought').waitFor();
    expect(page.url()).to.contain('/results/3');
    expect((await stored(3)).annotation).to.equal('first thought\nand more');
  });

  it('has one editor open at a time, and keeps what was typed in the other', async () => {
    const page = await show(1);
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
    const page = await show(4);
    const annotation = part(page, 'Annotation');
    const text = annotation.getByRole('textbox');
    await page.keyboard.press('a');
    await page.keyboard.type('mine');
    const { status } = await served.patch(`/api/runs/${run}/results/4`, {
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
    const page = await show(4);
    const scores = part(page, 'Scores');
    await scores.getByRole('button', { name: 'Edit correctness' }).click();
    await scores.getByLabel('notes').fill('mine');
    const all = [...(await stored(4)).scores, { key: 'theirs', value: 1 }];
    await served.patch(`/api/runs/${run}/results/4`, { result: { scores: all } });
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
    const page = await show(2);
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
    const page = await show(3, '?status=failed');
    await page.getByText('2 of 2 failing').waitFor();
    await page.getByRole('button', { name: 'Edit label' }).click();
    await page.getByText('pass', { exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await page.getByText('not among the 1 failing').waitFor();
  });

  it('keeps an annotation that was begun over Back and a reload, and gives the focus back', async () => {
    const page = await show(4);
    const annotation = part(page, 'Annotation');
    const field = annotation.getByRole('textbox', { name: 'Annotation' });
    const edit = annotation.getByRole('button', { name: 'Edit annotation' });
    await page.keyboard.press('a');
    await page.keyboard.type('half a thou');
    await page.goto(`${served.url}/?run=${run}`);
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await page.goBack();
    await field.waitFor();
    expect(await field.inputValue()).to.equal('half a thou');
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).to.equal('half a thou');
    await field.press('End');
    await page.keyboard.type('ght');
    await page.keyboard.press('Control+Enter');
    await annotation.getByText('half a thought').waitFor();
    expect((await stored(4)).annotation).to.equal('half a thought');
    await annotation.locator('button:focus').waitFor();
    await edit.click();
    await field.fill('another');
    await page.keyboard.press('Escape');
    await annotation.getByText('half a thought').waitFor();
    await edit.and(page.locator(':focus')).waitFor();
    await page.reload();
    await edit.waitFor();
    expect(await field.count()).to.equal(0);
  });
});

describe('editing a repeat whose output differs', () => {
  it('is offered for the attempt that counts, too, beside its output', async () => {
    const served = await ServedProject.start(
      {
        'draw.eval.mjs': `
          import { evaluation } from 'assay';
          export const draw = evaluation({
            cases: [0, 1].map((id) => ({ id: String(id) })),
            target: () => 'drawn: ' + Math.random(),
            evaluators: [function right() { return false; }],
          });`,
      },
      { ui: builtUi },
    );
    const { run_id: run } = await served.runAll();
    await served.post('/api/runs/rerun?wait=true', { indices: [0] });
    const counting = async () => (await served.get('/results')).body.summary.verdicts.passed;
    const { page } = await openPage();
    await page.goto(`${served.url}/runs/${run}/results/0`);
    const scores = part(page, 'Scores that count');
    await part(page, 'Output that counts').getByText('drawn: ').waitFor();
    await scores.getByRole('button', { name: 'Edit right' }).click();
    await scores.getByRole('form').getByText('pass', { exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await scores.getByText('by hand').waitFor();
    expect(await counting()).to.equal(1);
    const { result } = (await served.get(`/api/runs/${run}/results/0`)).body.result;
    expect(result.scores).to.deep.equal([{ key: 'right', passed: false }]);
  });
});
