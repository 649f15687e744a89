import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { definition, isEvaluation } from '../../src/authoring/definition.js';
import { type Evaluation, type EvaluationOptions, evaluation } from '../../src/index.js';
import { temporaryFolder } from '../store/builders.js';

// Options as someone without a type checker may write them.
type Loose = EvaluationOptions<undefined, unknown, undefined>;
const define = (options: unknown, body?: unknown) => () =>
  evaluation(options as Loose, body as () => void);

describe('evaluation', () => {
  it('returns a frozen value that is recognised by its brand', () => {
    const one = evaluation({ name: 'refund' });
    expect(isEvaluation(one)).to.equal(true);
    expect(one.name).to.equal('refund');
    expect(one).to.be.frozen;
    expect(definition(one)).to.be.frozen;
  });

  it('is not confused with other values', () => {
    for (const other of [null, undefined, {}, [], 'evaluation', () => 1, { name: 'refund' }]) {
      expect(isEvaluation(other)).to.equal(false);
    }
  });

  it('keeps options and body, and leaves out what is undefined', () => {
    const target = () => 1;
    const body = () => undefined;
    const data = definition(
      evaluation({ target, timeout: 3, dataset: undefined, input: 'a' }, body),
    );
    expect(data).to.include({ target, body, timeout: 3, input: 'a', format: 1 });
    expect(data).not.to.have.property('dataset');
    expect(data.evaluators).to.deep.equal([]);
  });

  it('does not freeze what belongs to the user', () => {
    const labels = ['a'];
    const metadata = { team: 'support' };
    const data = definition(evaluation({ labels, metadata }));
    labels.push('b');
    metadata.team = 'sales';
    expect(data.labels).to.deep.equal(['a']);
    expect(data.metadata).to.deep.equal({ team: 'support' });
  });

  it('takes expected for reference', () => {
    expect(definition(evaluation({ expected: 'a' })).reference).to.equal('a');
    expect(definition(evaluation({ expected: [1], reference: [1] })).reference).to.deep.equal([1]);
    expect(define({ expected: 'a', reference: 'b' })).to.throw(
      TypeError,
      'evaluation(): "reference" and "expected" are two names for one thing and were given different values: "b" and "a"',
    );
  });

  it('numbers evaluations in the order in which they are made, across copies of the package', async () => {
    const url = pathToFileURL(
      fileURLToPath(new URL('../../src/authoring/evaluation.ts', import.meta.url)),
    );
    url.search = '?copy';
    const copy: typeof import('../../src/authoring/evaluation.js') = await import(url.href);
    expect(copy.evaluation).not.to.equal(evaluation);
    const made = [evaluation({}), copy.evaluation({}), evaluation({})];
    const [first = 0, second, third] = made.map((one) => definition(one).order);
    expect([second, third]).to.deep.equal([first + 1, first + 2]);
    expect(made.every(isEvaluation)).to.equal(true);
  });

  it('refuses a definition in a shape it does not know', () => {
    const brand = Symbol.for('assay.evaluation');
    const other = { name: 'a', [brand]: { format: 2 } };
    expect(isEvaluation(other)).to.equal(true);
    expect(() => definition(other as never)).to.throw('made by another version of assay');
  });

  it('knows where it was called', () => {
    const { position } = definition(evaluation({}));
    const { stack = '' } = new Error('one line further down');
    const line = Number(/evaluation\.test\.ts:(\d+)/.exec(stack)?.[1]);
    expect(position?.file).to.equal(fileURLToPath(import.meta.url));
    expect(position?.line).to.equal(line - 1);
  });

  it('knows the path of a module that was imported with a query', async () => {
    const file = join(temporaryFolder(), 'a b (1).eval.mjs');
    await writeFile(file, 'export const make = (evaluation) =>\n  evaluation({});\n');
    const url = pathToFileURL(file);
    url.search = '?v=2';
    const { make } = (await import(url.href)) as { make: (by: unknown) => Evaluation };
    expect(definition(make(evaluation)).position).to.deep.include({ file, line: 2 });
  });

  it('leaves the stack trace limit alone', () => {
    const limit = Error.stackTraceLimit;
    evaluation({});
    expect(Error.stackTraceLimit).to.equal(limit);
  });

  describe('refuses', () => {
    const rules =
      '"scores" must be an object of rules by score key, such as { accuracy: { threshold: 0.8 } }, not';
    const rule = 'evaluation "refund": the rule of "tone" in "scores" must be an object, such as';
    const printable = 'must be 1 to 200 printable characters';
    const trials = '"trials" must be a whole number from 1 to 1000, not';
    const seconds = '"timeout" must be a number of seconds above 0 and up to 86400, not';
    const refusals: readonly (readonly [what: string, options: unknown, message: string])[] = [
      ['an unknown option', { targt: 1 }, 'unknown option "targt": did you mean "target"?'],
      ['another tool', { scorers: [] }, 'unknown option "scorers": did you mean "evaluators"?'],
      [
        'functions as the rules of scores',
        { scores: [() => 1] },
        `${rules} an array; functions that grade go into "evaluators"`,
      ],
      [
        'a threshold that is not on the scale',
        { scores: { tone: { threshold: 90, scale: [0, 1] } } },
        '"threshold" in the rule of "tone" in "scores" must be a number from 0 to 1, its scale, not 90',
      ],
      ['a threshold for all scores', { scores: 0.8 }, `${rules} 0.8`],
      [
        'a rule that is a number',
        { name: 'refund', scores: { tone: 0.8 } },
        `${rule} { threshold: 0.8 }, not 0.8`,
      ],
      [
        'a threshold that is no number',
        { name: 'refund', scores: { tone: { threshold: Number.NaN } } },
        'evaluation "refund": "threshold" in the rule of "tone" in "scores" must be a finite number, not NaN',
      ],
      [
        'a direction that is none',
        { scores: { tone: { better: 'up' } } },
        '"better" in the rule of "tone" in "scores" must be "higher" or "lower", not "up"',
      ],
      ...[
        [[100], '[100]'],
        [100, '100'],
        [[0, 50, 100], '[0, 50, 100]'],
        [[5, 1], '[5, 1]'],
        [[1, 1], '[1, 1]'],
        [[0, '100'], '[0, "100"]'],
        [[0, Number.POSITIVE_INFINITY], '[0, Infinity]'],
        [{ min: 0 }, 'an object with "min"'],
      ].map(
        ([scale, text]) =>
          [
            `the scale ${text}`,
            { scores: { tone: { scale } } },
            `"scale" in the rule of "tone" in "scores" must be its least and its greatest value, such as [0, 100], not ${text}`,
          ] as const,
      ),
      ['a cluster that is no key', { cluster: ['a'] }, '"cluster" must be a key of metadata'],
      [
        'a slip in a rule',
        { scores: { tone: { treshold: 1 } } },
        'unknown field "treshold" in the rule of "tone" in "scores": did you mean "threshold"?',
      ],
      [
        'a rule of another tool',
        { scores: { tone: { min: 1 } } },
        'unknown field "min" in the rule of "tone" in "scores": known are threshold, better, scale',
      ],
      [
        'a rule without a key',
        { scores: { '': {} } },
        'the keys of "scores" must be 1 to 200 characters, not ""',
      ],
      [
        'a word like none',
        { zzz: 1 },
        'unknown option "zzz": known are name, cases, target, input',
      ],
      ['a name of Object.prototype', { constructor: 1 }, 'unknown option "constructor": known are'],
      ['options that are none', null, 'must be an object, not null'],
      ['an array of options', [], 'must be an object, not an empty array'],
      ['a name first', 'refund', 'the first argument must be an object of options'],
      ['an empty name', { name: '' }, `"name" ${printable}, not ""`],
      ['a blank name', { name: ' ' }, `"name" ${printable}, not " "`],
      ['a long name', { name: 'x'.repeat(201) }, `"name" ${printable}`],
      ['control characters', { name: 'a\nb' }, `"name" ${printable}, not "a\\nb"`],
      ['no trials', { trials: 0 }, `${trials} 0`],
      ['too many trials', { trials: 1001 }, `${trials} 1001`],
      ['half a trial', { trials: 1.5 }, `${trials} 1.5`],
      ['trials as text', { trials: '5' }, `${trials} "5"`],
      ['no time', { timeout: 0 }, `${seconds} 0`],
      ['endless time', { timeout: Infinity }, `${seconds} Infinity`],
      ['NaN', { timeout: Number.NaN }, `${seconds} NaN`],
      ['one label', { labels: 'smoke' }, '"labels" must be an array of names, each 1 to 200'],
      ['labels that are no text', { labels: ['a', 1] }, 'not ["a", 1]'],
      [
        'a map of metadata',
        { metadata: new Map() },
        '"metadata" must be an object of facts by name',
      ],
      ['params that are none', { params: ['large'] }, '"params" must be JSON by name'],
      ['a param that JSON does not keep', { params: { at: new Date(0) } }, '"params" must be JSON'],
      ['a param that is no number', { params: { top: Number.NaN } }, '"params" must be JSON'],
      ['a param without a value', { params: { model: undefined } }, '"params" must be JSON'],
      ['a param with = in its name', { params: { 'a=b': 1 } }, 'a name has no =, comma or quote'],
      ['a target that is none', { target: 'agent' }, '"target" must be a function, not "agent"'],
      ['one evaluator', { evaluators: () => true }, '"evaluators" must be an array of functions'],
      ['evaluators by name', { evaluators: ['exact'] }, 'an array of functions, not ["exact"]'],
      ['a hole for an evaluator', { evaluators: [undefined] }, 'not [undefined]'],
      [
        'cases by name',
        { cases: 'cases.csv' },
        '"cases" must be an array, a function or an async iterable, not "cases.csv"',
      ],
      ['skip with a reason', { skip: 'later' }, '"skip" must be true or false, not "later"'],
      ['no score key', { defaultScoreKey: '' }, '"defaultScoreKey" must be 1 to 200 characters'],
    ];
    for (const [what, options, message] of refusals) {
      it(what, () => expect(define(options)).to.throw(TypeError, message));
    }

    it('a body that is none', () => {
      expect(define({}, 'body')).to.throw(TypeError, 'the body must be a function, not "body"');
    });

    it('with the name of the evaluation and a stack that starts at the caller', () => {
      try {
        evaluation({ name: 'refund', trials: 0 });
        expect.fail('it was accepted');
      } catch (error) {
        expect(error).to.be.instanceOf(TypeError);
        const { message, stack = '' } = error as Error;
        expect(message).to.match(/^evaluation "refund": "trials"/);
        expect(stack.split('\n')[1]).to.include('evaluation.test.ts');
      }
    });
  });
});

