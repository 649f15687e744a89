import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

const files = {
  'app.ts': `
import { currentEvaluation } from 'assay';
export const atImport = currentEvaluation();
export async function agent(input: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 20 - input));
  const current = currentEvaluation();
  if (current === undefined) return 'outside';
  current.traceData.from = 'the app';
  return [current.input, current.functionName, current.caseId, current.runName].join(' ');
}
`,
  'a.eval.ts': `
import { currentEvaluation, evaluation } from 'assay';
import { agent, atImport } from './app.ts';
const outside: unknown[] = [atImport, currentEvaluation()];
export const tagged = evaluation({
  cases: () => {
    outside.push(currentEvaluation());
    return Array.from({ length: 20 }, (_, input) => ({ id: 'c' + input, input }));
  },
  target: (ctx) => agent(ctx.input),
  evaluators: [
    () => ({ key: 'graded', passed: currentEvaluation()?.output !== undefined }),
    function outsideIsUndefined() { return outside.length === 3 && outside.every((one) => one === undefined); },
  ],
}, (ctx) => { ctx.score('same', currentEvaluation() === ctx); });
`,
};

describe('currentEvaluation', () => {
  it('is the context of the attempt that calls, also from another copy of the package and from CommonJS, and undefined outside of attempts', async () => {
    const project = new Project({
      ...files,
      'copies.eval.ts': `
import { currentEvaluation, evaluation } from 'assay';
import { copied } from './app/copied.js';
import required from './required.cjs';
export const one = evaluation({ target: (ctx) => [
  currentEvaluation() === ctx, copied() === ctx, required() === ctx,
] });
`,
      'app/copied.ts':
        "import { currentEvaluation } from 'assay'; export const copied = () => currentEvaluation();",
      'required.cjs':
        "const { currentEvaluation } = require('assay'); module.exports = () => currentEvaluation();",
    });
    copyPackage(project.path('app/node_modules/assay'));
    const { run, result } = await project.run(['--run-name', 'swift', '--concurrency', '20']);
    expect(result('one').output).to.deep.equal([true, true, true]);
    const tagged = run.results.filter(({ id }) => id.startsWith('a.eval.ts'));
    expect(tagged.map(({ result }) => result.output)).to.deep.equal(
      Array.from({ length: 20 }, (_, at) => `${at} tagged c${at} swift`),
    );
    for (const { result } of tagged) {
      expect(result.error).to.equal(null);
      expect(result.trace_data).to.deep.equal({ from: 'the app' });
      expect(result.scores.map(({ passed }) => passed)).to.deep.equal([true, true, true]);
    }
  });

  it('is undefined in an app of its own, and works below runEvaluations', () => {
    const project = new Project({
      ...files,
      'script.mjs': `
import { currentEvaluation } from 'assay';
import { runEvaluations } from 'assay/node';
const { results } = await runEvaluations({ runName: 'quick' });
console.log(JSON.stringify([currentEvaluation() === undefined, results[3].result.output]));
`,
    });
    const { stdout, stderr } = spawnSync(process.execPath, ['script.mjs'], { cwd: project.folder });
    expect(stderr.toString()).to.equal('');
    expect(JSON.parse(stdout.toString())).to.deep.equal([true, '3 tagged c3 quick']);
  });
});

/** What a second installation of the package has for eval files. */
function copyPackage(folder: string): void {
  for (const part of ['package.json', 'dist/host-bundle']) {
    mkdirSync(dirname(`${folder}/${part}`), { recursive: true });
    cpSync(`${checkout}${part}`, `${folder}/${part}`, { recursive: true });
  }
}
