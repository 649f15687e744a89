import { expect } from 'chai';
import { JSON as ownJson } from '../../src/host/primitives.js';
import { ownProxy } from '../../src/host/replace-method.js';

describe('the JSON of a host', () => {
  const added = { value: () => 'theirs', configurable: true, enumerable: true, writable: true };

  for (const type of [Object, Array, String, Number, Boolean]) {
    it(`is not changed by a toJSON of ${type.name}.prototype, which stays`, () => {
      const value = { list: [1, 'text', true, { a: null }], date: new Date(0) };
      const expected = JSON.stringify(value, null, 1);
      Object.defineProperty(type.prototype, 'toJSON', added);
      try {
        expect(ownJson.stringify(value, null, 1)).to.equal(expected);
        expect(Object.getOwnPropertyDescriptor(type.prototype, 'toJSON')).to.deep.equal(added);
      } finally {
        Reflect.deleteProperty(type.prototype, 'toJSON');
      }
    });
  }

  it('puts it back if the value cannot be JSON', () => {
    Object.defineProperty(Object.prototype, 'toJSON', added);
    try {
      expect(() => ownJson.stringify({ a: 1n })).to.throw(/BigInt/);
      expect(Object.hasOwn(Object.prototype, 'toJSON')).to.equal(true);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'toJSON');
    }
  });
});

describe('ownProxy', () => {
  it('has no trap that user code gives all objects', () => {
    class Real {}
    const proxied = ownProxy(Real, { construct: () => ({ made: true }) });
    Object.defineProperty(Object.prototype, 'get', { value: () => 'theirs', configurable: true });
    let seen: unknown[] = [];
    try {
      seen = [proxied.prototype, new proxied()];
    } finally {
      Reflect.deleteProperty(Object.prototype, 'get');
    }
    expect(seen).to.deep.equal([Real.prototype, { made: true }]);
  });
});
