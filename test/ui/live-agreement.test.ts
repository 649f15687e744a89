import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { eventually } from './screen.js';
import { openTable } from './table-project.js';

const cases = 24;

const evals = `
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const quick = evaluation({
  cases: Array.from({ length: ${cases} }, (_, i) => ({ id: 'c' + i, input: i })),
  target: async (ctx) => {
    while (ctx.input >= Number(readFileSync(new URL('go', import.meta.url), 'utf8'))) await delay(10);
    if (ctx.input % 6 === 5) throw new Error('no answer');
    return 'answer ' + ctx.input;
  },
}, (ctx) => { ctx.score('exact', ctx.input % 3 !== 1); });
`;

/** What one frame of the page says of a run. */
interface Frame {
  /** The progress in the top bar: `4 / 18`. */
  readonly progress: { readonly done: number; readonly of: number };
  /** Finished results by the counts of the summary. */
  readonly counted: number;
  readonly unfinished: number;
  /** Finished rows of the table. */
  readonly rows: number;
  /** Results by the score `exact`, and errors: an error has no scores. */
  readonly scored: number;
}

/** Notes in each frame what is about to be painted, while there is a progress. */
const noteFrames = `
  window.frames = [];
  const number = (text) => Number(/[0-9]+/.exec(text ?? '')?.[0] ?? 0);
  const named = (name) => [...document.querySelectorAll('section[aria-label^=Summary] button')]
    .find((button) => button.textContent.includes(name))?.textContent;
  const note = () => {
    const bar = document.querySelector('[role=progressbar]');
    if (bar !== null) {
      const counts = ['passed', 'failed', 'error', 'no verdict'].map((name) => number(named(name)));
      const marks = [...document.querySelectorAll('[role=row][data-line] [role=img]:first-of-type')];
      const words = new Set(['passed', 'failed', 'error', 'no verdict']);
      const exact = document.querySelector('[role=table][aria-label=Scores]')?.textContent ?? '';
      window.frames.push({
        progress: { done: number(bar.ariaValueNow), of: number(bar.ariaValueMax) },
        counted: counts.reduce((sum, count) => sum + count, 0),
        unfinished: number(/([0-9]+)\\s+to go/.exec(document.body.innerText)?.[1]),
        rows: new Set(marks.filter((mark) => words.has(mark.getAttribute('aria-label')))
          .map((mark) => mark.closest('[role=row]'))).size,
        scored: counts[2] + number(/[0-9]+ \\/ ([0-9]+)/.exec(exact)?.[1]),
      });
    }
    requestAnimationFrame(note);
  };
  note();
`;

describe('progress, counts and rows of a run in progress', function () {
  this.timeout(120_000);

  it('agree in every frame', async () => {
    const served = await ServedProject.start(
      { 'quick.eval.ts': evals, 'assay.yaml': 'concurrency: 2\n', go: '0' },
      { ui: builtUi },
    );
    const { page, faults } = await openTable(served);
    await page.evaluate(noteFrames);
    await page.getByRole('button', { name: `Run ${cases}` }).click();
    const done = () => page.getByRole('progressbar').getAttribute('aria-valuenow');
    for (const few of [4, 8, 12, 16]) {
      served.project.write('go', String(few));
      await eventually(done, (now) => now === String(few), `${few} that are done`);
    }
    served.project.write('go', String(cases));
    await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor();
    const frames = await page.evaluate<Frame[]>('frames');
    const seen = new Set(frames.map(({ progress }) => progress.done));
    // Not only the beginning and the end.
    expect(seen.size).to.be.greaterThan(3);
    for (const frame of frames) {
      const { done, of } = frame.progress;
      const said = JSON.stringify(frame);
      expect(of, said).to.equal(cases);
      expect(frame.counted, said).to.equal(done);
      expect(frame.unfinished, said).to.equal(of - done);
      expect(frame.rows, said).to.equal(done);
      expect(frame.scored, said).to.equal(done);
    }
    expect(faults).to.deep.equal([]);
  });
});
