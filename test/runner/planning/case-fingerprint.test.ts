import { expect } from 'chai';
import { differingParams, paramsHash } from '../../../src/runner/planning/case-fingerprint.js';

type Calls = Parameters<typeof paramsHash>[0]['calls'];

const hashOf = (params: { [name: string]: number }, calls: Calls = { capture: 'full' }) =>
  paramsHash({ params, calls });

describe('the hash of params', () => {
  it('tells the order of keys apart, of which a prompt may be made', () => {
    expect(hashOf({ a: 2, k: 1 })).to.equal(hashOf({ a: 2, k: 1 }));
    expect(hashOf({ a: 2, k: 1 })).to.not.equal(hashOf({ k: 1, a: 2 }));
  });

  it('tells settings apart with which graders see other calls, and names them', () => {
    const full = hashOf({ a: 2 });
    expect(hashOf({ a: 2 }, { capture: 'usage', captureMib: 1, notModels: [] })).to.equal(full);
    const others: Calls[] = [
      { capture: 'off' },
      { capture: 'full', notModels: ['a.example'] },
      { capture: 'usage', notModels: ['b.example'] },
    ];
    const hashes = [full, ...others.map((calls) => hashOf({ a: 2 }, calls))];
    expect(new Set(hashes).size).to.equal(4);
    expect(hashOf({ a: 2 }, { capture: 'off', notModels: ['a.example'] })).to.equal(hashes[1]);
    const settings = 'the setting capture or not_models';
    expect(differingParams(full, hashes[1] ?? '')).to.equal(settings);
    expect(differingParams(hashes[2], hashes[1] ?? '')).to.equal(settings);
    expect(differingParams(hashOf({ a: 3 }), hashes[1] ?? '')).to.equal('params');
    expect(differingParams(undefined, full)).to.equal('params');
  });
});
