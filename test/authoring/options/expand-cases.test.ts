import { expect } from 'chai';
import { definition } from '../../../src/authoring/definition.js';
import { expandCases } from '../../../src/authoring/options/expand-cases.js';
import { type Cases, evaluation } from '../../../src/index.js';

const expand = (cases: unknown, name = 'refund') =>
  expandCases(definition(evaluation({ cases: cases as Cases<unknown, unknown> })), name);

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

describe('expandCases', () => {
  it('gives one case without an id when there are none', async () => {
    const target = () => 1;
    const data = definition(evaluation({ input: 'a', expected: 'b', target }));
    expect(await expandCases(data)).to.deep.equal([
      {
        input: 'a',
        reference: 'b',
        target,
        metadata: {},
        labels: [],
        evaluators: [],
        defaultScoreKey: 'correctness',
        skip: false,
        only: false,
      },
    ]);
  });

  describe('with a cluster', () => {
    const documents = (...values: unknown[]) =>
      expandCases(
        definition(
          evaluation({
            name: 'qa',
            cluster: 'document',
            cases: values.map((document) => ({ metadata: { document } })),
          }),
        ),
      );

    it('names the cluster of each case by key and value', async () => {
      const cases = await documents('a', 7, true, 'a');
      expect(cases.map(({ cluster }) => cluster)).to.deep.equal([
        'document=a',
        'document=7',
        'document=true',
        'document=a',
      ]);
    });

    it('takes the value of the evaluation where a case has none, and evaluations without cases', async () => {
      const options = { cluster: 'document', metadata: { document: 'all' } };
      const of = async (more: object) =>
        (await expandCases(definition(evaluation({ ...options, ...more })))).map(
          ({ cluster }) => cluster,
        );
      expect(await of({ cases: [{}, { metadata: { document: 'b' } }] })).to.deep.equal([
        'document=all',
        'document=b',
      ]);
      expect(await of({})).to.deep.equal(['document=all']);
    });

    it('counts the cases that lack it', async () => {
      const { message } = await failure(documents('a', undefined, null, '', 'b', undefined));
      expect(message).to.equal(
        'evaluation "qa": 4 of 6 cases lack metadata.document ("1", "2", "3", …), by which "cluster" groups them: give it to each case',
      );
    });

    it('refuses values that name nothing', async () => {
      for (const [value, text] of [
        [{ id: 1 }, 'an object with "id"'],
        [['a'], 'an array'],
        [Number.NaN, 'NaN'],
      ] as const) {
        expect((await failure(documents('a', value))).message).to.equal(
          `evaluation "qa", case "1": metadata.document, by which "cluster" groups cases, must be text, a number, true or false, not ${text}`,
        );
      }
    });
  });

  it('merges a case over its evaluation', async () => {
    const shared = () => true;
    const own = () => true;
    const cases = [
      {
        id: 'polite',
        input: 'b',
        expected: 'y',
        labels: ['tone', 'smoke'],
        metadata: { n: 2 },
        evaluators: [own],
        trials: 3,
        timeout: 9,
        dataset: 'other',
        defaultScoreKey: 'tone',
        only: true,
      },
      { skip: true },
    ];
    const [first, second] = await expandCases(
      definition(
        evaluation({
          input: 'a',
          reference: 'x',
          labels: ['smoke'],
          metadata: { n: 1, team: 'support' },
          evaluators: [shared],
          trials: 2,
          dataset: 'tickets',
          cases,
        }),
      ),
    );
    expect(first).to.deep.equal({
      caseId: 'polite',
      input: 'b',
      reference: 'y',
      labels: ['smoke', 'tone'],
      metadata: { n: 2, team: 'support' },
      evaluators: [own],
      trials: 3,
      timeout: 9,
      dataset: 'other',
      defaultScoreKey: 'tone',
      skip: false,
      only: true,
    });
    expect(second).to.deep.include({
      caseId: '1',
      input: 'a',
      reference: 'x',
      labels: ['smoke'],
      evaluators: [shared],
      trials: 2,
      skip: true,
    });
  });

  it('keeps null as a value and takes undefined for nothing', async () => {
    const cases = [{ input: null }, { input: undefined }];
    const all = await expandCases(
      definition(evaluation({ input: 'a' as string | null, cases: cases as [] })),
    );
    expect(all.map((one) => one.input)).to.deep.equal([null, 'a']);
  });

  it('reads arrays, functions, generators and streams in order', async () => {
    const cases = [{ input: 1 }, { input: 2 }];
    const sources: unknown[] = [
      cases,
      () => cases,
      async () => cases,
      new Set(cases),
      function* () {
        yield* cases;
      },
      async function* () {
        yield* cases;
      },
      (async function* () {
        yield* cases;
      })(),
    ];
    for (const source of sources) {
      const all = await expand(source);
      expect(all.map((one) => [one.caseId, one.input])).to.deep.equal([
        ['0', 1],
        ['1', 2],
      ]);
    }
  });

  it('sees cases that were added after the evaluation was made', async () => {
    const cases: { input: string }[] = [];
    const one = evaluation({ cases });
    cases.push({ input: 'late' });
    expect(await expandCases(definition(one))).to.have.lengthOf(1);
  });

  it('takes numbers for ids', async () => {
    expect((await expand([{ id: 17 }]))[0]?.caseId).to.equal('17');
  });

  const refusals: readonly (readonly [what: string, cases: unknown, message: string])[] = [
    [
      'two cases with one id',
      [{ id: 'a' }, {}, { id: 'a' }],
      'two cases have the id "a", at positions 0 and 2',
    ],
    [
      'an id that is the position of another',
      [{}, { id: '0' }],
      'two cases have the id "0", at positions 0 and 1',
    ],
    ['an unprintable id', [{ id: 'a\u0000' }], 'case "a\\u0000" (position 0): "id" must be'],
    [
      'a wrong option',
      [{}, { id: 'x', trials: 0 }],
      'case "x" (position 1): "trials" must be a whole number',
    ],
    [
      'an unknown field',
      [{ inptu: 1 }],
      'case at position 0: unknown option "inptu": did you mean "input"?',
    ],
    [
      'a bare input',
      ['a'],
      'case at position 0: must be an object, not "a"; write { input: … } around a bare input',
    ],
    [
      'reference and expected at odds',
      [{ reference: 1, expected: 2 }],
      'case at position 0: "reference" and "expected"',
    ],
    [
      'a function that returns no cases',
      () => 7,
      'the function "cases" must return an array or an (async) iterable, not 7',
    ],
    [
      'text from a function',
      () => 'cases',
      'must return an array or an (async) iterable, not "cases"',
    ],
  ];
  for (const [what, cases, message] of refusals) {
    it(`refuses ${what}, with the name of the evaluation`, async () => {
      const error = await failure(expand(cases));
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message)
        .to.match(/^evaluation "refund"/)
        .and.to.include(message);
    });
  }

  it('passes on why cases could not be read', async () => {
    const cause = new Error('no network');
    const sources = [
      async () => Promise.reject(cause),
      // biome-ignore lint/correctness/useYield: it fails before it has anything to yield
      async function* () {
        throw cause;
      },
    ];
    for (const source of sources) {
      const error = await failure(expand(source));
      expect(error.message).to.equal(
        'evaluation "refund": its cases could not be read: no network',
      );
      expect(error.cause).to.equal(cause);
    }
  });

  it('refuses to read a spent generator as if it were empty', async () => {
    const generator = (async function* () {
      yield { input: 1 };
    })();
    expect(await expand(generator)).to.have.lengthOf(1);
    expect((await failure(expand(generator, 'other'))).message).to.match(
      /^evaluation "other": .* only once/,
    );
  });

  it('names an evaluation without a name by its place', async () => {
    const data = definition(evaluation({ cases: [{}, { trials: 0 }] }));
    expect((await failure(expandCases(data))).message).to.match(
      /^the evaluation at .*expand-cases\.test\.ts:\d+, case at position 1: /,
    );
  });
});
