import { expect } from 'chai';
import type { Rates } from '../../src/model/calls/call-rules.js';
import { RateLimiter } from '../../src/model-calls/rate-limiter.js';
import { until } from '../helpers/project.js';

const long = 3_600_000;

/** Asks for calls of one task, and records whose turn it was. */
function asking(rates: Rates, windowMs: number) {
  const pace = new RateLimiter(rates, windowMs);
  const turns: number[] = [];
  const waits: number[] = [];
  const ask = (question: number, { model = 'small', host = 'a.example', size = 0 } = {}) =>
    pace.ask({ task: 0, question, model, host, size }, (waited) => {
      turns.push(question);
      waits.push(waited);
    });
  /** The call has begun and ended. */
  const end = (question: number, input?: number) => {
    const call = { number: question, role: 'target', method: 'POST', url: '', start: 0 } as const;
    pace.called(0, { ...call, asked: question });
    const model_call = {
      provider: 'openai',
      operation: 'chat',
      ...(input && { usage: { input } }),
    };
    pace.called(0, { ...call, end: 1, model_call });
  };
  return { pace, turns, waits, ask, end };
}

describe('RateLimiter', () => {
  it('lets so many calls through in a window, the rest in order in later ones', async () => {
    const { turns, waits, ask, pace } = asking({ small: { requests: 2 } }, 1000);
    for (const question of [1, 2, 3, 4, 5]) ask(question);
    expect(turns).to.deep.equal([1, 2]);
    await until(() => turns.length === 5, 'all turns');
    expect(turns).to.deep.equal([1, 2, 3, 4, 5]);
    expect(waits.slice(0, 2)).to.deep.equal([0, 0]);
    expect(Math.min(...waits.slice(2))).to.be.above(0);
    const [[model, seconds] = ['', 0]] = pace.waited;
    expect(model).to.equal('small');
    expect(seconds).to.be.above(0);
  });

  it('counts the tokens of requests before, and those of answers afterwards', () => {
    const { turns, ask, end } = asking({ small: { tokens: 100 } }, long);
    ask(1, { size: 200 });
    ask(2, { size: 200 });
    ask(3);
    expect(turns).to.deep.equal([1, 2]);
    end(1, 10);
    expect(turns, 'the answer says that it was less').to.deep.equal([1, 2, 3]);
    end(2, 400);
    ask(4);
    expect(turns, 'it owes 310').to.deep.equal([1, 2, 3]);
  });

  it('goes on when what it owes has come in', async () => {
    const { turns, ask, end } = asking({ small: { tokens: 100 } }, 200);
    ask(1);
    end(1, 200);
    ask(2);
    await until(() => turns.length === 2, 'the second turn');
  });

  it('lets the next through when a call ends, is withdrawn, or its attempt ends', async () => {
    const { turns, ask, end, pace } = asking({ small: { at_once: 2 } }, long);
    for (let question = 1; question <= 6; question += 1) ask(question);
    expect(turns).to.deep.equal([1, 2]);
    end(2);
    await until(() => turns.length === 3, 'a place');
    pace.leave(0, 4);
    pace.leave(0, 1);
    await until(() => turns.length === 4, 'another place');
    expect(turns).to.deep.equal([1, 2, 3, 5]);
    pace.forget(0);
    ask(7);
    await until(() => turns.length === 5, 'a place of the next attempt');
    expect(turns).to.deep.equal([1, 2, 3, 5, 7]);
  });

  it('holds all calls after a 429, for a minute at most', async () => {
    const { turns, ask, pace } = asking({ small: {} }, long);
    ask(1);
    ask(2);
    pace.answering(0, 1, 0.3);
    pace.answering(0, 2, 0.1);
    ask(3);
    ask(4, { model: 'large' });
    expect(turns).to.deep.equal([1, 2, 4]);
    await until(() => turns.length === 4, 'the end of the hold');
  });

  it('takes the first entry that matches the model or the host', () => {
    const rates = {
      'gpt-5-mini': { requests: 1 },
      'gpt-5*': { requests: 2 },
      'localhost:11434': { requests: 3 },
      '*.example': { requests: 4 },
    };
    const passed = (model: string, host: string) => {
      const { turns, ask } = asking(rates, long);
      for (let question = 0; question < 9; question += 1) ask(question, { model, host });
      return turns.length;
    };
    expect(passed('gpt-5-mini', 'a.example')).to.equal(1);
    expect(passed('gpt-5-nano', 'a.example')).to.equal(2);
    expect(passed('llama', 'localhost:11434')).to.equal(3);
    expect(passed('llama', 'localhost:8000')).to.equal(9);
    expect(passed('claude', 'a.example:443')).to.equal(4);
    expect(passed('claude', 'aXexample')).to.equal(9);
  });
});
