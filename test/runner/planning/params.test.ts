import { expect } from 'chai';
import { parseParamFlags } from '../../../src/cli/run/variant-flags.js';
import { AssayError } from '../../../src/errors.js';
import type { Json, JsonObject } from '../../../src/model/json.js';
import {
  checkParams,
  type DeclaredParams,
  readParam,
} from '../../../src/runner/planning/params.js';

describe('--param', () => {
  for (const [flags, texts] of [
    [['model=swift'], { model: ['swift'] }],
    [['model=large,swift'], { model: ['large', 'swift'] }],
    [['model=large', 'prompt=v14', 'model=swift'], { model: ['large', 'swift'], prompt: ['v14'] }],
    [['greeting="Hello, you"'], { greeting: ['Hello, you'] }],
    [['greeting="Say ""hi""",no'], { greeting: ['Say "hi"', 'no'] }],
    [['query=a=b&c=d'], { query: ['a=b&c=d'] }],
    [['text=two\nlines'], { text: ['two\nlines'] }],
    [['model='], { model: [''] }],
    [['model=a,'], { model: ['a', ''] }],
    [['my param=1'], { 'my param': ['1'] }],
  ] as const) {
    it(`reads ${JSON.stringify(flags)}`, () => {
      expect(Object.fromEntries(parseParamFlags(flags))).to.deep.equal(texts);
    });
  }

  for (const [flag, message] of [
    ['model', '--param takes NAME=VALUE, not "model".'],
    ['=swift', '--param takes NAME=VALUE, not "=swift".'],
    [' model=swift', '--param takes NAME=VALUE, not " model=swift".'],
    ['tools=["a","b"]', 'The values of --param tools are no line of CSV: ["a","b"]'],
    ['greeting="Hello', 'The values of --param greeting are no line of CSV: "Hello'],
  ] as const) {
    it(`refuses ${flag}`, () => {
      expect(() => parseParamFlags([flag])).to.throw(AssayError, message);
    });
  }
});

describe('a value of --param', () => {
  const read = (text: string, ...defaults: Json[]) =>
    readParam('p', text, {
      defaults: new Map(defaults.length === 0 ? [] : [['p', defaults]]),
      hasOpen: false,
    });

  for (const [text, defaults, value] of [
    ['14', ['v13'], '14'],
    ['0.7', [0.2], 0.7],
    ['false', [true], false],
    ['["b"]', [['a']], ['b']],
    ['{"a":1}', [{}], { a: 1 }],
    ['5', [null], 5],
    ['none', [null], 'none'],
    ['5', ['a', 1], '5'],
    ['14', [], 14],
    ['{"a":1}', [], { a: 1 }],
    ['swift', [], 'swift'],
    ['1e999', [], '1e999'],
    ['12345678901234567890', [], '12345678901234567890'],
    ['[9007199254740993]', [], '[9007199254740993]'],
    ['9007199254740992', [1], 9007199254740992],
  ] as const) {
    it(`is ${JSON.stringify(value)} for ${text} where defaults are ${JSON.stringify(defaults)}`, () => {
      expect(read(text, ...(defaults as readonly Json[]))).to.deep.equal(value);
    });
  }

  for (const [text, value, kind] of [
    ['hot', 0.2, 'a number'],
    ['', 0.2, 'a number'],
    ['1e999', 0.2, 'a number'],
    ['9007199254740993', 0.2, 'a number'],
    ['[12345678901234567890]', [1], 'a list'],
    ['yes', true, 'true or false'],
    ['{}', ['a'], 'a list'],
    ['[]', {}, 'an object'],
  ] as const) {
    it(`is not ${JSON.stringify(text)} where the default is ${JSON.stringify(value)}`, () => {
      expect(() => read(text, value as Json)).to.throw(
        AssayError,
        `The param p is ${kind} in the evaluations, and ${JSON.stringify(text)} is none.`,
      );
    });
  }
});

describe('params of a run', () => {
  const declared = (hasOpen = false): DeclaredParams => ({
    defaults: new Map<string, Json[]>([
      ['model', ['large']],
      ['temperature', [0.2]],
      ['stop', [null]],
    ]),
    hasOpen,
  });

  it('are those that evaluations read, with the types of their defaults', () => {
    checkParams({ model: 'swift', temperature: 1, stop: ['x'] }, declared());
    checkParams({ other: 1 }, declared(true));
  });

  it('that none reads are named, with the nearest', () => {
    expect(() => checkParams({ modle: 'swift' }, declared()))
      .to.throw(AssayError, 'No evaluation of the run reads the param modle.')
      .with.deep.property('hints', ['Did you mean model?']);
    expect(() => checkParams({ zzz: 1 }, declared()))
      .to.throw(AssayError)
      .with.deep.property('hints', ['The evaluations read model, temperature, stop.']);
    expect(() => checkParams({ zzz: 1 }, { defaults: new Map(), hasOpen: false })).to.throw(
      AssayError,
    );
  });

  it('have the type of the default', () => {
    for (const value of [Number.POSITIVE_INFINITY, Number.NaN, [{ a: Number.NEGATIVE_INFINITY }]]) {
      for (const params of [{ temperature: value }, { other: value }]) {
        const text = `The param ${Object.keys(params)[0]} has a number that is infinite, or none (NaN).`;
        expect(() => checkParams(params as JsonObject, declared(true))).to.throw(AssayError, text);
      }
    }
    expect(() => checkParams({ temperature: 'hot' }, declared(true))).to.throw(
      AssayError,
      'The param temperature is a number in the evaluations, not "hot".',
    );
  });
});
