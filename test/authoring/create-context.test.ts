import { expect } from 'chai';
import { createContext } from '../../src/authoring/create-context.js';
import type { Call } from '../../src/model/calls/model-call.js';

const spec = {
  caseId: 'polite',
  input: { messages: ['hi'] },
  reference: ['refund'],
  metadata: { team: { name: 'support' } },
  labels: ['smoke'],
  defaultScoreKey: 'correctness',
};
const run = {
  params: { model: 'small' },
  runId: '3f9a0c12be77',
  runName: 'brisk-otter',
  sessionName: 'default',
};
const evaluation = {
  evalPath: 'evals/support.eval.ts',
  functionName: 'refund',
  dataset: 'support',
};
const answered: Call = {
  number: 1,
  role: 'target',
  method: 'POST',
  url: 'https://models.example/v1/chat/completions',
  start: 0,
  model_call: {
    provider: 'openai',
    operation: 'chat',
    tool_calls: [{ name: 'weather', arguments: { city: 'Wien' } }],
    usage: { input: 12, output: 3 },
  },
};
const judged: Call = { ...answered, number: 2, role: 'evaluator:judge' };
const { signal } = new AbortController();
const attempt = {
  ...{ signal, seesCalls: true, callsSoFar: [answered, judged] },
  costSoFar: async () => 0.5,
};
const runtime = {
  run,
  attempt,
  ...evaluation,
  trial: undefined,
  output: undefined,
  traceData: {},
};

