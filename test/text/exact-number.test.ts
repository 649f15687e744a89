import { expect } from 'chai';
import { hasInexactNumber } from '../../src/text/exact-number.js';

describe('numbers that change when JSON is read', () => {
  const kept =
    '0 -0 1 1.0 1e3 1E+3 1000 0.1 0.30000000000000004 9007199254740992 1e21 1e300 -1.5e-7 0.0';
  const changed =
    '9007199254740993 12345678901234567890 1e999 -1e999 1e-400 0.12345678901234567890';
  it('are those of too many digits, or too large', () => {
    for (const text of kept.split(' ')) expect(hasInexactNumber(text), text).to.equal(false);
    for (const text of changed.split(' ')) expect(hasInexactNumber(text), text).to.equal(true);
  });

  it('are found in lists and objects, and not in texts', () => {
    expect(hasInexactNumber('{"a":[1,12345678901234567890]}')).to.equal(true);
    expect(hasInexactNumber('{"12345678901234567890":"\\"12345678901234567890"}')).to.equal(false);
  });
});
