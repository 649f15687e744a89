import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { openRedis } from '../../dist/workers/redis-server.js';
import { RedisUnderTest } from '../helpers/redis.js';

describe('openRedis', () => {
  let server: RedisUnderTest;
  const others: Server[] = [];
  /** Addresses by name. */
  const at = { redis: '', page: '', mute: '', closed: 'redis://127.0.0.1:1' };

  before(async () => {
    server = await RedisUnderTest.start('--requirepass', 'secret-word');
    const as = (...args: string[]) => server.cli('-a', 'secret-word', '--no-auth-warning', ...args);
    as('acl', 'setuser', 'lim', 'on', '>secret-word', '~*', '&*', '+@all', '-info');
    at.redis = server.url;
    at.page = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    at.mute = await listen(() => undefined);
  });
  after(() => {
    for (const one of others) one.close();
  });

  async function listen(onSocket: (socket: Socket) => void): Promise<string> {
    const other = createServer(onSocket);
    others.push(other.listen(0, '127.0.0.1'));
    await once(other, 'listening');
    return `redis://127.0.0.1:${(other.address() as AddressInfo).port}`;
  }

  /** What it says when it refuses an address: code, message and hints. */
  function refusal(url: string, more = {}): Promise<string> {
    const opened = openRedis({ url, project: 'p', ...more });
    return opened.then(
      async (redis) => {
        await redis.close();
        return 'it is open';
      },
      ({ code, message, hints }) => [code, message, ...hints].join('\n'),
    );
  }

  const noUrl = /^usage\nThe address of Redis is not a redis:\/\/ or rediss:\/\/ URL\.\nExamples: /;
  const rows: readonly (readonly [what: string, url: () => string, said: RegExp, more?: object])[] =
    [
      ['no host', () => 'redis://', noUrl],
      ['no protocol', () => '127.0.0.1:6379', noUrl],
      ['another protocol', () => 'http://127.0.0.1', noUrl],
      ['a port that does not exist', () => 'redis://127.0.0.1:99999', noUrl],
      ['a password that cannot be decoded', () => 'redis://me:secret-word%zz@127.0.0.1', noUrl],
      [
        'a path that is no number',
        () => 'redis://127.0.0.1:6379/queue',
        /^usage\nThe path of a Redis URL is the number of a database\.\n/,
      ],
      [
        'nothing at the port',
        () => at.closed,
        /^No Redis answers at redis:\/\/127\.0\.0\.1:1: the connection is refused\.\nStart it/,
      ],
      ['another server', () => at.page, /^No .*: what answers there is not Redis\.\n/],
      [
        'a server that never answers',
        () => at.mute,
        /^No .*: no answer in time\.\n/,
        { greetMs: 200 },
      ],
      [
        'a server without TLS',
        () => at.redis.replace('redis:', 'rediss:'),
        /^No Redis answers at rediss:.*\n.*use redis:\/\/ if it does not use TLS/,
        { greetMs: 200 },
      ],
      [
        'a server with a password',
        () => at.redis,
        /^Redis at \S+ asks for a password\.\nGive the user and the password in the URL, or as ASSAY_/,
      ],
      [
        'another password',
        () => at.redis.replace('//', '//:secret-words@'),
        /^Redis at redis:\/\/127\.0\.0\.1:\d+ refuses the user or the password\.\n/,
      ],
      [
        'a user without a permission',
        () => at.redis.replace('//', '//lim:secret-word@'),
        /^Redis at \S+ does not allow what assay needs \(NOPERM .*'info' command\)\.\n.*ACL SETUSER/,
      ],
      [
        'a database that does not exist',
        () => `${at.redis.replace('//', '//:secret-word@')}/99`,
        /^Redis at \S+:\d+\/99 has no such database: DB index is out of range\.\n/,
      ],
    ];
  for (const [what, url, said, more] of rows) {
    it(`says what is wrong with ${what}, and no secret`, async () => {
      const warned: unknown[] = [];
      const note = (warning: unknown) => warned.push(warning);
      process.on('warning', note);
      const text = await refusal(url(), more);
      process.off('warning', note);
      expect(text.replace(/^redis-unavailable\n/, '')).to.match(said);
      expect(text).to.not.match(/secret-word/);
      expect(warned).to.deep.equal([]);
    });
  }

  it('takes the user and the password that the URL does not have', async () => {
    const password = 'secret-word';
    expect(await refusal(at.redis, { password })).to.equal('it is open');
    expect(await refusal(at.redis, { username: 'other', password })).to.include('refuses the user');
    const url = at.redis.replace('//', '//default:secret-word@');
    expect(await refusal(url, { username: 'other', password: 'wrong' })).to.equal('it is open');
  });
});
