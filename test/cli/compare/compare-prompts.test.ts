import { expect } from 'chai';
import { renderPrompts, shownPrompts } from '../../../src/cli/compare/compare-prompts.js';
import { coloursFor } from '../../../src/cli/terminal/colour.js';
import type { StoredRun } from '../../../src/store/stored-run.js';
import { finished, startedRun, temporaryStore } from '../../store/builders.js';

describe('assay compare --prompts', () => {
  const runOf = async (system: string, answer: string): Promise<StoredRun> => {
    const owner = await startedRun(await temporaryStore(), 2, { run_name: system });
    const texts = [
      { role: 'system', content: `Be kind.\n${system}` },
      { role: 'user', content: 'q' },
      { role: 'assistant', content: answer },
    ];
    const model_call = { provider: 'openai', operation: 'chat', messages: [0, 1], answer: [2] };
    const call = { number: 1, role: 'target', method: 'POST', url: 'http://m/', start: 0 } as const;
    owner.finish([finished(0, { calls: { calls: [{ ...call, model_call }], texts } })]);
    await owner.close('finished');
    return owner.run;
  };

  it('prints what is common as a unified diff, and where traces part', async () => {
    const stored = [await runOf('Be brief.', 'one'), await runOf('Be long.', 'two')];
    const shown = await shownPrompts(stored);
    const lines = renderPrompts(shown, coloursFor('stdout')).split('\n');
    expect(lines.slice(0, 6)).to.deep.equal([
      '  system prompt of target, in 1 pair',
      '  --- Be brief.',
      '  +++ Be long.',
      '  @@ -1,2 +1,2 @@',
      '   Be kind.',
      '  -Be brief.',
    ]);
    expect(lines).to.include('  parameters of target: same in both, 1 pair');
    expect(lines).to.include(
      '  1 of 1 trace part: last answer 1 · 1 case without calls in one of the runs',
    );
    expect(shown.cases).to.deep.equal([
      { id: 'evals/a.eval.ts::refund[0]', parts: 'last_answer', call: 1 },
    ]);
  });

  it('refuses what is no saved run', async () => {
    const refused = await shownPrompts([undefined, undefined]).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'usage');
  });
});
