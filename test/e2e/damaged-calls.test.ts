import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
export const hi = evaluation({
  cases: [1, 2].map((n) => ({ id: String(n), input: n })),
  target: async (ctx) => {
    const answer = await fetch(process.env.MODEL + '/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-5-mini', messages: [{ role: 'user', content: 'hi ' + ctx.input }] }),
    });
    await answer.text();
    return ctx.input;
  },
  evaluators: [({ calls }) => ({ key: 'once', passed: calls.length === 1 })],
});
`;

describe('a damaged line of calls', () => {
  it('takes nothing but the calls of its result from the run', async () => {
    await using provider = await startFakeProvider();
    const project = new Project({ 'a.eval.ts': evals });
    await project.run(['--shard', '1/1'], { env: { MODEL: provider.url } });
    const [id = ''] = readdirSync(project.path('.assay/sessions/default'));
    const log = project.path('.assay/sessions/default', id, 'results.jsonl');
    const whole = readFileSync(log, 'utf8');
    writeFileSync(log, whole.replace(/("type":"calls","index":0,"calls":)\[/, '$1x'));
    const warned = /1 line of .*results\.jsonl cannot be read and was left out/;

    const shown = await project.assay(['show', id, 'a.eval.ts::hi[1]']);
    expect(shown.stderr).to.match(warned);
    expect(shown.stdout).to.contain('1 call ·').and.not.contain('chat/completions');

    // The merged run says that calls are missing, too.
    const merge = await project.assay(['sessions', 'merge', id, '--json']);
    expect(merge.code, merge.stderr).to.equal(0);
    expect(merge.stderr).to.match(warned);
    const merged = JSON.parse(merge.stdout).run_id;
    for (const run of [id, merged]) {
      const regraded = await project.assay(['run', '--regrade', run]);
      expect(regraded.stderr).to.contain('the line with its calls is damaged');
      const kept = await project.exported(run);
      const scores = kept.run.results.map(({ result }) => result.scores[0]?.passed);
      expect(scores).to.deep.equal([true, true]);
      expect(kept.run.results.map((one) => one.former_grade)).to.deep.equal([true, undefined]);
    }

    const inexact = await project.run(['--regrade', merged, '--regrade-inexact']);
    const [first] = inexact.run.results;
    expect(first?.result.scores[0]).to.deep.include({ passed: false, inexact: true });
    expect(first?.result.usage?.calls).to.equal(1);
    const again = await project.assay(['run', '--regrade', merged]);
    expect(again.stderr).to.contain('the line with its calls is damaged');
  });
});
