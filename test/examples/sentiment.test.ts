import { expect } from 'chai';
import { describe, it } from 'mocha';
import { runExample, runNode } from './run-example.js';

/** What examples/sentiment/count.js counts without assay: "vader 829 of 1000". */
function countCorrect(model: string): { correct: number; total: number } {
  const [, correct, total] = /^\w+ (\d+) of (\d+)$/m.exec(
    runNode('examples/sentiment/count.js', model),
  ) as RegExpExecArray;
  return { correct: Number(correct), total: Number(total) };
}

describe('examples/sentiment', () => {
  for (const { model, config } of [
    { model: 'sentiment', config: 'default' },
    { model: 'vader', config: 'vader' },
    { model: 'wink', config: 'wink' },
  ]) {
    it(`counts as many correct reviews for ${model} as a count without assay`, () => {
      const run = runExample('examples/sentiment', '--run-config', config);
      const { correct, total } = countCorrect(model);
      expect(total).to.equal(1000);
      expect(run.total_evaluations).to.equal(total);
      expect(run.total_errors).to.equal(0);
      expect(run.total_passed).to.equal(correct);
      expect(run.config_name).to.equal(config);
    });
  }
});
