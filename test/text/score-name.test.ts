import { expect } from 'chai';
import { scoreName } from '../../src/text/score-name.js';

describe('the name of a score', () => {
  it('says that it is one where a figure of assay has the same name', () => {
    for (const key of [
      'pass rate',
      'Latency',
      'cost',
      'calls',
      'model tokens',
      'pass@3',
      'pass^5',
    ]) {
      expect(scoreName(key)).to.equal(`${key} (score)`);
    }
    for (const key of ['tokens', 'pass_rate', 'cost of tools', 'exact']) {
      expect(scoreName(key)).to.equal(key);
    }
  });
});
