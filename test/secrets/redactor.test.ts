import { expect } from 'chai';
import fc from 'fast-check';
import { Attempt } from '../../src/host/attempt/attempt.js';
import { Sanitizer } from '../../src/host/sanitizer.js';
import { createRedactor } from '../../src/text/redact.js';
import { rounds } from '../helpers/rounds.js';
import { encodings } from './encodings.js';

const secret = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...`ab1%+&<>"'\\/ =:;é🙂\n`), minLength: 8, maxLength: 20 }),
  )
  .map((text) => text.toWellFormed().trim())
  .filter((text) => text.length >= 8);
const around = fc.string({ maxLength: 12 });

describe('a secret of the environment', () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it(`is found as ${name}, whatever it is and stands in`, () => {
      fc.assert(
        fc.property(secret, around, around, (value, before, after) => {
          const { redact } = createRedactor({ A_KEY: value }, () => false);
          const encoded = encode(value);
          const redacted = redact(`${before}${encoded}${after}`);
          expect(redacted).to.include('[redacted:A_KEY]');
          expect(redacted).not.to.include(encoded);
        }),
        rounds(40),
      );
    });
  }

  it('of digits is found as a number, and other numbers stay', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 7n, max: 10n ** 30n }), (digits) => {
        const { redactNumber } = createRedactor({ PIN_SECRET: String(digits) }, () => false);
        expect(redactNumber?.(Number(digits))).to.equal('[redacted:PIN_SECRET]');
        expect(redactNumber?.(-Number(digits))).to.include('[redacted:PIN_SECRET]');
        expect(redactNumber?.(1234567)).to.equal(undefined);
        expect(redactNumber?.(0.25)).to.equal(undefined);
      }),
    );
  });

  it('makes no number suspicious that is none itself', () => {
    expect(createRedactor({ A_KEY: 'sk-12345678' }, () => false).redactNumber).to.equal(undefined);
  });

  it('does not hide text that only looks encoded', () => {
    const { redact } = createRedactor({ A_KEY: 'swordfish-42' }, () => false);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'%25&amp;\\u0+swordfih-') }), (text) => {
        const decoded = text.replace(/[^swordfih]/g, '');
        fc.pre(!decoded.includes('swordfish'));
        expect(redact(text)).to.equal(text);
      }),
    );
  });
});

describe('output that is cut in the middle of a secret', () => {
  it('keeps no beginning of it', () => {
    const attempt = new Attempt({ task: 0, id: 'a.eval.ts::one', timeout: 1 });
    attempt.log('stdout', `${'.'.repeat(256 * 1024 - 9)}swordfish-42`);
    const { logs } = new Sanitizer({ A_KEY: 'swordfish-42' }).trace({}, attempt);
    expect(JSON.stringify(logs))
      .to.include('more than 256 KiB printed')
      .and.not.to.include('sword');
  });
});

describe('keys of scores that are the same when they are stored', () => {
  it('stay different', () => {
    const keys = ['a\ud800', 'a\ud801', 'a\ufffd 2'];
    const stored = new Sanitizer({}).scores(keys.map((key) => ({ key, passed: true })));
    expect(new Set(stored.map(({ key }) => key)).size).to.equal(3);
  });
});
