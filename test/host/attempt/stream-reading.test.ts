import { expect } from 'chai';
import { StreamReading } from '../../../src/host/attempt/stream-reading.js';

describe('reading a stream', () => {
  const piece = 'x'.repeat(1_000_000);
  const endless: readonly [what: string, value: unknown, limit: string][] = [
    ['text', piece, '128 MiB'],
    ['other values', { n: 1 }, '100,000 values'],
  ];
  for (const [what, value, limit] of endless) {
    it(`gives up on ${what} without an end, keeps what came, and tells the source`, async () => {
      let isTold = false;
      async function* never() {
        try {
          for (;;) yield value;
        } finally {
          isTold = true;
        }
      }
      const reading = new StreamReading(never(), new AbortController().signal, () => undefined);
      const error = await reading.finish().catch((caught: unknown) => caught);
      expect(error).to.have.property('message', `the stream did not end within ${limit}`);
      expect(reading.value).to.have.property('length').above(99_999);
      expect(isTold).to.equal(true);
    });
  }
});
