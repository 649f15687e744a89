import { expect } from 'chai';
import { readExchange, streamReader } from '../../../src/calls/wire/read-exchange.js';
import { cpuTime } from '../../helpers/cpu-time.js';
import { frame } from '../../helpers/fake-answers.js';
import { patience } from '../../helpers/rounds.js';

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

  /** How many chunks of a body bring a first token. */
  const firstTokens = (contentType: string, body: Buffer, length: number) => {
    const reader = streamReader(contentType);
    let found = 0;
    for (let at = 0; at < body.length; at += length) {
      if (reader.push(body.subarray(at, at + length)).firstToken) found += 1;
    }
    return found;
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
      expect(firstTokens('text/event-stream', body, 4096)).to.equal(1);
    });
    expect(spent).to.be.below(enough);
  });

  it('when a long message of an AWS event stream comes in small chunks', async () => {
    const headers = { ':message-type': 'event', ':event-type': 'contentBlockDelta' };
    const body = frame(headers, { delta: { text: 'x'.repeat(10 * 1024 * 1024) } });
    const spent = await cpuTime(() => {
      expect(firstTokens('application/vnd.amazon.eventstream', body, 1024)).to.equal(1);
    });
    expect(spent).to.be.below(enough);
  });
});
