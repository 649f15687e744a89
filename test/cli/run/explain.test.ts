import assert from 'node:assert/strict';
import { Chalk } from 'chalk';
import { renderExplanation } from '../../../src/cli/run/explain.js';
import type { BaseRun, Decision } from '../../../src/runner/changes/decide-row.js';

const base = { run_id: '1', run_name: 'brisk-otter' } as BaseRun;

describe('renderExplanation', () => {
  const sentences: readonly (readonly [Partial<Decision>, string])[] = [
    [
      { action: 'run', reason: 'app.ts', changed: 'target' },
      'runs: app.ts has changed since brisk-otter, and its target depends on that',
    ],
    [
      { action: 'run', reason: 'a.ts, b.ts', changed: 'grading', notRegraded: 'it is not exact' },
      'runs: a.ts, b.ts have changed since brisk-otter. Only its grading depends on that, but it is not exact',
    ],
    [
      { action: 'run', reason: 'names in prompts' },
      'runs: names in prompts have changed since brisk-otter',
    ],
  ];
  for (const [decision, said] of sentences) {
    it(said, () => {
      const explained = {
        ...{ id: 'a.eval.ts::e', base, decision: decision as Decision },
        inputs: [{ part: 'target', state: 'changed', name: 'app.ts' }],
      } as const;
      const [title] = renderExplanation(explained, new Chalk({ level: 0 })).split('\n');
      assert.equal(title, `  a.eval.ts::e   ${said}`);
    });
  }
});
