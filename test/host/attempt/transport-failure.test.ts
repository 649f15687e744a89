import { expect } from 'chai';
import { isTransportFailure } from '../../../src/host/thrown.js';

const url = 'https://models.test/v1/chat/completions';
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
  code: 'ECONNREFUSED',
});
const fetchFailed = new TypeError('fetch failed', { cause: refused });
const noConnection = [{ url, error: fetchFailed }];
const busy = [{ url, status: 503 }];
const withStatus = (fields: object) => Object.assign(new Error('503 busy'), fields);

const is: Readonly<Record<string, [unknown, Parameters<typeof isTransportFailure>[1]]>> = {
  'the error of fetch': [fetchFailed, noConnection],
  'an error that has it as its cause': [
    new Error('no answer', { cause: fetchFailed }),
    noConnection,
  ],
  'one that has the cause of it': [new Error('no API', { cause: refused }), noConnection],
  'one of several': [new AggregateError([new Error('a'), fetchFailed]), noConnection],
  'the last try of the AI SDK': [
    Object.assign(new Error('Failed after 3 attempts'), {
      errors: [withStatus({ statusCode: 503, url })],
    }),
    busy,
  ],
  'an error of node-fetch': [
    Object.assign(new Error(`request to ${url} failed, reason: ${refused.message}`), {
      code: 'ECONNREFUSED',
    }),
    noConnection,
  ],
  'an error of openai, anthropic or google': [withStatus({ status: 503 }), busy],
  'an error of axios': [withStatus({ response: { status: 503 }, config: { url } }), busy],
  'an error of AWS': [withStatus({ $metadata: { httpStatusCode: 503 } }), busy],
  'its wrap': [new Error('the agent failed', { cause: withStatus({ status: 503 }) }), busy],
};

const isNone: typeof is = {
  'an error without any call that failed': [fetchFailed, []],
  'another error after a call that failed': [new TypeError('x is undefined'), noConnection],
  'another error after the answer 503': [new TypeError('x is undefined'), busy],
  'one that only quotes the text': [new Error('fetch failed: connect ECONNREFUSED'), noConnection],
  'a text': ['503', busy],
  'the answer of another host': [
    withStatus({ response: { status: 503, url: 'https://a.test/' } }),
    busy,
  ],
  'another status': [withStatus({ status: 400 }), busy],
  'another server that is away': [
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
    noConnection,
  ],
  'what has a getter that throws': [
    {
      get cause() {
        throw new Error('no');
      },
    },
    busy,
  ],
};

describe('the failure of a call of a model', () => {
  for (const [name, given] of Object.entries(is)) {
    it(`is ${name}`, () => expect(isTransportFailure(...given)).to.equal(true));
  }
  for (const [name, given] of Object.entries(isNone)) {
    it(`is not ${name}`, () => expect(isTransportFailure(...given)).to.equal(false));
  }

  it('is found in causes that go in circles', () => {
    const error = new Error('a');
    error.cause = new Error('b', { cause: error });
    expect(isTransportFailure(error, busy)).to.equal(false);
  });
});
