import { expect } from 'chai';
import type { JsonObject } from '../../../src/model/result.js';
import {
  parseStoredRequest,
  toStoredRequest,
} from '../../../src/runner/planning/stored-request.js';
import { createRedactor } from '../../../src/text/redact.js';

const request = {
  paths: ['evals', 'a.eval.ts::f[x]'],
  ignore: ['**/b.*'],
  datasets: ['d'],
  labels: ['l', 'm'],
  limit: 3,
};

const runner = { secrets: createRedactor({}, () => false), env: {} };
const nothing = { paths: [], ignore: [], datasets: [], labels: [], flags: {} };

describe('a stored request', () => {
  it('is read back as it was, with the flags that a rerun repeats', () => {
    const flags = { timeout: { flag: 0.5, base: 300 }, trials: { flag: 4, base: 1 } };
    const stored = JSON.parse(
      JSON.stringify(toStoredRequest(request, flags, runner)),
    ) as JsonObject;
    expect(parseStoredRequest(stored)).to.deep.equal({
      ...request,
      flags: { timeout: 0.5, trials: 4 },
    });
  });

  it('holds no flags and no limit that were not given', () => {
    const { limit: _, ...rest } = request;
    const stored = toStoredRequest(rest, { timeout: { base: 9 }, trials: { base: 9 } }, runner);
    expect(stored).to.deep.equal({ ...rest, flags: {} });
    expect(parseStoredRequest(stored)).to.deep.equal({ ...rest, flags: {} });
  });

  it('counts what does not fit as not given', () => {
    const broken: JsonObject[] = [
      {},
      { paths: 'evals', ignore: null, datasets: {}, labels: 1, limit: 'many', flags: [] },
      { limit: 0, flags: { timeout: -1, trials: 'two' } },
      { limit: null, flags: null },
    ];
    for (const one of broken) expect(parseStoredRequest(one)).to.deep.equal(nothing);
    expect(parseStoredRequest({ paths: ['a', 1, null, 'b'] }).paths).to.deep.equal(['a', 'b']);
  });

  it('counts numbers that no flag can have as not given', () => {
    const fractions = { limit: 1.5, flags: { trials: 2.5, timeout: 0.5 } };
    expect(parseStoredRequest(fractions)).to.deep.equal({ ...nothing, flags: { timeout: 0.5 } });
    const huge = { flags: { trials: 1e9, timeout: 1e9 } };
    expect(parseStoredRequest(huge)).to.deep.equal(nothing);
  });
});
