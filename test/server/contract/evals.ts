import type { ServedProject } from '../../helpers/served-project.js';

/** What is never started, and what tells it from a run: 12 lowercase hex characters. */
export const runIdPattern = /^[0-9a-f]{12}$/;

/** Four results: passed, failed, passed by its body, error. */
export const mixedEvals = `
import { evaluation } from 'assay';
export const graded = evaluation({
  dataset: 'reviews',
  labels: ['smoke'],
  metadata: { language: 'en' },
  cases: [
    { id: 'good', input: 'nice', reference: 'pos' },
    { id: 'bad', input: 'awful', reference: 'neg' },
  ],
  target: ({ input }) => (input === 'nice' ? 'pos' : 'neutral'),
  evaluators: [
    function exact({ output, reference }) { return output === reference; },
    function size({ output }) { return { key: 'size', value: output.length }; },
  ],
});
export const plain = evaluation({ input: 1 }, (ctx) => { ctx.output = 2; });
export const fails = evaluation({}, () => { throw new Error('boom'); });
`;

/** Three results, a, b and c, each of which runs until there is a file go-a, go-b, go-c beside it, or it is stopped. */
export const slowEvals = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const slow = evaluation({
  cases: ['a', 'b', 'c'].map((id) => ({ id, input: id })),
  target: async ({ input, signal }) => {
    const go = new URL('./go-' + input, import.meta.url);
    while (!existsSync(go)) await delay(5, undefined, { signal });
    return input;
  },
  evaluators: [function done() { return true; }],
});
`;

/** Lets one of `slowEvals` end. */
export function letGo({ project }: ServedProject, ...ids: readonly string[]): void {
  for (const id of ids) project.write(`go-${id}`, '');
}

/** The statuses of a run's results. */
export function statusesOf(run: { readonly results: readonly Entry[] }): string[] {
  return run.results.map(({ result }) => result.status);
}

interface Entry {
  readonly result: { readonly status: string };
}

/**
 * One result per word of words.txt: its target writes the word to calls.txt and returns what answer.txt says, and
 * the grade is what verdict.txt says.
 */
const changingEvals = `
import { appendFileSync, readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8').trim();
export const changing = evaluation({
  cases: read('words.txt').split(' ').map((id) => ({ id, input: id })),
  target: ({ input, traceData, params }) => {
    appendFileSync(new URL('calls.txt', import.meta.url), input + ' ');
    traceData.tool = params.tool ?? 'none';
    return read('answer.txt');
  },
  evaluators: [function grade() { return read('verdict.txt') === 'yes'; }],
});
`;

/** A project of `changingEvals` with the words a, b and c and two run configs. */
export const changingProject = {
  'changing.eval.mjs': changingEvals,
  'words.txt': 'a b c',
  'answer.txt': 'first',
  'verdict.txt': 'yes',
  'assay.yaml': 'configs:\n  fast:\n    params: { tool: hammer }\n  slow: {}\n',
};