describe('createContext', () => {
  it('offers what an evaluation may want to know', () => {
    const { context } = createContext(spec, { ...runtime, trial: 2 });
    expect(context).to.deep.include({
      ...run,
      signal,
      ...evaluation,
      input: spec.input,
      reference: spec.reference,
      expected: spec.reference,
      metadata: spec.metadata,
      traceData: {},
      labels: ['smoke'],
      caseId: 'polite',
      output: undefined,
      latency: null,
      trial: 2,
    });
  });

  it('puts params of the run over the defaults of the evaluation', () => {
    const params = { model: 'large', prompt: 'v14' };
    const handle = createContext({ ...spec, params }, runtime);
    expect(handle.context.params).to.deep.equal({ model: 'small', prompt: 'v14' });
    expect(handle.evaluatorArgs().params).to.equal(handle.context.params);
    const other = { ...runtime, run: { ...run, params: { prompt: 'v15' } } };
    expect(createContext({ ...spec, params }, other).context.params).to.deep.equal({
      model: 'large',
      prompt: 'v15',
    });
  });

  it('gives each attempt its own input, reference and metadata', () => {
    const { context } = createContext(spec, runtime);
    (context.input as typeof spec.input).messages.push('bye');
    (context.reference as string[]).push('money');
    (context.metadata.team as { name: string }).name = 'sales';
    context.metadata.seen = true;
    const { context: next } = createContext(spec, runtime);
    expect(next.input).to.deep.equal({ messages: ['hi'] });
    expect(next.reference).to.deep.equal(['refund']);
    expect(next.metadata).to.deep.equal({ team: { name: 'support' } });
  });

  it('hands evaluators what target and body have left', () => {
    const handle = createContext(spec, runtime);
    handle.context.output = 'text';
    handle.context.traceData.traceUrl = 'https://traces.example/1';
    handle.context.metadata = { replaced: true };
    const args = handle.evaluatorArgs();
    expect({ ...args, cost: undefined }).to.deep.equal({
      cost: undefined,
      input: spec.input,
      output: 'text',
      reference: spec.reference,
      expected: spec.reference,
      metadata: { replaced: true },
      traceData: { traceUrl: 'https://traces.example/1' },
      latency: null,
      signal,
      calls: [answered],
      modelCalls: [answered],
      toolCalls: [{ name: 'weather', arguments: { city: 'Wien' } }],
      usage: handle.context.usage,
      params: run.params,
    });
  });

  it('tells evaluators what the calls cost, also through a copy of what they got', async () => {
    const copy = { ...createContext(spec, runtime).evaluatorArgs() };
    expect(await copy.cost()).to.equal(0.5);
  });

  it('counts what target and body have used, not what evaluators do', () => {
    const { calls, usage } = createContext(spec, runtime).context;
    expect(calls).to.deep.equal([answered]);
    expect(usage).to.deep.include({ calls: 1, input: 12, output: 3, cost: null });
    const none = createContext(spec, { ...runtime, attempt: { ...attempt, callsSoFar: [] } });
    expect(none.context.usage).to.deep.equal({ calls: 0, cost: 0, by_role: {} });
    const blind = { ...attempt, callsSoFar: [], seesCalls: false };
    expect(createContext(spec, { ...runtime, attempt: blind }).context.usage.cost).to.equal(null);
  });

  it('hands evaluators a signal that copies of what they are given have too', () => {
    const args = createContext(spec, runtime).evaluatorArgs();
    expect({ ...args }.signal).to.equal(attempt.signal);
  });

  it('asks for a signal only when somebody looks at it', () => {
    let asked = 0;
    const asking = {
      ...{ callsSoFar: [], seesCalls: true, costSoFar: attempt.costSoFar },
      get signal() {
        asked += 1;
        return attempt.signal;
      },
    };
    const handle = createContext(spec, { ...runtime, attempt: asking });
    const { input } = handle.evaluatorArgs();
    expect([input, asked]).to.deep.equal([spec.input, 0]);
    expect(handle.evaluatorArgs().signal).to.equal(handle.context.signal);
    expect(asked).to.equal(2);
  });

  it('starts from a stored output and trace when it grades again', () => {
    const { context } = createContext(spec, {
      ...runtime,
      output: 'old',
      traceData: { messages: [1] },
    });
    expect(context).to.deep.include({ output: 'old', traceData: { messages: [1] } });
  });

  it('refuses metadata and traces that are no objects', () => {
    const context = createContext(spec, runtime).context as unknown as Record<string, unknown>;
    expect(() => {
      context.metadata = 'text';
    }).to.throw(TypeError, 'ctx.metadata must be an object, not "text"');
    expect(() => {
      context.traceData = [1];
    }).to.throw(TypeError, 'ctx.traceData must be an object, not an array');
  });

  describe('latency', () => {
    it('is what was measured', () => {
      const handle = createContext(spec, runtime);
      handle.measured(1.5);
      expect(handle.context.latency).to.equal(1.5);
      expect(handle.latency()).to.equal(1.5);
    });

    it('stays as the evaluation has set it, before or after', () => {
      const handle = createContext(spec, runtime);
      handle.context.latency = 0.2;
      handle.measured(1.5);
      expect(handle.latency()).to.equal(0.2);
      handle.context.latency = 0.3;
      expect(handle.latency()).to.equal(0.3);
    });

    it('refuses what is no time', () => {
      const { context } = createContext(spec, runtime);
      for (const value of [-1, Number.NaN, Infinity, '1' as unknown as number]) {
        expect(() => {
          context.latency = value;
        }).to.throw(TypeError, 'ctx.latency must be a number of seconds from 0, or null');
      }
    });
  });

  describe('score', () => {
    it('uses the default key where none is given', () => {
      const handle = createContext({ ...spec, defaultScoreKey: 'tone' }, runtime);
      expect(handle.scoreCalls()).to.equal(0);
      handle.context.score(true);
      expect(handle.scores()).to.deep.equal([{ key: 'tone', passed: true }]);
      handle.context.score(0.7);
      expect(handle.scores()).to.deep.equal([{ key: 'tone', value: 0.7 }]);
      handle.context.score({ passed: false, notes: 'rude' });
      expect(handle.scores()).to.deep.equal([{ key: 'tone', passed: false, notes: 'rude' }]);
      expect(handle.scoreCalls()).to.equal(3);
    });

    it('replaces a score with the same key in its place', () => {
      const handle = createContext(spec, runtime);
      handle.context.score('a', 1);
      handle.context.score('b', false, 'why');
      handle.context.score({ key: 'a', passed: true, value: 0.5 });
      expect(handle.scores()).to.deep.equal([
        { key: 'a', passed: true, value: 0.5 },
        { key: 'b', passed: false, notes: 'why' },
      ]);
    });

    it('works when it is taken out of the context', () => {
      const handle = createContext(spec, runtime);
      const { score } = handle.context;
      score('a', 1);
      expect(handle.scores()).to.deep.equal([{ key: 'a', value: 1 }]);
    });

    it('keeps keys like __proto__ and ignores a source', () => {
      const handle = createContext(spec, runtime);
      handle.context.score('__proto__', true);
      handle.context.score({ key: 'a', value: 1, source: 'human' } as {
        key: string;
        value: number;
      });
      expect(handle.scores()).to.deep.equal([
        { key: '__proto__', passed: true },
        { key: 'a', value: 1 },
      ]);
    });

    it('takes scores from elsewhere without counting them as calls', () => {
      const handle = createContext(spec, runtime);
      handle.context.score('a', 1);
      handle.addScores([
        { key: 'a', value: 2 },
        { key: 'b', passed: true },
      ]);
      expect(handle.scores()).to.deep.equal([
        { key: 'a', value: 2 },
        { key: 'b', passed: true },
      ]);
      expect(handle.scoreCalls()).to.equal(1);
    });

    const refusals: readonly (readonly [args: unknown[], message: string])[] = [
      [[], 'ctx.score: a score must be an object, not undefined'],
      [['tone'], 'ctx.score: "tone" needs true, false or a number, not undefined'],
      [['tone', 'good'], 'ctx.score: "tone" needs true, false or a number, not "good"'],
      [['', 1], 'a score\'s key must be 1 to 200 characters, not ""'],
      [['x'.repeat(201), 1], "a score's key must be 1 to 200 characters"],
      [[Number.NaN], '"value" of the score "correctness" must be a finite number, not NaN'],
      [['tone', Infinity], '"value" of the score "tone" must be a finite number, not Infinity'],
      [
        [{ key: 'tone' }],
        'the score "tone" needs "passed" (true or false) or "value" (a number), but is an object with "key"',
      ],
      [[{ key: 'tone', passed: 1 }], '"passed" of the score "tone" must be true or false, not 1'],
      [[{ key: 7, passed: true }], "a score's key must be 1 to 200 characters, not 7"],
      [['tone', true, 7], 'the notes of the score "tone" must be text, not 7'],
      [[true, 'notes'], 'to give notes, name the score: score(key, value, notes)'],
      [[Promise.resolve(true)], 'but is a promise (is an await missing?)'],
    ];
    for (const [args, message] of refusals) {
      it(`refuses ${
        args
          .map((arg) => JSON.stringify(arg) ?? String(arg))
          .join(', ')
          .slice(0, 40) || 'nothing'
      }`, () => {
        const handle = createContext(spec, runtime);
        expect(() => (handle.context.score as (...all: unknown[]) => void)(...args)).to.throw(
          TypeError,
          message,
        );
        expect(handle.scores()).to.deep.equal([]);
        expect(handle.scoreCalls()).to.equal(0);
      });
    }

    it('complains with a stack that starts at the caller', () => {
      const handle = createContext(spec, runtime);
      try {
        handle.context.score(Number.NaN);
        expect.fail('it was accepted');
      } catch (error) {
        expect((error as Error).stack?.split('\n')[1]).to.include('create-context.test.ts');
      }
    });
  });
});
