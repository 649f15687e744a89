import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';
import { type Answer, answers, callTokens, prices } from './answers.js';

/** A project whose model answers as `answers` says. */
export interface MeaningProject {
  readonly project: Project;
  /** What its commands need of their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Another prompt, another grader, and an edit that changes no request. */
  readonly edit: () => void;
  /** Runs a command on it, or on a copy; answers with all that it prints. */
  readonly assay: (project: Project, ...args: readonly string[]) => Promise<string>;
}

/** Starts the model and makes the project. */
export async function makeProject(): Promise<MeaningProject> {
  const asked = new Map<string, number>();
  const provider = await startFakeProvider(({ json }) => {
    const [{ content: prompt }] = json.messages as [{ content: string }];
    const before = asked.get(prompt) ?? 0;
    asked.set(prompt, before + 1);
    const [prompted = '', name = '', id = '', trial = ''] = prompt.split(' ');
    const answer: Answer = answers(prompted, name, Number(id), Number(trial), before);
    const usage = { ...callTokens, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    return { text: JSON.stringify(answer), usage };
  });
  const project = new Project({
    'answer.eval.mjs': evalFile('answer', 20, 2, 'first'),
    'kept.eval.mjs': evalFile('kept', 3, 1, 'first'),
    'again.eval.mjs': evalFile('again', 2, 1, 'first'),
    'graded.eval.mjs': evalFile('graded', 2, 1, 'first'),
    'assay.yaml': `prices:\n  small: ${JSON.stringify(prices)}\n`,
  });
  const env = { MODEL: provider.url, COLUMNS: '500' };
  return {
    project,
    env,
    edit: () => {
      project.write('answer.eval.mjs', evalFile('answer', 20, 2, 'second'));
      project.write('again.eval.mjs', `${evalFile('again', 2, 1, 'first')}\nvoid 0;\n`);
      project.write('graded.eval.mjs', evalFile('graded', 2, 1, 'first').replace('>= 2', '> 1'));
    },
    assay: async (of, ...args) => {
      const own = { ...env, GITHUB_STEP_SUMMARY: of.path('summary.md') };
      const { stdout, stderr } = await of.assay(args, { env: own });
      return stdout + stderr;
    },
  };
}

/** An evaluation whose target asks the model, and whose evaluators read what it says of itself. */
function evalFile(name: string, cases: number, trials: number, prompt: string): string {
  return `
import { evaluation } from 'assay';
const exact = ({ output }) => output.exact;
const rating = ({ output: { rating: value } }) => value && { value, passed: value >= 2 };
const near = ({ output: { near: value } }) => value && { value };
const words = ({ output: { words: value } }) => ({ value });
export const ${name} = evaluation({
  trials: ${trials},
  cases: Array.from({ length: ${cases} }, (_, input) => ({ id: String(input), input })),
  scores: { near: { threshold: 0.6 }, words: { better: 'lower' } },
  target: async ({ input, trial = 1 }) => {
    const content = ['${prompt}', '${name}', input, trial].join(' ');
    const answer = await fetch(process.env.MODEL + '/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'small', messages: [{ role: 'user', content }] }),
    });
    const said = JSON.parse((await answer.json()).choices[0].message.content);
    if (said.error) throw new Error('no answer');
    return said;
  },
  evaluators: [exact, rating, near, words],
});
`;
}
