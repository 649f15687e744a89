import assert from 'node:assert/strict';
import { serialize } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor } from '../../src/text/redact.js';
import { convert } from '../../src/values/convert.js';
import { keepValue, restoreValue } from '../../src/values/keep-value.js';
import { patience, rounds } from '../helpers/rounds.js';
import { hostileRecipe, make } from '../properties/hostile-values.js';

const noSecret = () => false;

function keep(value: unknown) {
  return keepValue(value, convert(value), noSecret);
}

const ring: unknown[] = [1];
ring.push(ring);
const shared = { a: 1 };
const holes = [1, 2, 3];
delete holes[1];

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
  get euros() {
    return this.cents / 100;
  }
}
class Message {
  content = 'hello';
  toText() {
    return this.content;
  }
}
class Point {
  x = 1;
}
class OwnError extends Error {}
const pattern = /a/g;
pattern.lastIndex = 1;

describe('keeping values as they were', () => {
  it('keeps nothing beside what JSON keeps', () => {
    const values = ['text', 1, true, null, [], {}, { a: [1, 'x', null, { b: {} }] }];
    for (const value of values) expect(keep(value)).to.deep.equal({ isExact: true });
  });

  it('keeps nothing of what is only frozen, or an instance without anything of its own', () => {
    const values = [Object.freeze({ a: [1] }), Object.freeze([1]), new Point()];
    for (const value of values) expect(keep(value)).to.deep.equal({ isExact: false });
  });

  it('takes views of bytes for inexact, because they get another buffer', () => {
    const { buffer } = new Uint8Array([1, 2, 3]);
    expect(keep(new Uint8Array(buffer, 1)).isExact).to.equal(false);
    expect(keep(buffer).isExact).to.equal(true);
  });

  it('restores what only the structured clone keeps', () => {
    const values: readonly unknown[] = [
      ...[undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, 5n, '\ud800'],
      ...[{ a: 1, b: undefined }, [undefined], [Number.NaN, -0], { a: { b: 5n } }],
      ...[new Date(0), /a/gi, holes, Object.assign([1], { more: 2 })],
      ...[
        new Map<unknown, unknown>([
          [1, 'a'],
          ['1', { b: new Set([1]) }],
        ]),
        new Set(['a']),
      ],
      ...[Buffer.from('hello'), new Uint8Array([1]), new Float64Array([-0]), new ArrayBuffer(3)],
      ...[new BigInt64Array([1n]), new DataView(new ArrayBuffer(2))],
      ...[new Error('a'), new TypeError('b', { cause: new RangeError('c') })],
      { ring, shared: [shared, shared] },
      { a: Object.assign(Object.create(null), { b: [Object.create(null)] }) },
      Object.create(null),
    ];
    for (const value of values) {
      const { kept = expect.fail(), inexact } = keep(value);
      expect(inexact).to.equal(undefined);
      const restored = restoreValue(kept, convert(value).value) ?? expect.fail();
      assert.deepStrictEqual(restored.value, value);
    }
  });

  const losses: readonly [string, unknown, string][] = [
    ['a getter of a class', new Money(1), 'getters: .euros'],
    ['a getter within a value', { a: [{ b: new Money(1) }] }, 'getters: .a[0].b.euros'],
    [
      'a getter of an object',
      {
        get text() {
          return 1;
        },
      },
      'getters: .text',
    ],
    ['a method of a class', new Message(), 'methods: .toText'],
    ['a function', () => 1, 'function'],
    ['a function within a value', { a: { is: () => 1 } }, 'function: .a.is'],
    ['a symbol', [Symbol('a')], 'symbol: [0]'],
    ['a symbol as a key', { [Symbol('key')]: 1 }, 'symbol: [key]'],
    ['a field that is hidden', Object.defineProperty({}, 'a', { value: 1 }), 'hidden field: .a'],
    ['a promise', [Promise.resolve()], 'an instance of Promise: [0]'],
    ['an error of a class', new OwnError('a'), 'an instance of OwnError'],
    [
      'a field of an error',
      Object.assign(new Error('a'), { code: 1 }),
      'fields of an error: .code',
    ],
    [
      'a field of a date',
      Object.assign(new Date(0), { zone: 1 }),
      'fields of an instance of Date: .zone',
    ],
    ['a position in a text', pattern, 'lastIndex of a RegExp'],
    ['a proxy', new Proxy({ a: 1n }, {}), 'a proxy'],
    ['a proxy that looks like JSON', { a: [new Proxy({ b: 1 }, {})] }, 'a proxy: .a[0]'],
    ['a proxy of an empty object', new Proxy({}, { get: () => 0 }), 'a proxy'],
    ['a proxy of a list', new Proxy([1], {}), 'a proxy'],
    ['a list of a class', new (class Own extends Array {})(), 'an instance of Own'],
    ['what is too large to keep', [new Uint8Array(1024 * 1024)], 'larger than 1 MiB'],
    ['what is too large to store', ['x'.repeat(17 * 1024 * 1024)], 'cut'],
  ];
  for (const [what, value, why] of losses) {
    it(`names ${what}`, () => {
      expect(keep(value).inexact).to.equal(why);
      expect(keep(value).kept).to.equal(undefined);
    });
  }

  it('says what to return instead', () => {
    const text = {
      get text() {
        return 1;
      },
      get usage() {
        return 1;
      },
    };
    expect(keep(text).mend).to.equal('Return plain data, such as { text: result.text }.');
    expect(keep(new Message()).mend).to.include('{ content: result.content }');
    expect(keep(new Money(1)).mend).to.include('{ euros: result.euros }');
    expect(keep([new Money(1)]).mend).to.equal('Return plain data.');
  });

  it('keeps data of another realm', () => {
    expect(keep(runInNewContext('({ a: [1] })')).inexact).to.not.match(/getters|methods/);
  });

  it('keeps nothing in which a secret is, wherever it is', () => {
    const secret = 'blue-house-42';
    const { redact } = createRedactor({ SHOP_TOKEN: secret }, () => false);
    const holdsSecret = (bytes: Buffer) =>
      redact(bytes.toString('latin1')) !== bytes.toString('latin1');
    const far = Buffer.concat([Buffer.alloc(5000), Buffer.from(secret)]);
    for (const value of [{ a: secret, b: 1n }, far]) {
      const converted = convert(value, { redact });
      expect(keepValue(value, converted, holdsSecret)).to.deep.equal({
        isExact: false,
        inexact: 'redacted',
      });
    }
  });

  it('restores nothing from other bytes than those of the value that is shown', () => {
    const base64 = (value: unknown) => serialize(value).toString('base64');
    const good = base64(new Map([['a', 1]]));
    expect(restoreValue(good, { a: 1 })).to.not.equal(undefined);
    expect(restoreValue(good, { a: 2 })).to.equal(undefined);
    expect(restoreValue('undefined', 'text')).to.equal(undefined);
    const others = [
      '',
      'not base64',
      good.slice(0, -4),
      base64(Array(2 ** 32 - 1)),
      '/w9c',
      `bare:${good}`,
    ];
    for (const bytes of others) expect(restoreValue(bytes, { a: 1 })).to.equal(undefined);
  });

  it('restores nothing, and ends, whatever bytes there are', () => {
    const values = [
      new Map([['a', 1]]),
      { a: undefined, b: [5n, new Date(0)] },
      Buffer.from('abc'),
    ];
    const bytes = fc
      .tuple(
        fc.constantFrom(...values),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }),
      )
      .map(([value, changes]) => {
        const all = serialize(value);
        for (const [at, byte] of changes) all[at % all.length] = byte;
        return { all: all.toString('base64'), json: convert(value).value };
      });
    const isSafe = fc.property(bytes, ({ all, json }) => {
      const restored = restoreValue(all, json);
      if (restored !== undefined) expect(convert(restored.value).value).to.deep.equal(json);
    });
    fc.assert(isSafe, rounds(200));
  }).timeout(patience);

  it('ends for any value, without an error', () => {
    const isSafe = fc.property(hostileRecipe(), (recipe) => {
      const value = make(recipe);
      const { kept } = keep(value);
      if (kept !== undefined) restoreValue(kept, convert(value).value);
    });
    fc.assert(isSafe, rounds(10));
  }).timeout(patience);
});
