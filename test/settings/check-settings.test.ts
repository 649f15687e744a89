import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkSettings } from '../../src/settings/check-settings.js';
import { settingsJsonSchema } from '../../src/settings/json-schema.js';
import { SettingsError } from '../../src/settings/settings-error.js';

const number = fc.oneof(
  fc.integer({ min: -2, max: 1002 }),
  fc.double(),
  fc.constantFrom(0, 1, 1000, 1001, 86_400, 86_400.5, Number.NaN, Number.POSITIVE_INFINITY),
);
const anything = fc.oneof(number, fc.boolean(), fc.constant(null), fc.string(), fc.jsonValue());
const mostly = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: anything });
const count = mostly(fc.integer({ min: 1, max: 1000 }));
const overrides = {
  concurrency: count,
  timeout: mostly(fc.double({ min: 0.1, max: 9e4 })),
  trials: count,
};
const params = mostly(fc.dictionary(fc.string(), mostly(fc.string()), { maxKeys: 3 }));
const config = mostly(fc.record({ ...overrides, params }, { requiredKeys: [] }));
const configs = fc.oneof(
  fc.dictionary(fc.string({ maxLength: 3 }), config, { maxKeys: 3 }),
  anything,
);
const rareKey = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, anything);
const rule = fc.record(
  {
    threshold: mostly(fc.double({ noNaN: true, noDefaultInfinity: true })),
    better: mostly(fc.constantFrom('higher', 'lower')),
    other: rareKey,
  },
  { requiredKeys: [] },
);
const scores = mostly(fc.dictionary(fc.string({ maxLength: 3 }), mostly(rule), { maxKeys: 3 }));
const dollars = mostly(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
const price = fc.record(
  { input: dollars, cached: mostly(fc.constant(null)), output: dollars, other: rareKey },
  { requiredKeys: ['input', 'output'] },
);
const prices = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), mostly(price), { maxKeys: 3 }),
  anything,
);
const amount = mostly(fc.integer({ min: 1 }));
const rate = fc.record(
  { requests: amount, tokens: amount, at_once: amount, other: rareKey },
  { requiredKeys: [] },
);
const rates = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), mostly(rate), { maxKeys: 3 }),
  anything,
);
const view = fc.record(
  {
    query: mostly(fc.string()),
    columns: mostly(fc.array(fc.oneof({ weight: 9, arbitrary: fc.string() }, anything))),
    other: rareKey,
  },
  { requiredKeys: [] },
);
const views = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  fc.dictionary(fc.string({ maxLength: 3 }), mostly(view), { maxKeys: 3 }),
);
const settings = fc.record(
  {
    ...overrides,
    results_dir: mostly(fc.string()),
    completion_notifications: mostly(fc.boolean()),
    verbose: mostly(fc.boolean()),
    configs,
    scores,
    views,
    prices,
    rates,
    other: anything,
  },
  { requiredKeys: [] },
);

/** What a generated value may be without a rule for names and params, which the JSON Schema does not have. */
function isFullyDescribed(value: object): boolean {
  return !('configs' in value) && !('scores' in value) && Reflect.get(value, 'views') === undefined;
}

describe('checkSettings', () => {
  const schema = new Ajv2020({ strictTypes: false }).compile(settingsJsonSchema());
  const accepts = (value: unknown): boolean => {
    try {
      return checkSettings({ value, placeOf: () => ({ file: 'x' }), warnings: [] }) === value;
    } catch (error) {
      if (error instanceof SettingsError) return false;
      throw error;
    }
  };

  it('accepts nothing that the JSON Schema for editors refuses, and refuses no setting that it accepts', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(settings, (value) => {
        const isAccepted = accepts(value);
        if (!isAccepted && !isFullyDescribed(value)) return true;
        seen[isAccepted ? 'accepted' : 'refused'] += 1;
        return schema(value) === isAccepted;
      }),
      { numRuns: 3000, seed: 7 },
    );
    expect(seen.accepted).to.be.greaterThan(300);
    expect(seen.refused).to.be.greaterThan(15);
  });

  it('accepts what people write', () => {
    const value = {
      concurrency: 4,
      timeout: 0.5,
      trials: 1000,
      results_dir: 'runs',
      verbose: false,
      configs: { default: null, fast: { trials: 2, params: { model: 'x', hot: true, t: 0.2 } } },
      scores: { accuracy: { threshold: 0.8 }, tokens: { better: 'lower' } },
      views: { slow: { query: 'latency=2..', columns: ['output', 'latency'] }, all: null },
      other: [1],
    };
    expect(accepts(value)).to.equal(true);
  });
});
