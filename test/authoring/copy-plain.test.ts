import { expect } from 'chai';
import { copyPlain } from '../../src/authoring/copy-plain.js';

describe('copyPlain', () => {
  it('copies arrays and plain objects all the way down', () => {
    const value = { a: [{ b: 1 }], c: Object.freeze({ d: null }) };
    const copy = copyPlain(value);
    expect(copy).to.deep.equal(value);
    expect(copy.a[0]).not.to.equal(value.a[0]);
    expect(copy.c).not.to.equal(value.c);
    expect(copy.c).not.to.be.frozen;
  });

  it('shares everything else', () => {
    const value = { date: new Date(0), map: new Map(), call: () => 1, url: new URL('a:b') };
    const copy = copyPlain(value);
    for (const key of Object.keys(value) as (keyof typeof value)[]) {
      expect(copy[key]).to.equal(value[key]);
    }
  });

  it('keeps cycles and repeated parts', () => {
    const part = { n: 1 };
    const value: Record<string, unknown> = { one: part, two: part };
    value.self = value;
    const copy = copyPlain(value);
    expect(copy.self).to.equal(copy);
    expect(copy.one).to.equal(copy.two).and.not.to.equal(part);
  });

  it('keeps a key named __proto__ a key', () => {
    const copy = copyPlain(JSON.parse('{"__proto__":{"admin":true}}'));
    expect(Object.keys(copy)).to.deep.equal(['__proto__']);
    expect(copy.admin).to.equal(undefined);
  });

  it('survives great depth', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(copyPlain(value)).to.be.an('array');
  });
});
