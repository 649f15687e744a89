import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project } from '../helpers/project.js';
import { patience, seed, times } from '../helpers/rounds.js';
import { runProblems } from '../helpers/run-shape.js';

const samples = new URL('./hostile-values.ts', import.meta.url);

describe('a run of evaluations that return, throw and print anything', function () {
  this.timeout(patience);

  it('has a result of every one, all made by the same process', async () => {
    const count = times(60);
    const project = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
import { hostileSamples } from ${JSON.stringify(samples.href)};

const values = hostileSamples(${seed}, ${count});
const cases = values.map((_, at) => ({ id: String(at), input: at }));
const valueOf = (ctx) => values[ctx.input];

export const returns = evaluation({ cases, target: valueOf, evaluators: [valueOf] });
export const throws = evaluation({ cases }, (ctx) => { throw valueOf(ctx); });
export const prints = evaluation({ cases }, (ctx) => {
  ctx.traceData.value = valueOf(ctx);
  console.log(valueOf(ctx));
});
export const sets = evaluation({ cases: values.map((input, at) => ({ id: String(at), input, reference: input })) }, (ctx) => {
  ctx.output = { again: ctx.input };
  ctx.metadata = { value: ctx.reference };
  ctx.score('exists', true);
});
export const process_ = evaluation({ name: 'process' }, (ctx) => { ctx.output = process.pid; });
export const last = evaluation({ name: 'last', cases: [{ input: 0 }] }, (ctx) => { ctx.output = process.pid; });
`,
    });
    const { stdout, stderr } = await project.assay(['run', '--json', '--timeout', '1']);
    const run = JSON.parse(stdout) as RunJson;
    expect(runProblems(run), `seed ${seed}: ${stderr}`).to.deep.equal([]);
    expect(run.results).to.have.lengthOf(4 * count + 2);
    for (const { id, result } of run.results) {
      expect(result.status, `seed ${seed}: ${id}`).to.be.oneOf(['completed', 'error']);
      expect(result.error ?? '', `seed ${seed}: ${id}`).not.to.match(
        /process that ran|process ended|malformed/,
      );
    }
    const [first, last] = run.results.slice(-2).map(({ result }) => result.output);
    expect(first, `seed ${seed}`).to.be.a('number').and.equal(last);
  });
});
