import { expect } from 'chai';
import { ownProxy } from '../../src/host/replace-method.js';

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
