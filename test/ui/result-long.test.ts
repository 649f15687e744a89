import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { ServedProject } from '../helpers/served-project.js';
import { longAt, serveLong } from './long-project.js';
import { misfits } from './misfits.js';
import { open, part } from './result-project.js';
import { eventually, goWithin, restingScroll } from './screen.js';

describe('the page of a long result', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let run: string;
  let page: Page;
  let faults: string[] = [];

  const words = (text: string) => text.replace(/\s+/g, ' ').trim();
  const slim = () => page.getByRole('region', { name: 'This result' });
  const inView = async (one: Locator) => {
    const box = await one.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 900;
  };
  const outline = () => page.getByRole('navigation', { name: 'Sections' });
  const entry = (name: RegExp) => outline().getByRole('button', { name });
  /** Waits until something is at the top, below the bar and the heading that stay in sight. */
  const isAtTop = async (one: Locator) => {
    await restingScroll(page, 6);
    await eventually(
      async () => (await one.count()) === 1 && (await one.boundingBox())?.y,
      (top) => typeof top === 'number' && top >= 0 && top < 130,
      `${one} at the top`,
    );
  };
  const goTo = async (index: number, name: string) => {
    await goWithin(page, `/runs/${run}/results/${index}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  before(async () => {
    served = await serveLong();
    run = (await served.runAll()).run_id;
    const result = { annotation: 'Turn 4 promises too much.' };
    await served.patch(`/api/runs/${run}/results/${longAt.failing}`, { result });
    ({ page, faults } = await open(served, `/runs/${run}/results/${longAt.failing}`));
    await page.getByRole('heading', { level: 1, name: '~2' }).waitFor();
  });
  beforeEach(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(longAt.failing, '~2');
    await page.evaluate('scrollTo(0, 0)');
  });
  after(() => {
    expect(faults).to.deep.equal([]);
  });

  it('begins with the output before a long input, and keeps its name, walk and actions in sight', async () => {
    expect((await page.locator('main h2').allInnerTexts()).map(words)).to.deep.equal([
      ...['Output', 'Input', 'Messages', 'Logs', 'Annotation', 'Scores', 'Correction history'],
      'Metadata',
    ]);
    await slim().waitFor({ state: 'detached' });
    await page.evaluate('scrollTo(0, 3000)');
    await slim().waitFor();
    expect(await inView(slim())).to.equal(true);
    expect(words(await slim().innerText())).to.match(
      /^thread_summary\[lost_parcel_two_payments\]~2 .*2 of 6 results Regrade Rerun$/,
    );
    expect(await slim().getByRole('img', { name: 'failed' }).count()).to.equal(2);
    // The heading of the section in view stays below it.
    const heading = part(page, 'Messages').getByRole('button', { name: 'Messages', exact: true });
    expect((await heading.boundingBox())?.y).to.be.within(40, 60);
    await slim().getByRole('button', { name: 'Next, j' }).click();
    await page.getByRole('heading', { level: 1, name: '~3' }).waitFor();
    expect(await page.evaluate('scrollY')).to.equal(0);
    await slim().waitFor({ state: 'detached' });
    await goTo(longAt.short, 'short');
    expect((await page.locator('main h2').allInnerTexts()).slice(0, 2)).to.deep.equal([
      'Input',
      'Output',
    ]);
  });

  it('has the rest of its bar in a menu where it is narrow', async () => {
    const bar = page.getByRole('banner');
    await page.setViewportSize({ width: 320, height: 900 });
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.getByText('The link is in the clipboard.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
      `${served.url}/runs/${run}/results/${longAt.failing}`,
    );
    expect((await bar.boundingBox())?.height).to.equal(44);
    expect(await misfits(page)).to.deep.equal([]);
    await page.evaluate('scrollTo(0, 3000)');
    await slim().getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Input' }).click();
    await isAtTop(part(page, 'Input'));
  });

  it('has an outline of sections and headings that leads to them, also by keys and from a menu', async () => {
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    const current = outline().locator('[aria-current]');
    await entry(/^What I did/).click();
    await isAtTop(heading('What I did'));
    await entry(/^Input/).click();
    await isAtTop(heading('Input'));
    await current.filter({ hasText: /^Input/ }).waitFor();
    await page.keyboard.press('Shift+k');
    await isAtTop(heading('Output'));
    await current.filter({ hasText: /^Output/ }).waitFor();
    await page.setViewportSize({ width: 768, height: 900 });
    await outline().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /go to a section$/ }).click();
    await page.getByRole('menuitem', { name: 'Output' }).click();
    await isAtTop(heading('Output'));
  });

  it('opens the conversation in view to its turns, which lead to places that are not in the page yet', async () => {
    const turns = entry(/where is my refund/);
    expect(await turns.count()).to.equal(0);
    await entry(/^Messages 81$/).click();
    const turn = turns.filter({ hasText: 'Turn 13:' });
    await turn.waitFor();
    expect(await turns.count()).to.equal(16);
    expect(words(await turn.innerText())).to.equal(
      'Turn 13: where is my refund for A-20421? I have asked before. 1 failed',
    );
    const said = part(page, 'Messages').getByText(/^Turn 13:/);
    expect(await said.count()).to.equal(0);
    await turn.click();
    await isAtTop(said);
    await turn.and(page.locator('[aria-current]')).waitFor();
    expect(await outline().locator('[aria-current]').count()).to.equal(2);
    expect(await inView(turn)).to.equal(true);
    // The page ends before the last turn reaches the top.
    const last = entry(/page_view/).last();
    await last.click();
    await last.and(page.locator('[aria-current]')).waitFor();
    await restingScroll(page, 6);
    expect(await last.getAttribute('aria-current')).to.equal('location');
    expect(await inView(part(page, 'Messages').getByText('page_view').last())).to.equal(true);
  });

  it('has a panel that scrolls by itself: annotation, then failing scores, which the outline counts', async () => {
    const panel = page.getByRole('complementary', { name: 'Judgement' });
    const titles = (await panel.locator('h2').allInnerTexts()).map(words);
    expect(titles.slice(0, 2)).to.deep.equal(['Annotation', 'Scores']);
    const scores = part(page, 'Scores');
    expect(words(await scores.innerText())).to.match(/^Scores 60, 4 failing Add \/ grounded /);
    const rows = (await scores.getByRole('listitem').allInnerTexts()).map(words);
    expect([rows[4], rows[11]]).to.deep.equal(['6 values', '50 passing']);
    const box = await panel.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.closeTo(900, 1);
    await entry(/^Scores 4 failed$/).click();
    await eventually(
      async () => ((await scores.boundingBox())?.y ?? 99) - (box?.y ?? 0),
      (distance) => Math.abs(distance) < 2,
      'the scores at the top of the panel',
    );
    expect(await page.evaluate('scrollY')).to.equal(0);
    expect(await inView(scores.getByRole('textbox', { name: 'Filter scores' }))).to.equal(true);
    await goTo(longAt.first, '~1');
    await entry(/^Scores 60$/).waitFor();
  });

  it('filters scores, and opens notes, by the keyboard', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('refused');
    const scores = part(page, 'Scores');
    const lines = scores.getByRole('listitem');
    await eventually(
      () => lines.count(),
      (count) => count === 4,
      'the scores whose notes have the word',
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await scores.getByRole('paragraph').filter({ hasText: 'The final answer has the' }).waitFor();
    await page.keyboard.press('/');
    for (const key of ['x', 'Escape', 'Escape']) await page.keyboard.press(key);
    // The page was not left, and the field was.
    expect(page.url()).to.contain(`/results/${longAt.failing}`);
    expect(await lines.count()).to.equal(62);
  });

  it('has its judgement in a sheet where there is no room beside the values', async () => {
    const sheet = page.getByRole('dialog', { name: 'Scores and notes' });
    const leave = async () => {
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
    };
    await page.setViewportSize({ width: 400, height: 900 });
    expect(await page.getByRole('complementary').count()).to.equal(0);
    const strip = page.getByRole('button', { name: /^4 of 60 scores fail/ });
    await strip.click();
    await sheet.getByText('Turn 4 promises too much.').waitFor();
    expect(await misfits(page)).to.deep.equal([]);
    await sheet.getByRole('button', { name: 'Close' }).focus();
    await leave();
    expect(await strip.and(page.locator(':focus')).count()).to.equal(1);
    await page.keyboard.press('/');
    await sheet
      .getByRole('textbox', { name: 'Filter scores' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Escape');
    await leave();
    await page.keyboard.press('a');
    await sheet.getByRole('textbox', { name: 'Annotation' }).waitFor();
    await page.keyboard.press('Escape');
    await leave();
    await page.evaluate('scrollTo(0, 2000)');
    await slim().getByRole('button', { name: '4 of 60' }).click();
    await sheet.waitFor();
    await leave();
  });

  it('folds sections, and remembers it for all results', async () => {
    const heading = (name: string) => part(page, name).getByRole('button', { name, exact: true });
    await heading('Output').focus();
    await page.keyboard.press('Enter');
    await part(page, 'Output').getByText('What went wrong').waitFor({ state: 'detached' });
    expect(words(await part(page, 'Output').innerText())).to.match(/^Output Markdown, /);
    expect(await heading('Metadata').getAttribute('aria-expanded')).to.equal('false');
    expect(words(await part(page, 'Metadata').innerText())).to.equal(
      'Metadata prompt support/v14, model house-large',
    );
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 1, name: '~3' }).waitFor();
    expect(await heading('Output').getAttribute('aria-expanded')).to.equal('false');
    await heading('Output').click();
    await part(page, 'Output').getByText('What went wrong').waitFor();
  });

  it('has only the messages near the view in the page, each labelled and drawn as what it is', async () => {
    const messages = part(page, 'Messages');
    await messages.scrollIntoViewIfNeeded();
    await messages.getByText('thinking', { exact: true }).first().waitFor();
    expect(await messages.getByText(/^Turn \d+:/).count()).to.be.below(16);
    // Opening one moves the others, which may leave the page of a virtual list.
    const reach = async (one: Locator): Promise<Locator> => {
      await restingScroll(page, 4);
      if ((await one.count()) === 0) await page.evaluate('scrollTo(0, 0)');
      for (let step = 0; step < 100 && (await one.count()) === 0; step += 1) {
        await page.evaluate('scrollBy(0, 300)');
        await restingScroll(page, 4);
      }
      return one.first();
    };
    const more = messages.getByRole('button', { name: /^Show all \d+ lines$/ });
    await (await reach(more)).press('Enter');
    await (await reach(messages.getByText('p_5521'))).waitFor();
    const calls = messages.getByRole('button', {
      name: '3 calls orders.history ×2, refunds.create 1',
    });
    await (await reach(calls)).press('Enter');
    await (await reach(messages.getByText('amount exceeds the payment, 42.50'))).waitFor();
    await (await reach(messages.locator('strong'))).waitFor();
    // JSON is a tree.
    const tree = messages.getByRole('list', { name: 'Message' }).getByText('page_view');
    await (await reach(tree)).waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await messages.getByText(/^Turn 15:/).waitFor();
  });

  it('leads from one difference to the next, with the rest of JSON folded', async () => {
    await goTo(longAt.fees, 'fee_table');
    await page.keyboard.press('d');
    const output = part(page, 'Output');
    await output.locator('mark').first().waitFor();
    expect(await output.locator('mark').allInnerTexts()).to.deep.equal(['-1', '-2']);
    const current = page.locator('mark[data-current]');
    await page.getByText(/^2 of \d+ values differ$/).waitFor();
    expect(await current.count()).to.equal(0);
    await page.keyboard.press(']');
    await page.getByText('1 of 2').waitFor();
    expect(await current.allInnerTexts()).to.deep.equal(['-1', '9']);
    await page.getByRole('button', { name: 'Next difference, ]' }).click();
    await page.getByText('2 of 2').waitFor();
    expect(await current.allInnerTexts()).to.deep.equal(['-2', '50']);
    await page.keyboard.press('[');
    await page.getByText('1 of 2').waitFor();
    // What is equal opens in both.
    await output.getByRole('button', { name: /^40 equal: / }).click();
    for (const side of [output, part(page, 'Reference')]) {
      await side.getByText('c30', { exact: true }).waitFor();
    }
    await output.getByRole('button', { name: 'Raw' }).click();
    await output
      .getByText(/^… \d+ lines without a difference$/)
      .first()
      .waitFor();
    await part(page, 'Reference').getByText('2 differences').waitFor();
    await output.getByRole('button', { name: 'Tree' }).click();
    await page.keyboard.press('d');
  });

  it('is beside the output of the base when it was opened from a comparison', async () => {
    await served.post('/api/runs/new?wait=true', { indices: [longAt.fees, longAt.essay] });
    const other = (await served.active()).run_id;
    await goWithin(page, `/compare?run=${run}&run=${other}&search=essay`);
    const row = page.getByRole('row').filter({ hasText: 'essay' });
    await row.first().waitFor();
    await row.first().focus();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'more of the input' }).click();
    await eventually(
      async () => (await row.first().innerText()).length,
      (length) => length > 1900,
      'the whole input',
    );
    await page.getByRole('link', { name: /Result of essay in B/ }).click();
    await page.getByRole('heading', { level: 1, name: 'essay' }).waitFor();
    const { body } = await served.get(`/api/runs/${run}/results/${longAt.essay}`);
    const base = part(page, `Output of ${body.run_name}`);
    await base.waitFor();
    await page.keyboard.press('d');
    await base.getByText('3 differences').waitFor();
    // The last one is beyond what is shown at first.
    await page.keyboard.press('[');
    await base.getByText('3 of 3').waitFor();
    const current = page.locator('mark[data-current]');
    await current.first().waitFor();
    expect(await inView(current.first())).to.equal(true);
    await page.keyboard.press('d');
    await page.keyboard.press('Escape');
    await page.waitForURL(/compare/);
  });
});
