import type { Files } from '../../helpers/project-folder.js';

/** Five results: two cases, two trials, and one without a target that throws. */
const evals = `import { evaluation } from 'assay';

export const upper = evaluation({
  cases: [
    { id: 'x', input: 'x', reference: 'X' },
    { id: 'y', input: '=y', reference: 'Z' },
  ],
  labels: ['smoke'],
  target: (ctx) => ctx.input.toUpperCase(),
  evaluators: [
    function exact({ output, reference }) {
      return output === reference;
    },
  ],
});

export const tried = evaluation({ input: 1, trials: 2, target: (ctx) => ctx.trial }, (ctx) => {
  ctx.score('first', ctx.output === 1);
  ctx.score('size', 3.5);
});

export const broken = evaluation({ input: 1 }, () => {
  throw new Error('boom');
});
`;

const settings = `# mine
concurrency: 4 # four
other: 1
verbose: true
configs:
  fast:
    concurrency: 2
`;

/** A small project with a settings file. */
export const sampleFiles: Files = { 'a.eval.ts': evals, 'assay.yaml': settings };
