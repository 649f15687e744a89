import { expect } from 'chai';
import { eventsIn } from '../../../src/model-calls/wire/streams.js';
import { frame } from '../../helpers/fake-answers.js';

/** The events of a stream, without where they end. */
function events(type: string, text: string | Uint8Array) {
  return Array.from(eventsIn(type, Buffer.from(text as string)), ({ end: _, ...event }) => event);
}

describe('the framing of a stream', () => {
  it('of server-sent events follows the standard', () => {
    const lines = [
      '\ufeff: a comment',
      'event: first',
      'id: 7',
      'data: one',
      'data:two',
      'data:  three',
      '',
      'event: without data',
      '',
      'retry: 5',
      'data',
      'data: last',
    ];
    const wanted = [{ name: 'first', data: 'one\ntwo\n three' }, { data: '\nlast' }];
    for (const end of ['\n', '\r\n', '\r']) {
      const found = events('text/event-stream', lines.join(end));
      expect(found, JSON.stringify(end)).to.deep.equal(wanted);
    }
  });

  it('of JSON lines and arrays skips what is between the values', () => {
    expect(events('application/x-ndjson', '{"a":1}\n\n \r\n{"b":2}')).to.deep.equal([
      { data: '{"a":1}' },
      { data: '{"b":2}' },
    ]);
    const array = ' [{"a":"]}\\"{["} ,\n 5, "x{", {"b":[{}]}, {"cut":';
    expect(events('application/json', array)).to.deep.equal([
      { data: '{"a":"]}\\"{["}' },
      { data: '{"b":[{}]}' },
    ]);
  });

  it('of AWS event streams ends where the bytes are no message', () => {
    const good = frame({ ':message-type': 'event', ':event-type': 'chunk' }, { a: 1 });
    const wanted = { name: 'chunk', data: '{"a":1}' };
    const type = 'application/vnd.amazon.eventstream';
    const wrongLengths = Buffer.from(good);
    wrongLengths.writeUInt32BE(0xffffffff, 4);
    const tooLong = Buffer.from(good);
    tooLong.writeUInt32BE(0x7fffffff, 0);
    for (const bad of [wrongLengths, tooLong, Buffer.alloc(40)]) {
      expect(events(type, Buffer.concat([good, bad, good]))).to.deep.equal([wanted]);
    }
    expect(events(type, Buffer.concat([good, good.subarray(0, -1)]))).to.deep.equal([wanted]);
    const wrongChecksum = Buffer.from(good);
    wrongChecksum.writeUInt32BE(0, good.length - 4);
    expect(events(type, wrongChecksum)).to.deep.equal([wanted]);
  });

  it('of AWS event streams reads headers of all types', () => {
    const text = (name: string, value: string) =>
      Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, 0, value.length]),
        Buffer.from(value),
      ]);
    const other = (type: number, value: readonly number[]) =>
      Buffer.from([1, 0x78, type, ...value]);
    const headers = Buffer.concat([
      ...[other(0, []), other(1, []), other(2, [1]), other(3, [1, 2]), other(4, [1, 2, 3, 4])],
      ...[
        other(5, Array(8).fill(1)),
        other(6, [0, 2, 9, 9]),
        other(8, Array(8).fill(1)),
        other(9, Array(16).fill(1)),
      ],
      ...[text(':message-type', 'error'), text(':error-code', 'Oh'), text(':error-message', 'no')],
    ]);
    const message = Buffer.alloc(16 + headers.length);
    message.writeUInt32BE(message.length, 0);
    message.writeUInt32BE(headers.length, 4);
    headers.copy(message, 12);
    expect(events('application/vnd.amazon.eventstream', message)).to.deep.equal([
      { name: 'Oh', data: '{"message":"no"}', isError: true },
    ]);
  });
});
