import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { fewOf } from '../helpers/rounds.js';
import type { ServedProject } from '../helpers/served-project.js';
import { findings } from './findings.js';
import { longAt, serveLong } from './long-project.js';
import { misfits } from './misfits.js';
import { open, part } from './result-project.js';
import { eventually, goWithin, restingScroll, tabTo } from './screen.js';

/** What an element of the page answers; the types of tests know no page. */
interface Scrolled {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** A part of a name. */
interface Drawn {
  readonly clientWidth: number;
  readonly scrollWidth: number;
  readonly dataset: { readonly text: string };
}

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

  it('begins with the output, which takes the width, before a long input', async () => {
    const titles = await page.locator('main h2').allInnerTexts();
    expect(titles.map(words)).to.deep.equal([
      'Output',
      'Input',
      'Messages',
      'Logs',
      'Annotation',
      'Scores',
      'Correction history',
      'Metadata',
    ]);
    expect(words(await part(page, 'Output').innerText())).to.match(
      /^Output Markdown, \d+ words, no reference/,
    );
    const [output, column] = await Promise.all(
      [part(page, 'Output'), part(page, 'Messages')].map((one) => one.boundingBox()),
    );
    expect(output?.width).to.equal(column?.width);
    await goTo(longAt.short, 'short');
    expect((await page.locator('main h2').allInnerTexts()).slice(0, 2)).to.deep.equal([
      'Input',
      'Output',
    ]);
  });

  it('sets Markdown with room above headings, wide tables, and ids in one piece', async () => {
    const output = part(page, 'Output');
    const look = await output.evaluate(`(() => {
      const main = document.querySelector('main section');
      const width = (one) => one.getBoundingClientRect().width;
      return {
        above: [...main.querySelectorAll('h3')].map((one) => getComputedStyle(one).marginTop),
        table: width(main.querySelector('table')) / width(main.querySelector('pre')),
      };
    })()`);
    expect(look).to.deep.equal({ above: Array(5).fill('18px'), table: 1 });
    for (const width of fewOf([400, 460, 520], 1)) {
      await page.setViewportSize({ width, height: 900 });
      const heights = await page.evaluate<number[]>(
        `[...document.querySelectorAll('main section :not(pre) > code')].map((one) => one.getBoundingClientRect().height)`,
      );
      expect(Math.max(...heights), `${width} pixels`).to.be.within(10, 24.4);
    }
  });

  it('keeps verdict, name, walk and actions in sight', async () => {
    await slim().waitFor({ state: 'detached' });
    await page.evaluate('scrollTo(0, 3000)');
    await slim().waitFor();
    expect(await inView(slim())).to.equal(true);
    expect(words(await slim().innerText())).to.match(
      /^thread_summary\[lost_parcel_two_payments\]~2 .*2 of 6 results Regrade Rerun$/,
    );
    expect(await slim().getByRole('img', { name: 'failed' }).count()).to.equal(2);
    const trials = slim().getByRole('group', { name: 'Trials' });
    await trials.getByRole('img').nth(2).waitFor();
    const verdicts = (await trials.getByRole('img').all()).map((mark) =>
      mark.getAttribute('aria-label'),
    );
    expect(await Promise.all(verdicts)).to.deep.equal(['passed', 'failed', 'passed']);
    // The heading of the section in view stays below it.
    const heading = part(page, 'Messages').getByRole('button', { name: 'Messages', exact: true });
    expect((await heading.boundingBox())?.y).to.be.within(40, 60);
    expect(await findings(page, { selector: '[aria-label="This result"]' })).to.deep.equal([]);
    await page.evaluate('scrollTo(0, 3000)');
    await slim().getByRole('button', { name: 'Next, j' }).click();
    await page.getByRole('heading', { level: 1, name: '~3' }).waitFor();
    expect(await page.evaluate('scrollY')).to.equal(0);
    await slim().waitFor({ state: 'detached' });
    await page.keyboard.press('k');
    await page.getByRole('heading', { level: 1, name: '~2' }).waitFor();
  });

