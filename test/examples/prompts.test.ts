import { expect } from 'chai';
import { assayJson } from './run-example.js';

interface GroupJson {
  readonly runs: Awaited<ReturnType<typeof assayJson>>[];
}

describe('examples/prompts', () => {
  it('compares six variants from the recordings of the checkout, without a key', async () => {
    const grid = [
      '--param',
      'prompt=terse,examples,steps',
      '--param',
      'model=gpt-4.1,gpt-4.1-mini',
    ];
    const flags = ['--offline', '--trials', '1', '--no-save', '--json'];
    const printed: unknown = await assayJson('run', 'examples/prompts', ...grid, ...flags);
    const { runs } = printed as GroupJson;
    expect(
      runs.map((run) => [run.run_name, run.total_passed, run.total_errors, run.usage?.calls]),
    ).to.deep.equal([
      ['terse gpt-4.1', 50, 0, 0],
      ['terse gpt-4.1-mini', 42, 0, 0],
      ['examples gpt-4.1', 55, 0, 0],
      ['examples gpt-4.1-mini', 47, 0, 0],
      ['steps gpt-4.1', 57, 0, 0],
      ['steps gpt-4.1-mini', 55, 0, 0],
    ]);
  });
});
