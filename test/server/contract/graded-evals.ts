/** 0 and 1 have a target; 2 has none; the target of 3 fails; a grader of 4 fails unless the verdict is yes. */
export const gradedEvals = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
const place = (name) => new URL(name, import.meta.url);
const isYes = () => readFileSync(place('verdict.txt'), 'utf8').trim() === 'yes';
export const graded = evaluation({
  cases: [
    { id: 'a', input: 'a', reference: 'A', metadata: { tier: 1 } },
    { id: 'b', input: 'b', reference: 'B', metadata: { tier: 2 } },
  ],
  target: ({ input, traceData }) => {
    appendFileSync(place('calls.txt'), input);
    traceData.traceUrl = 'https://example.org/' + input;
    return input.toUpperCase();
  },
  evaluators: [
    async function strict() {
      while (existsSync(place('hold'))) await delay(5);
      return isYes();
    },
    function sees(given) { return { key: 'sees', value: 1, notes: JSON.stringify(given) }; },
  ],
}, (ctx) => { ctx.score('body', ctx.output === ctx.reference); });
export const noTarget = evaluation({ input: 1 }, (ctx) => { ctx.output = 2; ctx.score('body', isYes()); });
export const targetFails = evaluation({ target: () => { throw new Error('no answer'); } });
export const graderFails = evaluation({
  target: () => 'fine',
  evaluators: [function picky() { if (!isYes()) throw new Error('cannot grade'); return true; }],
});
`;
