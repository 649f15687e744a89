import { expect } from 'chai';
import { parseHostLine } from '../../src/protocol/parse-host-line.js';

const outcome = {
  status: 'completed',
  output: 'x',
  scores: [{ key: 'a', passed: true }],
  error: null,
  latency: 0.1,
  trace_data: {},
  regradable: true,
};

const finished = (change: object) =>
  parseHostLine(
    JSON.stringify([
      { type: 'finished', task: 1, lingering: false, outcome: { ...outcome, ...change } },
    ]),
  )[0];

describe('parseHostLine', () => {
  it('reads a finished attempt', () => {
    expect(finished({})).to.deep.equal({ type: 'finished', task: 1, lingering: false, outcome });
  });

  it('reads all messages of a line, and leaves out what is none', () => {
    const messages = [{ type: 'loaded' }, 7, { type: 'released', task: 3 }];
    expect(parseHostLine(JSON.stringify(messages))).to.deep.equal([messages[0], messages[2]]);
  });

  for (const line of [
    '',
    'nonsense',
    '[{"type":"loaded"}',
    '1',
    'null',
    '[]',
    '{}',
    '{"type":"loaded"}',
    '[null]',
    '[[]]',
    '[{}]',
    '[{"type":"other"}]',
    '[{"type":"finished"}]',
    '[{"type":"started","tasks":["1"]}]',
    '[{"type":"log","task":1,"stream":"other","text":""}]',
    '[{"type":"imported","file":"a","descriptors":[{}]}]',
    '[{"type":"described","values":[1]}]',
  ]) {
    it(`finds no message in ${JSON.stringify(line)}`, () => {
      expect(parseHostLine(line)).to.deep.equal([]);
    });
  }

  for (const [title, change] of [
    ['another status', { status: 'cancelled' }],
    ['scores that are no list', { scores: {} }],
    ['a score without a verdict and value', { scores: [{ key: 'a' }] }],
    ['a score with an empty key', { scores: [{ key: '', passed: true }] }],
    ['a score that claims to be human', { scores: [{ key: 'a', passed: true, source: 'human' }] }],
    ['a score that says how it was judged', { scores: [{ key: 'a', value: 1, threshold: 'x' }] }],
    ['a score with a text for a value', { scores: [{ key: 'a', value: '1' }] }],
    ['an error that is an object', { error: {} }],
    ['a latency that is a text', { latency: '1' }],
    ['a latency below zero', { latency: -1 }],
    ['trace data that is a list', { trace_data: [] }],
    ['metadata that is a text', { metadata: 'x' }],
  ] as const) {
    it(`makes ${title} the error of that evaluation`, () => {
      const message = finished(change);
      expect(message).to.include({ type: 'finished', task: 1 });
      expect(message).to.have.nested.property('outcome.status', 'error');
      expect(message).to.have.nested.property('outcome.error').that.contains('malformed');
    });
  }
});

describe('a message that is nested too deep', () => {
  it('is the error of that evaluation and does not end the runner', () => {
    const depth = 9000;
    const output = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const line = `[{"type":"finished","task":1,"outcome":${JSON.stringify({ ...outcome, output: 0 }).replace('"output":0', `"output":${output}`)}}]`;
    const [message] = parseHostLine(line);
    expect(message).to.have.nested.property('outcome.status', 'error');
    expect(() => JSON.stringify(message)).to.not.throw();
  });
});