describe('evaluation.extend', () => {
  const first = () => true;
  const second = () => true;
  const third = () => true;

  it('adds up labels, merges metadata and runs shared evaluators first', () => {
    const shared = evaluation.extend({
      labels: ['smoke'],
      metadata: { team: 'support', kind: 'a' },
      evaluators: [first],
      timeout: 10,
      dataset: 'tickets',
    });
    const data = definition(
      shared({
        labels: ['tone', 'smoke'],
        metadata: { kind: 'b' },
        evaluators: [second],
        timeout: 20,
      }),
    );
    expect(data.labels).to.deep.equal(['smoke', 'tone']);
    expect(data.metadata).to.deep.equal({ team: 'support', kind: 'b' });
    expect(data.evaluators).to.deep.equal([first, second]);
    expect(data).to.include({ timeout: 20, dataset: 'tickets' });
  });

  it('merges params, name by name', () => {
    const shared = evaluation.extend({ params: { model: 'large', retries: 2 } });
    expect(definition(shared({ params: { model: 'small' } })).params).to.deep.equal({
      model: 'small',
      retries: 2,
    });
    expect(definition(shared({})).params).to.deep.equal({ model: 'large', retries: 2 });
    expect(definition(evaluation({}))).not.to.have.property('params');
  });

  it('merges the rules of scores, key by key and field by field', () => {
    const base = evaluation.extend({ scores: { a: { threshold: 1 }, b: { better: 'lower' } } });
    const { scores } = definition(base({ scores: { b: { threshold: 5 }, c: { threshold: 2 } } }));
    expect(scores).to.deep.equal({
      a: { threshold: 1 },
      b: { threshold: 5, better: 'lower' },
      c: { threshold: 2 },
    });
    expect(definition(base({})).scores).to.deep.equal({
      a: { threshold: 1 },
      b: { better: 'lower' },
    });
    expect(definition(evaluation({}))).to.not.have.property('scores');
  });

  it('can be extended again and changes nothing it was made of', () => {
    const base = evaluation.extend({ labels: ['a'], evaluators: [first], trials: 2 });
    const nested = base.extend({ labels: ['b'], evaluators: [second] });
    const data = definition(nested({ evaluators: [third] }));
    expect(data.labels).to.deep.equal(['a', 'b']);
    expect(data.evaluators).to.deep.equal([first, second, third]);
    expect(data.trials).to.equal(2);
    expect(definition(base({})).labels).to.deep.equal(['a']);
    expect(definition(evaluation({})).labels).to.deep.equal([]);
  });

  it('knows where the evaluation was made', () => {
    expect(definition(evaluation.extend({})({})).position?.file).to.equal(
      fileURLToPath(import.meta.url),
    );
  });

  it('refuses what cannot be shared', () => {
    for (const name of ['name', 'target', 'cases']) {
      expect(() => evaluation.extend({ [name]: 'a' })).to.throw(
        TypeError,
        `evaluation.extend: "${name}" cannot be shared, give it to each evaluation`,
      );
    }
    expect(() => evaluation.extend({ trials: 0 })).to.throw(
      TypeError,
      'evaluation.extend: "trials" must be',
    );
  });
});
