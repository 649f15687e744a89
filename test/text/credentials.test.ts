import { inspect } from 'node:util';
import { expect } from 'chai';
import { redactCredentials } from '../../src/text/credentials.js';
import { cpuTime } from '../helpers/cpu-time.js';

const headers = {
  Authorization: 'Bearer abc',
  'x-api-key': 'abc',
  'Set-Cookie': 'a=abc; HttpOnly',
};

describe('redactCredentials', () => {
  for (const [what, text] of Object.entries({
    'an object as Node shows it': inspect({ headers }),
    'a map as Node shows it': inspect(new Map(Object.entries(headers))),
    'a list of names and values': inspect(Object.entries(headers).flat()),
    JSON: JSON.stringify({ headers }),
    'JSON within JSON': JSON.stringify({ body: JSON.stringify({ headers }) }),
    'JSON over several lines': JSON.stringify(headers, null, 2),
    'lines of headers': 'GET / HTTP/1.1\r\nAuthorization: Bearer abc\r\nX-Api-Key: abc\r\n\r\n',
    'what curl shows': '> authorization: Basic abc\n< Set-Cookie: a=abc; HttpOnly\n<',
    'a URL': 'GET /?api_key=abc&x=1&access_token=abc#x',
    'names in other spellings': `apiKey: 'abc', accessToken: "abc", client_secret='abc'`,
    'an error behind other words': 'request failed with Authorization: Bearer abc',
    'an error in brackets': '401 Unauthorized (x-api-key: abc, accept: */*)',
    'an error with a cookie': 'sent Cookie: a=abc; b=abc to the server',
    'an error without a scheme': 'could not use proxy-authorization: abc',
    'a command line': `curl -H 'Authorization: Basic abc' -H "x-api-key: abc" https://a.example`,
    'a value with quotes in it': JSON.stringify({ authorization: 'Digest a="abc", b="abc"' }),
  })) {
    it(`hides the values in ${what}`, () => {
      const redacted = redactCredentials(text);
      expect(redacted).to.include('[redacted]').and.not.to.include('abc');
    });
  }

  it('leaves everything around them', () => {
    expect(redactCredentials(`{ host: 'a', authorization: 'Bearer abc', accept: 'b' }`)).to.equal(
      `{ host: 'a', authorization: '[redacted]', accept: 'b' }`,
    );
    expect(redactCredentials('a\nX-Api-Key: abc\r\nb')).to.equal('a\nX-Api-Key: [redacted]\r\nb');
    expect(redactCredentials('/?api_key=abc&x=1')).to.equal('/?api_key=[redacted]&x=1');
  });

  it('leaves text that only speaks of them', () => {
    for (const text of [
      'The authorization failed, and no cookie was sent.',
      'Which API key? None: the token has expired.',
      'max_tokens: 5, keyboard: "qwerty", monkey=banana',
      'authorization: ',
    ]) {
      expect(redactCredentials(text)).to.equal(text);
    }
  });

  it('leaves the name of a secret that has been found', () => {
    const text = 'Authorization: Bearer [redacted:OPENAI_API_KEY]';
    expect(redactCredentials(text)).to.equal(text);
  });

  it('is quick with text that looks like names without end', async () => {
    const spent = await cpuTime(() => {
      for (const piece of ['api-', 'authorization', 'cookie: ', '\\"', 'token="', '-', ' \n']) {
        redactCredentials(`key ${piece.repeat(300_000 / piece.length)}`);
      }
    });
    expect(spent, 'milliseconds').to.be.below(3000);
  });
});
