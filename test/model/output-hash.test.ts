import { expect } from 'chai';
import { outputHash } from '../../src/model/output-hash.js';

describe('the hash of an output', () => {
  it('is 16 hex digits of the SHA-256 of its compact JSON', () => {
    // printf '"positive"' | sha256sum
    expect(outputHash('positive')).to.equal('ec67c5ca00e59837');
  });

  it('tells outputs apart, and is the same for the same', () => {
    const outputs = ['', ' ', null, 0, '0', [], {}, { a: 1 }, { a: '1' }];
    expect(new Set(outputs.map(outputHash)).size).to.equal(outputs.length);
    expect(outputHash({ a: [1, 'ü'] })).to.equal(outputHash({ a: [1, 'ü'] }));
  });
});
