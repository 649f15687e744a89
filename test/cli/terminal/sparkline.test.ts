import { expect } from 'chai';
import { renderSparkline } from '../../../src/cli/terminal/sparkline.js';

describe('renderSparkline', () => {
  it('goes from the lowest to the highest bar and marks what has no rate', () => {
    const rates = [0, 0.2, 0.3, 0.5, 0.6, 0.8, 1].map((estimate) => ({
      estimate,
      low: null,
      high: null,
    }));
    expect(renderSparkline([...rates, null])).to.equal('▁▂▃▄▅▆▇·');
  });
});
