import { expect } from 'chai';
import { readExchange } from '../../../src/model-calls/wire/read-exchange.js';
import { cpuTime } from '../../helpers/cpu-time.js';
import { frame } from '../../helpers/fake-answers.js';
import { patience } from '../../helpers/rounds.js';
import { firstTokenIn } from './seen.js';

const size = 25 * 1024 * 1024;
/** Milliseconds of processor time: many times what is needed, and a fraction of what reading again and again takes. */
const enough = 6000;

describe('answers of 25 MB are read once from end to end', function () {
  this.timeout(patience);

  const answered = (contentType: string, body: Buffer) =>
    readExchange(
      {
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'm', messages: [] },
      },
      { status: 200, headers: { 'content-type': contentType }, body, complete: true },
    );

  const eventOf = (content: string) =>
    Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);

  /** The first token of a body in chunks of a length. */
  const firstToken = (contentType: string, body: Buffer, length: number) => {
    const cuts = Array.from({ length: Math.ceil(body.length / length) }, (_, at) => at * length);
    return firstTokenIn(contentType, body, cuts);
  };

  it('when they are one text', async () => {
    const message = { content: 'x'.repeat(size) };
    const body = Buffer.from(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
    const spent = await cpuTime(() => {
      const found = answered('application/json', body);
      expect(String(found?.answer?.[0]?.content)).to.have.lengthOf(size);
    });
    expect(spent).to.be.below(enough);
  });

  it('when they are small events', async () => {
    const event = eventOf('x'.repeat(100));
    const count = Math.floor(size / event.length);
    const body = Buffer.concat(Array.from({ length: count }, () => event));
    const spent = await cpuTime(() => {
      const found = answered('text/event-stream', body);
      expect(String(found?.answer?.[0]?.content)).to.have.lengthOf(count * 100);
    });
    expect(spent).to.be.below(enough);
  });

  it('when a long line comes in small chunks', async () => {
    const body = eventOf('x'.repeat(size));
    const spent = await cpuTime(() => {
      expect(firstToken('text/event-stream', body, 4096)).to.equal(body.length);
    });
    expect(spent).to.be.below(enough);
  });

  it('when a long message of an AWS event stream comes in small chunks', async () => {
    const headers = { ':message-type': 'event', ':event-type': 'contentBlockDelta' };
    const body = frame(headers, { delta: { text: 'x'.repeat(10 * 1024 * 1024) } });
    const spent = await cpuTime(() => {
      expect(firstToken('application/vnd.amazon.eventstream', body, 1024)).to.equal(body.length);
    });
    expect(spent).to.be.below(enough);
  });
});
