import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { type FakeReply, startFakeProvider } from '../helpers/fake-provider.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { downloaded, eventually, rowOf, untilShown } from './screen.js';

const evals = (url: string) => `
import { readFileSync } from 'node:fs';
import { evaluation } from 'assay';
async function ask(model: string, messages: any[], tools?: object[]) {
  const system = readFileSync(new URL('./prompt.txt', import.meta.url), 'utf8');
  const response = await fetch('${url}/v1/chat/completions', {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'system', content: system }, ...messages], ...(tools && { tools }) }),
  });
  return ((await response.json()) as any).choices[0].message;
}
const cases = (letter: string) => Array.from({ length: 12 }, (_, n) => ({
  id: letter + n, input: 'Ask ' + letter + n, reference: '30 days', metadata: { tier: n % 2 === 0 ? 'free' : 'pro' },
}));
const exact = ({ output, reference }: any) => ({
  key: 'exact', passed: output === reference, notes: output === reference ? '' : 'expected ' + reference + ', got ' + output,
});
const findOrder = { type: 'function', function: { name: 'find_order', parameters: { type: 'object', properties: {} } } };
export const refund = evaluation({
  dataset: 'refunds', cases: cases('r'), evaluators: [exact],
  target: async ({ input }) => {
    const messages: any[] = [{ role: 'user', content: input }];
    const first = await ask('gpt-5-mini', messages, [findOrder]);
    messages.push(first, { role: 'tool', tool_call_id: 'order', content: '{"paid":true}' });
    return (await ask('gpt-5-mini', messages, [findOrder])).content;
  },
});
export const flight = evaluation({
  dataset: 'flights', cases: cases('f'), evaluators: [exact],
  target: async ({ input }) => (await ask('gpt-4o-mini', [{ role: 'user', content: input }])).content,
});
`;

/** What the model says: with the second prompt, every third refund is wrong. */
function answerOf(request: Readonly<Record<string, unknown>>): FakeReply {
  const said = JSON.stringify(request);
  if (said.includes('find_order') && !said.includes('tool_call_id')) {
    return { text: '', toolCalls: [{ id: 'order', name: 'find_order', arguments: {} }] };
  }
  const isWrong = said.includes('Be exact.') && /Ask r(0|3|6|9)"/.test(said);
  return { text: isWrong ? '14 days' : '30 days' };
}

/** The largest numbers of clicks and keys that the document gives for each task; a text that is typed counts as one. */
const documented = new Map(
  [
    ...readFileSync(new URL('../../docs/web-ui.md', import.meta.url), 'utf8').matchAll(
      /^\| ([^|]+) \| [^|]+: (\d+) \| [^|]+: (\d+) \|$/gm,
    ),
  ].map(([, task = '', mouse, keys]) => [task, { mouse: Number(mouse), keys: Number(keys) }]),
);

/** Works on the page as people do, and counts what they do. */
class Hand {
  readonly page: Page;
  /** Clicks, keys, and texts that were typed. */
  acts = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator, options?: { readonly modifiers: ['Shift'] }): Promise<void> {
    this.acts += 1;
    await target.click(options);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.acts += 1;
      await this.page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    this.acts += 1;
    await this.page.keyboard.type(text);
  }

  /** Chooses what the palette finds first. */
  async command(text: string): Promise<void> {
    await this.press('Control+k');
    const palette = this.page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('combobox').and(this.page.locator(':focus')).waitFor();
    await this.type(text);
    const first = palette.locator('[role=option][aria-selected=true]');
    await first.filter({ hasText: new RegExp(text, 'i') }).waitFor();
    await this.press('Enter');
  }
}

interface Task {
  /** Where it begins. */
  readonly at: string;
  readonly mouse: (hand: Hand) => Promise<unknown>;
  readonly keys: (hand: Hand) => Promise<unknown>;
  /** Waits until the page is there. Default: until it has rows. */
  readonly there?: (page: Page) => Promise<unknown>;
  /** Waits for what was wanted. Default: the acts do that. */
  readonly done?: (page: Page) => Promise<unknown>;
}

