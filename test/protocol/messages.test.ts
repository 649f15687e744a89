import { expect } from 'chai';
import { parseHostLine } from '../../src/protocol/messages.js';

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

  it('makes a malformed result the error of that evaluation, which says what is wrong', () => {
    const message = finished({ latency: -1 });
    expect(message).to.include({ type: 'finished', task: 1 });
    expect(message).to.have.nested.property('outcome.status', 'error');
    expect(message).to.have.nested.property(
      'outcome.error',
      'The process that ran this evaluation sent a malformed result: its latency must be a number of 0 or more or null.',
    );
  });
});

describe('a message that is nested too deep', () => {
  it('is the error of that evaluation and does not end the runner', () => {
    const depth = 9000;
    const output = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const line = `[{"type":"finished","task":1,"lingering":false,"outcome":${JSON.stringify({ ...outcome, output: 0 }).replace('"output":0', `"output":${output}`)}}]`;
    const [message] = parseHostLine(line);
    expect(message).to.have.nested.property('outcome.status', 'error');
    expect(() => JSON.stringify(message)).to.not.throw();
  });
});
