import { expect } from 'chai';
import { AttemptCalls, type AttemptCallsOptions } from '../../../src/host/calls/attempt-calls.js';
import { BodyCapture } from '../../../src/host/calls/body-capture.js';
import type { CallRecord } from '../../../src/host/calls/call-record.js';
import type { Call, CallRole, Trace } from '../../../src/model/calls/model-call.js';
import { unpackCalls } from '../../../src/model/calls/stored-calls.js';

const keep = { text: (text: string) => text, callText: <Value>(value: Value) => value };

function callsOf(options: Partial<AttemptCallsOptions> = {}): AttemptCalls {
  return new AttemptCalls({
    ...{
      now: () => 0,
      earlier: { calls: [] },
      settings: { capture: 'full' },
      sanitizer: () => keep,
    },
    ...{ secondsBetweenReports: 0, later: () => undefined, onCalled: () => undefined },
    ...options,
  });
}

/** A call of a model, whose answer has not come to its end. */
function ask(calls: AttemptCalls, text = 'hello', role: CallRole = 'target'): CallRecord {
  const body = new BodyCapture();
  const model = 'gpt-5-mini';
  body.add(JSON.stringify({ model, messages: [{ role: 'user', content: text }], tools: [] }));
  const url = 'https://api.openai.com/v1/chat/completions';
  const record = calls.begin({ method: 'POST', url, role, body });
  record.answered(200, { 'content-type': 'application/json' });
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const message = { role: 'assistant', content: 'yes' };
  record.received(JSON.stringify({ model, choices: [{ message, finish_reason: 'stop' }], usage }));
  return record;
}

function askToTheEnd(...given: Parameters<typeof ask>): void {
  ask(...given).completed();
}

describe('calls that are graded again', () => {
  it('are exact where they are stored as graders have seen them, field by field', () => {
    const calls = callsOf();
    askToTheEnd(calls);
    askToTheEnd(calls);
    calls.beginGrading();
    askToTheEnd(calls, 'judge', 'evaluator:judge');
    const stored = calls.store();
    expect(calls.areExact(stored)).to.equal(true);

    // As the runner prices and stores them, and a regrade gets them.
    const priced = unpackCalls(stored).calls.map((call): Call => ({ ...call, cost: 0.01 }));
    const earlier: Trace = { calls: priced.filter(({ role }) => role === 'target') };
    const again = callsOf({ earlier });
    again.beginGrading();
    expect(JSON.stringify(again.list())).to.equal(JSON.stringify(calls.list().slice(0, 2)));
    const storedAgain = again.store();
    expect(again.areExact(storedAgain)).to.equal(true);
    expect(unpackCalls(storedAgain).calls.map(({ cost }) => cost)).to.deep.equal([0.01, 0.01]);
  });

  it('are not exact where text of them is missing', () => {
    const areExact = (options: Partial<AttemptCallsOptions>, text?: string) => {
      const calls = callsOf(options);
      askToTheEnd(calls, text);
      calls.beginGrading();
      return calls.areExact(calls.store());
    };
    const hidden = { ...keep, callText: <Value>() => '[hidden]' as Value };
    expect(areExact({ sanitizer: () => hidden })).to.equal(false);
    expect(areExact({ settings: { capture: 'usage' } })).to.equal(false);
    expect(
      areExact({ settings: { capture: 'full', captureMib: 0.1 } }, 'x'.repeat(200_000)),
    ).to.equal(false);
  });

  it('are not exact where a grader has changed them', () => {
    const calls = callsOf();
    askToTheEnd(calls);
    calls.beginGrading();
    const [{ model_call } = {}] = calls.list();
    Object.assign(model_call?.messages?.[0] ?? {}, { content: 'changed' });
    expect(calls.areExact(calls.store())).to.equal(false);
  });

  it('are not exact where fields have another order, since the same message is stored once', () => {
    const calls = callsOf();
    askToTheEnd(calls);
    askToTheEnd(calls);
    const [first, second] = calls.list().map((call) => call.model_call?.messages?.[0]);
    expect(first).to.deep.equal(second);
    const content = second?.content;
    delete (second as { content?: unknown } | undefined)?.content;
    const isExactWith = (fields: object) => {
      Object.assign(second ?? {}, fields);
      calls.beginGrading();
      return calls.areExact(calls.store());
    };
    const { role } = second ?? {};
    expect(isExactWith({ content })).to.equal(true);
    delete (second as { role?: unknown } | undefined)?.role;
    expect(isExactWith({ role })).to.equal(false);
  });

  it('are not exact where they end, or begin, while they are graded', () => {
    const ending = callsOf();
    const open = ask(ending);
    ending.beginGrading();
    open.completed();
    expect(ending.areExact(ending.store())).to.equal(false);
    const beginning = callsOf();
    beginning.beginGrading();
    askToTheEnd(beginning);
    expect(beginning.areExact(beginning.store())).to.equal(false);
  });
});
