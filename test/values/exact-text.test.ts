import { expect } from 'chai';
import fc from 'fast-check';
import { convert } from '../../src/values/convert.js';
import { exactText, isExactJson } from '../../src/values/exact-text.js';
import { patience, rounds } from '../helpers/rounds.js';
import { hostileRecipe, make } from '../properties/hostile-values.js';

describe('exact texts of values', () => {
  it('differ between an object that is there twice and one that equals it', () => {
    const one = { a: 1 };
    const other = { a: 1 };
    const values = [
      [one, { a: 1 }, one, { a: 1 }],
      [one, other, other, one],
      [one, other, { a: 1 }, other],
    ];
    const texts = values.map(exactText);
    expect(texts).not.to.include(undefined);
    expect(new Set(texts).size).to.equal(values.length);
  });

  it('differ where user code can tell values apart', () => {
    const values = [
      ...[0, -0, 1, '1', 1n, true, null, undefined, Number.NaN, ''],
      ...[[], {}, Object.create(null), [undefined], [null], [1, 2], [2, 1], [[1], 2]],
      ...[{ a: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: undefined }, { 'a":1,"b': 2 }],
      ...[new Date(0), '1970-01-01T00:00:00.000Z', new Map(), new Set(), new Map([[1, 2]])],
      ...[new Uint8Array([1]), new Uint8Array([2]), new Int8Array([1]), /a/, /a/g],
    ];
    const texts = values.map(exactText);
    expect(texts).not.to.include(undefined);
    expect(new Set(texts).size).to.equal(values.length);
  });

  it('differ between what is frozen in a part and what is not', () => {
    const made = () => ({ a: [1], b: { c: 1 }, d: new Map([[1, {}]]) });
    const fixed = (change: (value: ReturnType<typeof made>) => unknown) => {
      const value = made();
      change(value);
      return value;
    };
    const values = [
      ...[made(), Object.freeze(made()), fixed(({ a }) => Object.freeze(a))],
      ...[fixed(({ b }) => Object.seal(b)), fixed(({ b }) => Object.preventExtensions(b))],
      fixed(({ b }) => Object.defineProperty(b, 'c', { writable: false })),
      fixed(({ a }) => Object.defineProperty(a, 'length', { writable: false })),
      fixed(({ d }) => Object.freeze(d.get(1))),
      fixed(({ d }) => Object.freeze(d)),
    ];
    const texts = values.map(exactText);
    expect(texts).not.to.include(undefined);
    expect(new Set(texts).size).to.equal(values.length);
  });

  it('are missing for what is not data', () => {
    const list: unknown[] = [];
    list.push(list);
    const hidden = [
      Object.defineProperty({}, 'a', { value: 1 }),
      Object.defineProperty([1], 'a', { value: 1 }),
      Object.defineProperty([], Symbol('a'), { value: 1 }),
      { [Symbol('a')]: 1 },
      ...[Object.assign(new Date(0), { a: 1 }), Object.assign(/a/, { a: 1 })],
      {
        get a() {
          return 1;
        },
      },
    ];
    const proxies = [{}, [1], new Date(0), { a: 1 }].map((value) => new Proxy(value, {}));
    const values = [
      ...[() => 1, Symbol('a'), Promise.resolve(), new (class A {})(), list, [() => 1]],
      ...[...hidden, ...proxies, [proxies[0]]],
    ];
    for (const value of values) expect(exactText(value)).to.equal(undefined);
  });

  it('are missing for what is too large, without looking at all of it', () => {
    let shared: unknown = 1;
    for (let level = 0; level < 100; level += 1) shared = [shared, shared];
    const sparse = Array(2 ** 32 - 1);
    const endless = new Map();
    endless[Symbol.iterator] = function* () {
      for (;;) yield [1, 1];
    };
    const long = 'x'.repeat(20 * 1024 * 1024);
    for (const value of [shared, sparse, long, new Uint8Array(20 * 1024 * 1024)]) {
      expect(exactText(value)).to.equal(undefined);
    }
    expect(exactText(endless)).to.equal(undefined);
    expect(isExactJson(shared, 1)).to.equal(false);
  });

  it('are not JSON where a copy can be told apart', () => {
    const same = { a: 1 };
    const empty = {};
    const hidden = Object.defineProperty({ a: 1 }, 'b', { value: 2 });
    const getter = {
      get a() {
        return 1;
      },
    };
    const values = [
      -0,
      [-0],
      [same, same],
      { a: same, b: [same] },
      [empty, empty],
      Object.freeze({ a: 1 }),
      ...[new Proxy({ a: 1 }, {}), [new Proxy([], {})], { a: new Proxy({}, {}) }],
      Object.defineProperty([1], 'length', { writable: false }),
    ];
    for (const value of [...values, Object.seal([1]), hidden, getter, [getter]]) {
      expect(isExactJson(value, convert(value).value), JSON.stringify(value)).to.equal(false);
    }
    const plain = { a: [1, 'x', null, true, {}], b: { c: [], d: [[1], [1]] } };
    expect(isExactJson(plain, convert(plain).value)).to.equal(true);
  });

  it('end for any value, without an error', () => {
    const isSafe = fc.property(hostileRecipe(), (recipe) => {
      const value = make(recipe);
      const text = exactText(value);
      if (text !== undefined) expect(text).to.equal(exactText(make(recipe)));
      // Properties may be others when they are read again.
      isExactJson(value, convert(value).value);
    });
    fc.assert(isSafe, rounds(10));
  }).timeout(patience);
});
