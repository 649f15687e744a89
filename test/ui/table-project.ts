import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';

const many = `
import { evaluation } from 'assay';
const cases = (n) => Array.from({ length: n }, (_, i) => ({
  id: 'case_' + i, input: 'Question ' + i, reference: { n: i }, labels: i % 10 === 0 ? ['slow'] : [],
}));
export const answer = evaluation({
  dataset: 'orders', cases: cases(160),
  target: (ctx) => {
    if (ctx.reference.n === 3) throw new TypeError('no such order');
    return { answer: ctx.reference.n, text: 'line one\\nline two' };
  },
}, (ctx) => {
  ctx.score({ key: 'exact', passed: ctx.reference.n % 4 !== 1, notes: 'Wanted another answer.' });
  ctx.score('size', ctx.reference.n / 100);
});
export const tone = evaluation({
  dataset: 'tone', cases: cases(40), target: (ctx) => 'Dear customer ' + ctx.reference.n,
}, (ctx) => { ctx.score('polite', true); });
`;

const trials = `
import { evaluation } from 'assay';
export const cancel = evaluation({
  dataset: 'trials', trials: 5, cases: [{ id: 'once', input: 'Cancel A-1.' }, { id: 'twice', input: 'Cancel A-2.' }],
  target: (ctx) => 'Cancelled ' + ctx.trial,
}, (ctx) => { ctx.score('correct', ctx.input === 'Cancel A-1.' || ctx.trial % 2 === 1); });
`;

/** A server with 210 results: 160 orders (40 failed, one an error), 40 of tone, two evaluations with five trials. */
export async function serveMany(): Promise<ServedProject> {
  const served = await ServedProject.start(
    { 'many.eval.ts': many, 'trials.eval.ts': trials },
    { ui: builtUi },
  );
  await served.runAll();
  return served;
}
