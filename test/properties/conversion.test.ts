import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../../src/model/result.js';
import { type Converted, convert, convertObject, maxDepth } from '../../src/values/convert.js';
import { patience, rounds } from '../helpers/rounds.js';
import { hostileRecipe, make } from './hostile-values.js';

const secret = 's3cr3t-value';
const redact = (text: string) => text.replaceAll(secret, '[redacted:KEY]');

describe('conversion, whatever the value', function () {
  this.timeout(patience);

  it('gives JSON of bounded size and depth that reads back as it is', () => {
    fc.assert(
      fc.property(hostileRecipe(), sizeLimit(), (recipe, maxBytes) => {
        const text = expectJson(convert(make(recipe), { maxBytes }), maxBytes);
        expect(JSON.stringify(JSON.parse(text))).to.equal(text);
      }),
      rounds(50),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostileRecipe(), sizeLimit(), (recipe, maxBytes) => {
        for (const by of [convert, convertObject]) {
          const text = JSON.stringify(by(make(recipe), { maxBytes }).value);
          const again = by(JSON.parse(text), { maxBytes });
          expect(JSON.stringify(again.value)).to.equal(text);
          expect(again.cut).to.equal(false);
        }
      }),
      rounds(25),
    );
  });

  it('cuts what is too large, and nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), sizeLimit(), (value, maxBytes) => {
        const text = JSON.stringify(value);
        const { value: json, cut } = convert(value, { maxBytes });
        expect(cut).to.equal(Buffer.byteLength(text) > maxBytes);
        if (!cut) expect(JSON.stringify(json)).to.equal(text);
        else expect(JSON.stringify(json)).to.include('[cut');
      }),
      rounds(50),
    );
  });

  it('gives an object where one is wanted', () => {
    fc.assert(
      fc.property(hostileRecipe(), sizeLimit(), (recipe, maxBytes) => {
        const converted = convertObject(make(recipe), { maxBytes });
        expectJson(converted, maxBytes);
        expect(converted.value).to.be.an('object').and.not.an('array');
      }),
      rounds(25),
    );
  });

  it('leaves no secret, wherever it stands', () => {
    fc.assert(
      fc.property(hostileRecipe(), sizeLimit(), (recipe, maxBytes) => {
        const told = JSON.parse(
          JSON.stringify(recipe, (_, item) => (typeof item === 'bigint' ? `${item}` : item)),
          (key, item) => (key === 'text' ? `${item}${secret}` : item),
        );
        const { value } = convert(make(told), { maxBytes, redact });
        expect(JSON.stringify(value)).not.to.include(secret);
      }),
      rounds(25),
    );
  });
});

function sizeLimit(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: 64, max: 600 }), fc.integer({ min: 64, max: 10_000 }));
}

function expectJson({ value }: Converted, maxBytes: number): string {
  const text = JSON.stringify(value);
  expect(Buffer.byteLength(text), 'bytes').to.be.at.most(maxBytes);
  expect(depthOf(value), 'depth').to.be.at.most(maxDepth);
  expect(text.isWellFormed() && !/\\ud[89a-f]/i.test(text), 'well-formed').to.equal(true);
  return text;
}

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
