import { expect } from 'chai';
import { loadedDifference, platform } from '../../src/workers/checkout-hashes.js';

const there = { settings: 's', packages: ['b@1.0.0', 'w@2.0.0'], isOfAll: true };
const files = { 'a.eval.ts': 'hash', 'lib/a.ts': 'hash' };

/** What differs between a run and a worker that has loaded this. */
function difference(own: object, run: object = {}): string | undefined {
  return loadedDifference(
    { ...there, platform: platform(), ...run },
    { files },
    { files: ['a.eval.ts'], settings: 's', packages: there.packages, ...own },
  );
}

describe('what a worker has loaded', () => {
  it('is the same as in the run, with as many versions of a package', () => {
    expect(difference({})).to.equal(undefined);
    expect(difference({ packages: ['b@1.0.0', 'w@1.0.0', 'w@2.0.0'] })).to.equal(
      'the package w is 1.0.0, 2.0.0 in its checkout, and 2.0.0 in the run',
    );
  });

  it('differs by a module, by compiler options and by a package that only one of them has', () => {
    expect(difference({ files: ['a.eval.ts', 'lib/a.js'] })).to.match(/^lib\/a\.js is loaded/);
    expect(difference({ settings: 'other' })).to.match(/^compiler options/);
    expect(difference({ packages: ['b@1.0.0'] })).to.equal(
      'the package w is not loaded in its checkout, and 2.0.0 in the run',
    );
    expect(difference({ packages: [...there.packages, '@x/y@1.0.0'] })).to.equal(
      'the package @x/y is 1.0.0 in its checkout, and not loaded in the run',
    );
  });

  it('may lack what a file has loaded that could not be imported, and have other packages on another platform', () => {
    const failed = { isOfAll: false };
    expect(difference({ settings: 'other', packages: ['b@1.0.0'] }, failed)).to.equal(undefined);
    expect(difference({ packages: ['b@2.0.0'] }, failed)).to.match(/^the package b is 2\.0\.0 /);
    const elsewhere = { platform: 'plan9 mips' };
    expect(difference({ packages: ['b@1.0.0', 'c@1.0.0'] }, elsewhere)).to.equal(undefined);
    expect(difference({ packages: ['b@2.0.0'] }, elsewhere)).to.match(/^the package b is/);
  });
});