  it('keeps verdict, walk and Rerun in sight from the first pixel on', async () => {
    for (const width of [1440, 400]) {
      await page.setViewportSize({ width, height: 900 });
      for (const y of fewOf([0, 1, 60, 12], 2)) {
        await page.evaluate(`scrollTo(0, ${y})`);
        const [bar, around] =
          y === 0 ? [page.getByRole('banner'), page.locator('main')] : [slim(), slim()];
        const parts = [
          ...['Previous, k', 'Next, j', 'Rerun'].map((name) =>
            bar.getByRole('button', { name, exact: true }),
          ),
          around.getByRole('img', { name: 'failed' }).first(),
        ];
        await parts[2]?.waitFor();
        expect(await Promise.all(parts.map(inView)), `at ${y} of ${width} pixels`).to.deep.equal(
          Array(4).fill(true),
        );
      }
    }
  });

  it('has a top bar of one line where it is narrow, with the rest in a menu', async () => {
    const bar = page.getByRole('banner');
    const more = bar.getByRole('button', { name: 'More' });
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await more.waitFor();
      expect((await bar.boundingBox())?.height).to.equal(44);
      for (const name of ['Previous, k', 'Next, j', 'Regrade', 'Rerun']) {
        const button = bar.getByRole('button', { name, exact: true });
        const box = await button.boundingBox();
        expect(box?.x ?? -1, name).to.be.at.least(0);
        expect((box?.x ?? 0) + (box?.width ?? 0), name).to.be.at.most(width);
        expect((box?.y ?? 0) + (box?.height ?? 0), name).to.be.at.most(44);
      }
      expect(words(await bar.innerText())).to.match(/^2 of 6/);
      expect(await misfits(page), `${width} pixels`).to.deep.equal([]);
    }
    await more.click();
    await page.getByRole('menuitem', { name: 'Light or dark theme' }).waitFor();
    expect(await findings(page, { widths: [400], selector: '[role=menu]' })).to.deep.equal([]);
    await page.setViewportSize({ width: 320, height: 900 });
    await more.click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.getByText('The link is in the clipboard.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
      `${served.url}/runs/${run}/results/${longAt.failing}`,
    );
    await more.click();
    await page.getByRole('menuitem', { name: 'Copy id' }).click();
    await page.getByText('The id is in the clipboard.').waitFor();
    await bar.getByRole('link', { name: 'Results' }).click();
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    // It would cover what the next test clicks.
    await page.getByText('The id is in the clipboard.').waitFor({ state: 'detached' });
  });

  it('keeps the end of the name in the bar of a narrow window, and words for its buttons', async () => {
    const open = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate('scrollTo(0, 3000)');
      await slim().waitFor();
    };
    for (const width of [641, 320]) {
      await open(width);
      const ends = slim().locator('[data-cut] > [data-text]');
      const seen = await ends.evaluateAll((parts) => {
        const [first, last] = [parts[0], parts.at(-1)] as unknown as Drawn[];
        if (first === undefined || last === undefined) return 0;
        return last.clientWidth / (first.scrollWidth / first.dataset.text.length);
      });
      expect(seen).to.be.above(7.9);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      const regrade = slim().getByRole('button', { name: 'Regrade' });
      await regrade.waitFor({ state: width > 640 ? 'visible' : 'detached' });
    }
    await slim().getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Regrade' }).waitFor();
    await page.getByRole('menuitem', { name: 'Input' }).click();
    await eventually(
      async () => (await part(page, 'Input').boundingBox())?.y ?? -1,
      (y) => y >= 0 && y < 60,
      'the input at the top',
    );
    await open(900);
    await slim().getByText('Messages', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Input' }).click();
    await slim().getByText('Input', { exact: true }).waitFor();
  });

  it('has an outline of sections and headings that leads to them, also by keys and from a menu', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const outline = page.getByRole('navigation', { name: 'Sections' });
    const entry = (name: RegExp) => outline.getByRole('button', { name });
    const current = (name: RegExp) =>
      outline.locator('[aria-current]').filter({ hasText: name }).waitFor();
    const y = async (name: string) => {
      const box = await page.getByRole('heading', { name, exact: true }).boundingBox();
      return box?.y ?? Number.NaN;
    };
    const isAtTop = (name: string) =>
      eventually(
        () => y(name),
        (top) => top >= 0 && top < 130,
        `${name} at the top`,
      );
    await entry(/^What I did/).click();
    await isAtTop('What I did');
    await entry(/^Input/).click();
    await isAtTop('Input');
    await current(/^Input/);
    await page.keyboard.press('Shift+k');
    await isAtTop('Output');
    await current(/^Output/);
    await entry(/^Input/).focus();
    await page.keyboard.press('Enter');
    await isAtTop('Input');
    await page.setViewportSize({ width: 768, height: 900 });
    await outline.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /go to a section$/ }).click();
    await page.getByRole('menuitem', { name: 'Output' }).click();
    await isAtTop('Output');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate('scrollTo(0, 0)');
  });

  it('opens the conversation in view to its turns, which lead to places that are not in the page yet', async () => {
    const outline = page.getByRole('navigation', { name: 'Sections' });
    const turns = outline.getByRole('button', { name: /where is my refund/ });
    expect(await turns.count()).to.equal(0);
    await outline.getByRole('button', { name: /^Messages/ }).click();
    const turn = (n: number) => turns.filter({ hasText: `Turn ${n}:` });
    await turn(13).waitFor();
    expect(await turns.count()).to.equal(16);
    expect(words(await turn(13).innerText())).to.equal(
      'Turn 13: where is my refund for A-20421? I have asked before. 1 failed',
    );
    const said = (n: number) => part(page, 'Messages').getByText(new RegExp(`^Turn ${n}:`));
    const isAtTop = async (n: number) => {
      await restingScroll(page, 6);
      await eventually(
        async () => (await said(n).count()) === 1 && (await said(n).boundingBox())?.y,
        // Below the bar and the heading, which stay in sight.
        (top) => typeof top === 'number' && top >= 74 && top < 96,
        `turn ${n} at the top`,
      );
      await turn(n).and(page.locator('[aria-current]')).waitFor();
      expect(await outline.locator('[aria-current]').count()).to.equal(2);
      expect(await inView(turn(n))).to.equal(true);
    };
    for (const n of fewOf([13, 15, 8, 4], 2)) {
      if (n === 13) expect(await said(n).count()).to.equal(0);
      await turn(n).click();
      await isAtTop(n);
    }
    await tabTo(page, turn(9));
    await page.keyboard.press('Enter');
    await isAtTop(9);
    expect(
      await findings(page, { widths: [1440], selector: '[aria-label=Sections]' }),
    ).to.deep.equal([]);
    expect(await misfits(page)).to.deep.equal([]);
    // The tint follows the reader.
    await page.mouse.move(500, 500);
    for (
      let step = 0;
      step < 40 && (await turn(11).getAttribute('aria-current')) === null;
      step += 1
    ) {
      await page.mouse.wheel(0, 150);
      await restingScroll(page, 3);
    }
    await turn(11).and(page.locator('[aria-current]')).waitFor();
    expect((await said(11).boundingBox())?.y).to.be.below(100);
    // The page ends before the last turn reaches the top.
    const logs = part(page, 'Logs').getByRole('button', { name: 'Logs', exact: true });
    await logs.click();
    await outline.getByRole('button', { name: /^Messages/ }).click();
    const last = outline.getByRole('button', { name: /page_view/ }).last();
    await last.click();
    await last.and(page.locator('[aria-current]')).waitFor();
    await restingScroll(page, 6);
    expect(await last.getAttribute('aria-current')).to.equal('location');
    expect(await inView(part(page, 'Messages').getByText('page_view').last())).to.equal(true);
    await logs.click();
  });

  it('says in the outline how many messages and failed scores there are', async () => {
    const outline = page.getByRole('navigation', { name: 'Sections' });
    const entry = (name: string) => outline.getByRole('button', { name, exact: true });
    await entry('Messages 81').waitFor();
    expect(words(await part(page, 'Messages').innerText())).to.match(
      /^Messages 81, from the trace/,
    );
    const scroll = await page.evaluate('scrollY');
    await entry('Scores 4 failed').click();
    const panel = page.getByRole('complementary', { name: 'Judgement' });
    await eventually(
      async () => {
        const [scores, top] = await Promise.all([
          part(page, 'Scores').boundingBox(),
          panel.boundingBox(),
        ]);
        return Math.abs((scores?.y ?? 0) - (top?.y ?? 99));
      },
      (distance) => distance < 2,
      'the scores at the top of the panel',
    );
    expect(await page.evaluate('scrollY')).to.equal(scroll);
    const { body } = await served.get(`/api/runs/${run}/results/${longAt.failing}`);
    const { scores } = body.result.result;
    const failing = scores.findIndex(({ passed }: { passed?: boolean }) => passed === false);
    const edited = (passed: boolean) => ({
      result: {
        scores: scores.map((score: object, n: number) =>
          n === failing ? { ...score, passed } : score,
        ),
      },
    });
    const address = `/api/runs/${run}/results/${longAt.failing}`;
    expect((await served.patch(address, edited(true))).status).to.equal(200);
    await entry('Scores 3 failed').waitFor();
    expect((await served.patch(address, edited(false))).status).to.equal(200);
    await entry('Scores 4 failed').waitFor();
    await goTo(longAt.first, '~1');
    await entry('Scores 60').waitFor();
  });

  it('has a panel that scrolls by itself, annotation first, then failing scores', async () => {
    const panel = page.getByRole('complementary', { name: 'Judgement' });
    const titles = (await panel.locator('h2').allInnerTexts()).map(words);
    expect(titles.slice(0, 2)).to.deep.equal(['Annotation', 'Scores']);
    const scores = part(page, 'Scores');
    expect(words(await scores.innerText())).to.match(/^Scores 60, 4 failing Add s grounded /);
    const rows = (await scores.getByRole('listitem').allInnerTexts()).map(words);
    expect(rows[4]).to.equal('6 values');
    expect(rows[11]).to.equal('50 passing');
    const sizes = await panel.evaluateAll(([one]) => {
      const { scrollHeight, clientHeight } = one as Scrolled;
      return { scrollHeight, clientHeight };
    });
    expect(sizes.scrollHeight).to.be.above(sizes.clientHeight);
    const box = await panel.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.closeTo(900, 1);
    await panel.evaluateAll(([one]) => {
      (one as Scrolled).scrollTop = 600;
    });
    expect(await page.evaluate('scrollY')).to.equal(0);
    expect(await inView(scores.getByRole('textbox', { name: 'Filter scores' }))).to.equal(true);
    await page.evaluate('scrollTo(0, 3000)');
    await restingScroll(page, 3);
    await eventually(
      async () => Math.round((await panel.boundingBox())?.height ?? 0),
      (height) => height === 860,
      'the panel is as high as the window below the bar',
    );
  });

  it('filters scores, and opens notes, by the keyboard', async () => {
    await page.keyboard.press('s');
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
    const notes = scores.getByRole('paragraph').filter({ hasText: 'The final answer has the' });
    await notes.waitFor();
    await page.keyboard.press('s');
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    // The page was not left, and the field was.
    expect(page.url()).to.contain(`/results/${longAt.failing}`);
    expect(await lines.count()).to.equal(62);
    await scores.getByRole('button', { name: 'Edit grounded' }).focus();
    await page.keyboard.press('Enter');
    await scores.getByRole('form', { name: 'Edit grounded' }).waitFor();
    await page.keyboard.press('Escape');
    await scores.getByRole('form').waitFor({ state: 'detached' });
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
    expect(await findings(page)).to.deep.equal([]);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await messages.getByText(/^Turn 15:/).waitFor();
  });

  it('never moves a message of the view by drawing another one anew', async () => {
    await part(page, 'Messages').scrollIntoViewIfNeeded();
    await page.mouse.move(500, 500);
    await page.evaluate(`
      window.heights = {};
      requestAnimationFrame(function look() {
        for (const one of document.querySelectorAll('[data-index]')) {
          (heights[one.dataset.index] ??= new Set()).add(Math.round(one.getBoundingClientRect().height));
        }
        requestAnimationFrame(look);
      })`);
    for (const step of [800, -800]) {
      for (let n = 0; n < 6; n += 1) {
        await page.mouse.wheel(0, step);
        await restingScroll(page, 3);
      }
    }
    const heights = await page.evaluate<number[][]>(
      'Object.values(heights).map((all) => [...all])',
    );
    expect(heights.length).to.be.above(20);
    expect(heights.filter((all) => all.length > 1)).to.deep.equal([]);
  });

  it('shows assertions with a difference in a font of one width', async () => {
    await goTo(longAt.short, 'short');
    await part(page, 'Scores').getByText('actual - expected').waitFor();
    const looks = await page.evaluate(`(() => {
      const [notes] = [...document.querySelectorAll('p')].filter((one) => one.textContent.includes('actual - expected'));
      const { fontFamily, whiteSpace } = getComputedStyle(notes);
      return [fontFamily, whiteSpace];
    })()`);
    expect(String(looks)).to.match(/Mono.*,pre$/);
  });

  it('leads from one difference to the next, with the rest of JSON folded', async () => {
    await goTo(longAt.fees, 'fee_table');
    await page.keyboard.press('d');
    const output = part(page, 'Output');
    await output
      .getByText(/^… \d+ lines without a difference$/)
      .first()
      .waitFor();
    expect(await output.locator('mark').allInnerTexts()).to.deep.equal(['-1', '-2']);
    const reference = part(page, 'Reference');
    await reference.getByText('2 differences').waitFor();
    await page.keyboard.press('n');
    await reference.getByText('1 of 2').waitFor();
    const current = page.locator('mark[data-current]');
    expect(await current.allInnerTexts()).to.deep.equal(['-1', '9']);
    await reference.getByRole('button', { name: 'Next difference, n' }).click();
    await reference.getByText('2 of 2').waitFor();
    expect(await current.allInnerTexts()).to.deep.equal(['-2', '50']);
    await page.keyboard.press('p');
    await reference.getByText('1 of 2').waitFor();
    await output
      .getByRole('button', { name: /lines without a difference$/ })
      .nth(1)
      .click();
    await output.getByText('"c30": 30').waitFor();
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
    await page.keyboard.press('p');
    await base.getByText('3 of 3').waitFor();
    const current = page.locator('mark[data-current]');
    await current.first().waitFor();
    expect(await inView(current.first())).to.equal(true);
    expect(await findings(page, { selector: 'main' })).to.deep.equal([]);
    await page.keyboard.press('d');
    await page.keyboard.press('Escape');
    await page.waitForURL(/compare/);
  });

  it('has its judgement in a sheet where there is no room beside the values', async () => {
    const strip = page.getByRole('button', { name: /^4 of 60 scores fail/ });
    const sheet = page.getByRole('dialog', { name: 'Scores and notes' });
    for (const width of fewOf([900, 400], 1)) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.getByRole('complementary').count()).to.equal(0);
      await strip.click();
      await sheet.getByText('Turn 4 promises too much.').waitFor();
      const box = await sheet.boundingBox();
      expect(Math.round((box?.x ?? 0) + (box?.width ?? 0))).to.equal(width);
      expect(await misfits(page)).to.deep.equal([]);
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 400, height: 900 });
    await strip.click();
    await sheet.waitFor();
    expect(await findings(page, { widths: [400], selector: '[role=dialog]' })).to.deep.equal([]);
    // There was room for the panel meanwhile.
    await page.setViewportSize({ width: 400, height: 900 });
    await strip.click();
    await sheet.getByRole('textbox', { name: 'Filter scores' }).fill('locale');
    await sheet.getByText('check_locale_43').waitFor();
    await sheet.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await strip.and(page.locator(':focus')).count()).to.equal(1);
    await page.keyboard.press('s');
    await sheet
      .getByRole('textbox', { name: 'Filter scores' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await sheet.getByRole('textbox', { name: 'Annotation' }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.getByText('Turn 4 promises too much.').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.evaluate('scrollTo(0, 2000)');
    await slim().waitFor();
    expect(await inView(slim())).to.equal(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(400);
    const last = await slim().getByRole('button', { name: 'Rerun' }).boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).to.be.at.most(400);
    await slim().getByRole('button', { name: '4 of 60' }).click();
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });
});
