import { expect } from 'chai';
import { convert, convertObject, maxDepth } from '../../src/values/convert.js';

const jsonOf = (value: unknown) => convert(value).value;

describe('convert', () => {
  it('keeps what JSON holds', () => {
    const value = { a: [1, 'two', true, null, { b: -0.5 }], c: '' };
    expect(jsonOf(value)).to.deep.equal(value);
  });

  for (const [title, value, json] of [
    ['BigInt to a decimal string', 12345678901234567890n, '12345678901234567890'],
    ['a Date to its ISO string', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid Date to a string', new Date(Number.NaN), 'Invalid Date'],
    [
      'a Map to an object',
      new Map<unknown, unknown>([
        ['a', 1],
        [2, 'b'],
      ]),
      { a: 1, '2': 'b' },
    ],
    ['a Set to an array', new Set([1, 'a']), [1, 'a']],
    ['undefined to null', undefined, null],
    ['an undefined property to nothing', { a: undefined, b: [undefined] }, { b: [null] }],
    ['NaN to a string', Number.NaN, 'NaN'],
    ['Infinity to a string', [Number.POSITIVE_INFINITY, -Infinity], ['Infinity', '-Infinity']],
    ['a function to its name', function grade() {}, '<function grade>'],
    [
      'a function without a name',
      (
        () => () =>
          1
      )(),
      '<function anonymous>',
    ],
    ['a symbol to its description', Symbol('s'), '<symbol s>'],
    ['a promise to a word', Promise.resolve(1), '<promise>'],
    ['a RegExp to its source', /a+/gi, '/a+/gi'],
    ['a Buffer to its size and beginning', Buffer.from('abc'), { $bytes: 3, preview: '616263' }],
    ['a typed array', new Uint16Array([1]), { $bytes: 2, preview: '0100' }],
    ['an ArrayBuffer', new ArrayBuffer(2), { $bytes: 2, preview: '0000' }],
    ['boxed values', [new String('a'), new Number(1), new Boolean(false)], ['a', 1, false]],
    ['what toJSON returns', { toJSON: () => ({ a: 1n }) }, { a: '1' }],
    ['a URL to its text', new URL('http://a.b/c'), 'http://a.b/c'],
    ['lone surrogates to replacement characters', 'a\ud800b', 'a\ufffdb'],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      'fields of a class',
      new (class A {
        x = 1;
        #y = 2;
        get z() {
          return this.#y;
        }
      })(),
      { x: 1 },
    ],
  ] as const) {
    it(`turns ${title}`, () => {
      expect(jsonOf(value)).to.deep.equal(json);
    });
  }

  it('turns an Error into name, message, stack, cause and own fields', () => {
    const error = Object.assign(new TypeError('no', { cause: new Error('why') }), { status: 429 });
    const json = jsonOf(error) as Record<string, unknown>;
    expect(json).to.include({ name: 'TypeError', message: 'no', status: 429 });
    expect(json.stack).to.be.a('string');
    expect(json.cause).to.include({ message: 'why' });
  });

  it('ignores a toJSON that all objects have', () => {
    Object.defineProperty(Object.prototype, 'toJSON', { value: () => 'x', configurable: true });
    try {
      expect(
        jsonOf({
          a: [
            new (class A {
              b = 1;
            })(),
          ],
        }),
      ).to.deep.equal({ a: [{ b: 1 }] });
      expect(jsonOf({ toJSON: () => 'own' })).to.equal('own');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'toJSON');
    }
  });

  it('keeps the errors that an Error collects', () => {
    const json = jsonOf(new AggregateError([new Error('one')], 'all')) as { errors: unknown[] };
    expect(json.errors).to.have.length(1);
    expect(json.errors[0]).to.include({ name: 'Error', message: 'one' });
    const suppressed = Object.defineProperties(new Error('both'), {
      error: { value: new Error('dispose') },
      suppressed: { value: 'block' },
    });
    const { error, suppressed: block } = jsonOf(suppressed) as Record<string, unknown>;
    expect(block).to.equal('block');
    expect(error).to.include({ message: 'dispose' });
  });

  it('marks a cycle and keeps what is merely shared', () => {
    const shared = { a: 1 };
    const cyclic: Record<string, unknown> = { one: shared, two: shared };
    cyclic.self = cyclic;
    expect(jsonOf(cyclic)).to.deep.equal({ one: { a: 1 }, two: { a: 1 }, self: '<circular>' });
  });

  describe('tells what it loses, and where:', () => {
    const inMap = (...keys: unknown[]) => new Map(keys.map((key, at) => [key, at]));
    const cyclic = { list: [{ up: {} }] };
    (cyclic.list[0] as { up: unknown }).up = cyclic;
    class Point {
      x = 1;
      get y() {
        return 2;
      }
    }
    const throws = {
      get no(): never {
        throw new Error('no');
      },
    };
    const unreadable = new Proxy({}, { ownKeys: () => throws.no });
    class Hidden {
      #text = 'hidden';
      get text() {
        return this.#text;
      }
    }
    const hidden = (what: string) => `${what}, whose content cannot be stored`;
    const half = (at = '') => `has half of a character (a lone surrogate)${at}, stored as U+FFFD`;
    const equal = (name: string, at = '') =>
      `has several keys${at} that are stored as ${JSON.stringify(name)}: only the last is kept`;
    for (const [title, value, ...texts] of [
      ['a number and its text as keys', inMap(1, '1'), equal('1')],
      ['objects as keys', { a: [inMap({}, {})] }, equal('{}', ' at .a[0]')],
      [
        'words and their texts',
        inMap(null, 'null', undefined),
        `${equal('null')} (and 1 more place)`,
      ],
      ['symbols of one name as keys', inMap(Symbol('s'), Symbol('s')), equal('"<symbol s>"')],
      [
        'halves of characters as keys',
        { '\ud83d': 1, '\ude00': 2 },
        `${half()} (and 1 more place)`,
        equal('\ufffd'),
      ],
      ['half of a character', 'a\ud83d', half()],
      [
        'halves of characters inside',
        [{ a: '\ud83d' }, 'b\ude00'],
        `${half(' at [0].a')} (and 1 more place)`,
      ],
      ['half of a character in a key of a map', { m: inMap('\ud83d') }, half(' at .m')],
      ['half of a character that toJSON returns', { toJSON: () => '\ud83d' }, half()],
      [
        'the same below a key of a map',
        new Map([[{ a: 1 }, inMap(1, '1')]]),
        equal('1', ' at .{"a":1}'),
      ],
      ['the same in a set', new Set([1, inMap(1, '1')]), equal('1', ' at [1]')],
      ['a cycle', cyclic, 'contains itself at .list[0].up, stored as "<circular>"'],
      [
        'a symbol as a name',
        [{ [Symbol('s')]: 1 }],
        'has fields at [0] whose names are symbols and which are not stored: [s]',
      ],
      ['a getter that throws', { a: throws }, 'cannot be read at .a.no: only the error is stored'],
      ['a proxy that throws', [unreadable], 'cannot be read at [0]: only the error is stored'],
      [
        'getters of a class',
        [new Point(), new Point()],
        'contains an instance of Point at [0], whose getters are not stored: .y (and 1 more place)',
      ],
      [
        'fields of a list',
        { found: 'ab'.match(/b/) },
        'has a list at .found with fields that are not stored: .index, .input, .groups',
      ],
      [
        'a promise',
        { a: [Promise.resolve()] },
        'contains a promise at .a[0]: is an await missing?',
      ],
      [
        'several',
        [cyclic, inMap(1, '1')],
        'contains itself at [0].list[0].up, stored as "<circular>"',
        equal('1', ' at [1]'),
      ],
      ['what toJSON returns', { a: { toJSON: () => [inMap(1, '1')] } }, equal('1', ' at .a[0]')],
      ['all of an instance', new Hidden(), hidden('is an instance of Hidden')],
      [
        'all of an instance inside',
        { answers: [new Hidden()] },
        hidden('contains an instance of Hidden at .answers[0]'),
      ],
      ['a WeakMap', new WeakMap(), hidden('is an instance of WeakMap')],
      ['a Blob', new Blob(['text']), hidden('is an instance of Blob')],
      ['a generator', (function* () {})(), hidden('is a generator')],
      [
        'a stream',
        { stream: new ReadableStream() },
        hidden('contains an instance of ReadableStream at .stream'),
      ],
      ['a function', () => 1, 'is a function'],
      ['a symbol', Symbol('s'), 'is a symbol'],
    ] as const) {
      it(title, () => {
        expect(convert(value).losses?.map(({ text }) => text)).to.deep.equal(texts);
      });
    }

    it('nothing for what is shown', () => {
      const shared = { a: 1 };
      const map = new Map<unknown, unknown>([
        [2, 'b'],
        ['a', [shared, shared]],
      ]);
      expect(
        convert({ map, set: new Set([1]), date: new Date(), error: new Error('no'), f() {} })
          .losses,
      ).to.equal(undefined);
      class Empty {}
      for (const value of [new Empty(), {}, [], new Map(), Object.create(null)]) {
        expect(convert(value).losses).to.equal(undefined);
      }
    });
  });

  it('cuts what is nested too deep', () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    const { value, losses } = convert(deep);
    expect(losses?.[0]?.text).to.match(
      /^is nested deeper than 200 at …\S{60}: the rest is not stored$/,
    );
    const text = JSON.stringify(value);
    expect(text).to.contain('<too deep>');
    expect(text.indexOf('"')).to.equal(maxDepth);
  });

  it('survives getters and proxies that throw', () => {
    const value = {
      get bad() {
        throw new Error('no');
      },
      proxy: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('trap');
          },
        },
      ),
    };
    expect(jsonOf(value)).to.deep.equal({
      bad: '<threw Error: no>',
      proxy: '<threw Error: trap>',
    });
  });

  it('does not write down a list that is thrown, which may have billions of elements', () => {
    const list: unknown[] = [];
    list[2 ** 32 - 2] = 'last';
    const lying = Object.assign(new Error('no'), { message: list });
    const throwing = (error: unknown) => ({
      toJSON: () => {
        throw error;
      },
    });
    const value = [throwing(list), throwing(lying)];
    expect(jsonOf(value)).to.deep.equal(['<threw a list>', '<threw Error: a list>']);
  });

  it('keeps a field named __proto__ as data', () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');
    expect(JSON.stringify(jsonOf(value))).to.equal('{"__proto__":{"polluted":true},"a":1}');
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });

  it('applies redaction to strings, keys and error messages', () => {
    const redact = (text: string) => text.replaceAll('s3cr3t', '[x]');
    const value = { s3cr3t: ['my s3cr3t'], error: new Error('s3cr3t!') };
    expect(JSON.stringify(convert(value, { redact }).value)).to.not.contain('s3cr3t');
  });

  it('hides the values of fields by name', () => {
    const hidesField = (name: string) => name === 'authorization';
    const value = { headers: { authorization: 'Bearer abc', accept: '*' } };
    expect(convert(value, { hidesField }).value).to.deep.equal({
      headers: { authorization: '[redacted]', accept: '*' },
    });
  });

  it('cuts a long string and says how long it was', () => {
    const { value, cut } = convert('x'.repeat(1000), { maxBytes: 100 });
    expect(cut).to.equal(true);
    expect(value).to.match(/^x+… \[cut: 1000 characters\]$/);
  });

  it('cuts the elements that are too many', () => {
    const { value, cut } = convert(
      Array.from({ length: 1000 }, (_, i) => i),
      { maxBytes: 500 },
    );
    expect(cut).to.equal(true);
    expect((value as unknown[]).at(-1)).to.equal('… [cut: more elements]');
  });

  it('does not cut what fits', () => {
    expect(convert('x'.repeat(1000), { maxBytes: 1002 }).cut).to.equal(false);
  });

  it('keeps the JSON of text that grows by escaping within the size', () => {
    for (const text of ['\u0001'.repeat(5000), '"'.repeat(9000), '日本'.repeat(4000)]) {
      const { value, cut } = convert({ text }, { maxBytes: 10_000 });
      expect(cut).to.equal(true);
      expect(Buffer.byteLength(JSON.stringify(value))).to.be.below(10_100);
    }
  });

  it('ends for an object that grows while it is read', () => {
    const grows: object = new Proxy(
      {},
      {
        get: () => grows,
        ownKeys: () => ['a', 'b'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
    expect(JSON.stringify(convert(grows, { maxBytes: 10_000 }).value)).to.contain('<circular>');
  });

  it('ends for maps that never end, and for one that is a key of itself', () => {
    const endless = new (class extends Map<number, number> {
      override *[Symbol.iterator](): MapIterator<[number, number]> {
        for (let n = 0; ; n += 1) yield [n, n];
      }
    })();
    expect(convert(endless, { maxBytes: 1000 }).cut).to.equal(true);
    const map = new Map<unknown, unknown>();
    expect(jsonOf(map.set(map, 1))).to.deep.equal({ '"<circular>"': 1 });
  });

  it('converts what objects that lie about themselves say, too', () => {
    const date = Object.assign(new Date(0), { toISOString: () => 1n });
    const text = Object.assign(new String('a'), { valueOf: () => Symbol('s') });
    expect(jsonOf([date, text])).to.deep.equal(['1', '<symbol s>']);
  });

  it('changes nothing of what it has cut before', () => {
    const numbers = Array.from({ length: 300 }, (_, i) => i);
    const once = convert([numbers, 'x'.repeat(1000)], { maxBytes: 1200 });
    const again = convert(once.value, { maxBytes: 1200 });
    expect(once.cut).to.equal(true);
    expect(again).to.deep.equal({ value: once.value, cut: false });
  });
});

describe('convertObject', () => {
  it('puts what is no object under `value`', () => {
    expect(convertObject([1]).value).to.deep.equal({ value: [1] });
    expect(convertObject('a').value).to.deep.equal({ value: 'a' });
  });

  it('makes an empty object of nothing', () => {
    expect(convertObject(undefined).value).to.deep.equal({});
    expect(convertObject(null).value).to.deep.equal({});
  });
});
