import { expect } from 'chai';
import fc from 'fast-check';
import { findJsonFault, findJsonKey } from '../../src/text/json-position.js';

describe('findJsonFault', () => {
  it('finds the end of every text that is cut off', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length);
        let isJson = true;
        try {
          JSON.parse(cut);
        } catch {
          isJson = false;
        }
        const { offset, reason } = findJsonFault(cut);
        if (isJson) expect(reason).to.equal('it is not JSON');
        else expect(offset).to.be.within(0, cut.length);
      }),
    );
  });

  it('finds no fault where there is none', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonFault(text)).to.deep.equal({ offset: 0, reason: 'it is not JSON' });
      }),
    );
  });

  it('copes with strings of megabytes', () => {
    const text = `["${'a\\n'.repeat(1_000_000)}", x]`;
    expect(findJsonFault(text).offset).to.equal(text.length - 2);
  });
});

describe('findJsonKey', () => {
  const text = '[ {"a": [{"b": 1}], "b": {"a": 2}},\n "x", {"a": 3} ]';

  it('finds values by position and their keys', () => {
    expect(findJsonKey(text, [0])).to.equal(text.indexOf('{"a": ['));
    expect(findJsonKey(text, [1])).to.equal(text.indexOf('"x"'));
    expect(findJsonKey(text, [0], 'b')).to.equal(text.indexOf('"b": {'));
    expect(findJsonKey(text, [2], 'a')).to.equal(text.indexOf('"a": 3'));
  });

  it('falls back to the value for a key that is not there', () => {
    expect(findJsonKey(text, [2], 'zzz')).to.equal(text.indexOf('{"a": 3'));
    expect(findJsonKey(text, [9], 'a')).to.equal(0);
  });
});
