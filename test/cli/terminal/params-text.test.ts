import { expect } from 'chai';
import { Chalk } from 'chalk';
import { escapedParams } from '../../../src/cli/terminal/params-text.js';

describe('escapedParams', () => {
  const run = { params: { model: 'swift', prompt: 'v14\u001b[2J', temperature: 0.2 } };
  const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
  const cases = [
    ['is plain without a run before', undefined, String],
    ['is plain where nothing differs', run, String],
    ['is bold for another value', { params: { ...run.params, model: 'large' } }, bold],
    [
      'is bold for a param that the run before does not have',
      { params: { prompt: run.params.prompt, temperature: 0.2 } },
      bold,
    ],
  ] as const;
  for (const [fact, before, paint] of cases) {
    it(fact, () => {
      const text = escapedParams(run, before, new Chalk({ level: 1 }));
      expect(text.startsWith(`${paint('model=swift')} prompt=`)).to.equal(true);
      expect(text).to.not.include('\u001b[2J');
      expect(escapedParams(run, before, new Chalk({ level: 0 }))).to.not.include('\u001b');
    });
  }
});
