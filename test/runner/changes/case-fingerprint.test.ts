import { expect } from 'chai';
import { paramsHash } from '../../../src/runner/changes/case-fingerprint.js';

describe('the hash of params', () => {
  it('tells the order of keys apart, of which a prompt may be made', () => {
    expect(paramsHash({ a: 2, k: 1 })).to.equal(paramsHash({ a: 2, k: 1 }));
    expect(paramsHash({ a: 2, k: 1 })).to.not.equal(paramsHash({ k: 1, a: 2 }));
  });
});