describe('a task of a working day', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let runs: readonly [string, string];
  const kept = keepPage(() => served.url);

  before(async () => {
    const provider = await startFakeProvider(({ json }) => answerOf(json));
    served = await ServedProject.start(
      { 'shop.eval.ts': evals(provider.url), 'prompt.txt': 'Be kind.' },
      { ui: builtUi, hosts: true },
    );
    const run = async (run_name: string): Promise<string> =>
      (await served.post('/api/runs/new?wait=true', { run_name })).body.run_id;
    const yesterday = await run('yesterday');
    served.project.write('prompt.txt', 'Be exact.');
    runs = [yesterday, await run('today')];
    await served.post(`/api/runs/${runs[1]}/review/sample`, { size: 24, seed: 1 });
  });

  /** An act that asks the server to do something. */
  const asking = (page: Page, path: RegExp, act: Promise<unknown>) =>
    Promise.all([
      page.waitForResponse(
        (response) => response.request().method() !== 'GET' && path.test(response.url()),
      ),
      act,
    ]);
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
  const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name });
  const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first();
  const heading = (name: string | RegExp) => (page: Page) =>
    page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
  const filters = (page: Page) => page.getByRole('navigation', { name: 'Filters' });
  const reasons = (page: Page) => page.getByRole('treegrid', { name: 'Reasons' });
  const reason = (page: Page) => reasons(page).locator('[role=row][aria-level="1"]').first();
  const pair = (page: Page, name: string) =>
    page.getByRole('treegrid', { name: 'Pairs' }).getByRole('row', { name });
  /** Waits until this is in the clipboard. */
  const copied = (page: Page, text: RegExp) =>
    eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (found) => text.test(found),
      'the clipboard',
    );
  const callRow = (page: Page) =>
    page.getByRole('treegrid').locator('[role=row][aria-expanded]').first();
  const check = (page: Page, name: string) => rowOf(page, name).getByRole('checkbox');
  const verdict = (page: Page) => page.getByRole('group', { name: 'Verdict of exact' });
  /** Asks once for the name of who labels. */
  const asReviewer = async (page: Page) => {
    const name = page.getByRole('textbox', { name: 'Your name' });
    await name.or(verdict(page)).first().waitFor();
    if (await name.isVisible()) await name.fill('Ada').then(() => name.press('Enter'));
    await verdict(page).waitFor();
  };
  /** Labels ten results, and waits for the next one after each. */
  const labelTen = async (page: Page, label: () => Promise<void>) => {
    const title = page.getByRole('heading', { level: 1 });
    for (let n = 0; n < 10; n += 1) {
      const before = await title.innerText();
      await label();
      await title.filter({ hasNotText: before }).waitFor();
      await verdict(page).waitFor();
    }
  };

  const tasks: Readonly<Record<string, Task>> = {
    'Find the failing cases of one dataset': {
      at: '/?run=TODAY',
      mouse: async (hand) => {
        await hand.click(filters(hand.page).getByRole('button', { name: /refunds/ }));
        await hand.click(button(hand.page, / failed$/));
      },
      keys: async (hand) => {
        await hand.press('/');
        await hand.type('dataset=refunds status=failed');
        await hand.press('Enter');
      },
      done: (page) => untilShown(page, '4 of 24'),
    },
    'See why a case failed': {
      at: '/?run=TODAY&status=failed',
      mouse: (hand) => hand.click(link(hand.page, 'refund[r0]')),
      keys: (hand) => hand.press('j', 'Enter'),
      done: (page) => page.getByText('expected 30 days, got 14 days').first().waitFor(),
    },
    'See whether a reason is new': {
      at: '/?run=TODAY',
      mouse: (hand) => hand.click(hand.page.getByRole('tab', { name: /^Reasons/ })),
      keys: (hand) => hand.press('t'),
      done: (page) => reason(page).getByText('new', { exact: true }).waitFor(),
    },
    'List the calls that cost most': {
      at: '/?run=TODAY',
      mouse: (hand) => hand.click(hand.page.getByTitle('All calls of this run')),
      keys: (hand) => hand.command('calls of models'),
      done: heading('All calls of run today'),
    },
    'See what a call has sent': {
      at: '/runs/TODAY/calls',
      mouse: (hand) => hand.click(callRow(hand.page).locator('[role=gridcell]').last()),
      keys: (hand) => hand.press('j', 'Space'),
      done: (page) => page.getByRole('region', { name: 'Request' }).waitFor(),
    },
    'Compare with the run before': {
      at: '/?run=TODAY',
      mouse: (hand) => hand.click(link(hand.page, 'Compare')),
      keys: (hand) => hand.press('c'),
      done: heading(/^Compare/),
    },
    'See what differs between two prompts': {
      at: '/compare?run=YESTERDAY&run=TODAY',
      mouse: (hand) => hand.click(link(hand.page, 'Prompt')),
      keys: (hand) => hand.press('t'),
      done: (page) => page.getByText('4 of 24 part').waitFor(),
    },
    'See the prompts of one compared case': {
      at: '/compare?run=YESTERDAY&run=TODAY&change=regressed',
      mouse: async (hand) => {
        // The page remembers which pair the keys have opened, so this is another one.
        await hand.click(pair(hand.page, 'refund[r9]').getByRole('rowheader'));
        await hand.click(link(hand.page, 'Compare prompts'));
      },
      keys: async (hand) => {
        const focused = hand.page.locator('[role=row]:focus');
        await hand.press('j');
        await focused.waitFor();
        await hand.press(' ');
        await focused.getByText('Compare prompts').waitFor();
        await hand.press('ArrowRight');
        await hand.press('Enter');
      },
      done: (page) => page.getByText('1 of 24', { exact: true }).waitFor(),
    },
    'Search what was said': {
      at: '/?run=TODAY',
      mouse: async (hand) => {
        await hand.click(hand.page.getByLabel('Search', { exact: true }));
        await hand.type('find_order');
      },
      keys: async (hand) => {
        await hand.press('/');
        await hand.type('find_order');
      },
      done: (page) => untilShown(page, '12 of 24'),
    },
    'Find the slowest case': {
      at: '/?run=TODAY',
      mouse: (hand) =>
        hand.click(
          hand.page
            .getByRole('columnheader', { name: /^Latency/ })
            .getByRole('button')
            .first(),
        ),
      keys: (hand) => hand.command('slowest'),
      done: (page) => page.waitForURL(/[?&]sort=latency&order=desc/),
    },
    'Filter by a value of the metadata': {
      at: '/?run=TODAY',
      mouse: async (hand) => {
        await hand.click(button(hand.page, /^Filter/));
        await hand.click(hand.page.locator('[data-filter="where=metadata.tier=pro"]').first());
      },
      keys: (hand) => hand.command('tier=pro'),
      done: (page) => untilShown(page, '12 of 24'),
    },
    'Filter by a tool that a result has called': {
      at: '/runs/TODAY/results/0',
      mouse: async (hand) => {
        await hand.click(hand.page.getByRole('rowheader', { name: /gpt-5-mini/ }).first());
        await hand.click(link(hand.page, 'find_order'));
      },
      keys: (hand) => hand.command('tool=find_order'),
      done: (page) => untilShown(page, '12 of 24'),
    },
    'Filter by a model that a result has called': {
      at: '/runs/TODAY/results/12',
      mouse: async (hand) => {
        await hand.click(hand.page.getByRole('rowheader', { name: /gpt-4o-mini/ }).first());
        await hand.click(link(hand.page, /^gpt-4o-mini/));
      },
      keys: (hand) => hand.command('model=gpt-4o'),
      done: (page) => untilShown(page, '12 of 24'),
    },
    'List the cases of one reason': {
      at: '/?run=TODAY',
      mouse: async (hand) => {
        await hand.click(hand.page.getByRole('tab', { name: /^Reasons/ }));
        await hand.click(reason(hand.page));
        await hand.click(button(hand.page, /^Show in results/));
      },
      keys: async (hand) => {
        await hand.page.getByRole('tab', { name: /^Reasons/ }).waitFor();
        await hand.press('t');
        await reason(hand.page).waitFor();
        await hand.press('j', 'Enter');
      },
      done: (page) => untilShown(page, '4 of 24'),
    },
    'Rerun the cases of one reason': {
      at: '/?run=TODAY',
      mouse: async (hand) => {
        await hand.click(hand.page.getByRole('tab', { name: /^Reasons/ }));
        await hand.click(reason(hand.page));
        await asking(hand.page, /rerun$/, hand.click(button(hand.page, 'Rerun 4')));
      },
      keys: async (hand) => {
        await hand.page.getByRole('tab', { name: /^Reasons/ }).waitFor();
        await hand.press('t');
        await reason(hand.page).waitFor();
        await hand.press('j', 'x');
        await button(hand.page, 'Rerun 4 selected').waitFor();
        await asking(hand.page, /rerun$/, hand.press('r'));
      },
    },
    'Rerun some results': {
      at: '/?run=TODAY&dataset=refunds',
      mouse: async (hand) => {
        await hand.click(check(hand.page, 'refund[r1]'));
        await hand.click(check(hand.page, 'refund[r2]'));
        await asking(hand.page, /rerun$/, hand.click(button(hand.page, 'Rerun 2 selected')));
      },
      keys: async (hand) => {
        await hand.press('j', 'x', 'Shift+ArrowDown');
        await button(hand.page, 'Rerun 2 selected').waitFor();
        await asking(hand.page, /rerun$/, hand.press('r'));
      },
    },
    'Regrade what is shown': {
      at: '/?run=TODAY&dataset=refunds',
      mouse: async (hand) => {
        await hand.click(button(hand.page, 'More ways to run'));
        const regrade = item(hand.page, /^Regrade 12 shown/);
        await asking(hand.page, /regrade$/, hand.click(regrade));
      },
      keys: async (hand) => {
        await hand.press('j', 'Control+a');
        await button(hand.page, 'Rerun 12 selected').waitFor();
        await asking(hand.page, /regrade$/, hand.press('g'));
      },
    },
    'Annotate all that is shown': {
      at: '/?run=TODAY&status=passed',
      mouse: async (hand) => {
        await hand.click(hand.page.getByRole('checkbox').nth(1));
        await hand.click(button(hand.page, /^Select all/));
        await hand.click(button(hand.page, /^Annotate/));
        const dialog = hand.page.getByRole('dialog');
        await dialog.locator('textarea:focus').waitFor();
        await hand.type('seen');
        const save = dialog.getByRole('button', { name: 'Annotate' });
        await asking(hand.page, /results$/, hand.click(save));
      },
      keys: async (hand) => {
        await hand.press('j', 'Control+a');
        await hand.page.getByText('20 selected').first().waitFor();
        await hand.press('a');
        await hand.page.getByRole('dialog').locator('textarea:focus').waitFor();
        await hand.type('seen again');
        await asking(hand.page, /results$/, hand.press('Control+Enter'));
      },
    },
    'Export what is shown': {
      at: '/?run=TODAY&status=failed',
      mouse: (hand) =>
        downloaded(hand.page, async () => {
          await hand.click(button(hand.page, 'Export'));
          await hand.click(item(hand.page, /^JSON/));
        }),
      keys: (hand) =>
        downloaded(hand.page, async () => {
          await hand.press('e');
          await hand.page.locator('[role=menuitem]:focus').waitFor();
          await hand.press('Enter');
        }),
    },
    'Send a link to this view': {
      at: '/?run=TODAY&status=failed',
      mouse: async (hand) => {
        await hand.click(button(hand.page, 'Export'));
        await hand.click(item(hand.page, /^Copy the link/));
      },
      keys: (hand) => hand.press('y'),
      done: (page) => copied(page, /\/\?run=\w+&status=failed$/),
    },
    'Copy a case as TypeScript': {
      at: '/runs/TODAY/results/0',
      mouse: (hand) => hand.click(button(hand.page, 'Copy case as TypeScript')),
      keys: (hand) => hand.command('typescript'),
      done: (page) => copied(page, /id: 'r0'/),
    },
    'Go on to the next failing case': {
      at: '/runs/TODAY/results/0?status=failed',
      mouse: (hand) => hand.click(button(hand.page, 'Next, j')),
      keys: (hand) => hand.press('j'),
      done: heading('refund[r3]'),
    },
    'Set a verdict': {
      at: '/runs/TODAY/results/1',
      mouse: (hand) =>
        asking(
          hand.page,
          /results$/,
          hand.click(
            hand.page
              .getByRole('group', { name: 'Verdict of exact' })
              .getByRole('button', { name: /^Pass/ }),
          ),
        ),
      keys: (hand) => asking(hand.page, /results$/, hand.press('2')),
    },
    'Label ten results in a review': {
      at: '/runs/TODAY/review',
      there: asReviewer,
      mouse: (hand) =>
        labelTen(hand.page, () =>
          hand.click(verdict(hand.page).getByRole('button', { name: /^Pass/ })),
        ),
      keys: (hand) => labelTen(hand.page, () => hand.press('1')),
      done: (page) =>
        page
          .getByRole('banner')
          .getByText(/^[12]0 of 24/)
          .waitFor(),
    },
  };

  it('is in the document, with six clicks or keys at most, or one for each of ten results', () => {
    expect([...documented.keys()]).to.deep.equal(Object.keys(tasks));
    for (const [task, { mouse, keys }] of documented) {
      expect(Math.max(mouse, keys), task).to.be.at.most(task.includes(' ten ') ? 10 : 6);
    }
  });

  const hasRows = (page: Page) => page.locator('[role=row] [role=rowheader]').first().waitFor();
  for (const [task, { at, there = hasRows, done, ...ways }] of Object.entries(tasks)) {
    for (const way of ['keys', 'mouse'] as const) {
      it(`takes no more than the document says: ${task}, ${way}`, async () => {
        await served.until(({ state }) => state === 'finished');
        const [yesterday, today] = runs;
        const page = await kept.open(at.replace('YESTERDAY', yesterday).replace('TODAY', today));
        await there(page);
        await page.evaluate("navigator.clipboard.writeText('')");
        const hand = new Hand(page);
        await ways[way](hand);
        await done?.(page);
        expect(hand.acts).to.be.at.most(documented.get(task)?.[way] ?? 0);
      });
    }
  }
});
