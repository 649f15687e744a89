import { expect } from 'chai';
import { createRedactor, redactFields } from '../../src/text/redact.js';

const nothingExists = () => false;

describe('createRedactor', () => {
  it('replaces values of variables whose names say that they are secret', () => {
    const env = {
      OPENAI_API_KEY: 'sk-aaaaaaaa',
      GITHUB_TOKEN: 'ghp-bbbbbbbb',
      client_secret: 'cccccccc',
      Db_Password: 'dddddddd',
      AWS_CREDENTIALS: 'eeeeeeee',
      TOKEN: 'ffffffff',
      key: 'gggggggg',
    };
    const { redact, names } = createRedactor(env, nothingExists);
    for (const [name, value] of Object.entries(env)) {
      expect(redact(`a ${value} b ${value}`)).to.equal(`a [redacted:${name}] b [redacted:${name}]`);
    }
    expect(names).to.have.members(Object.keys(env));
  });

  it('leaves everything else', () => {
    const env = {
      MONKEY: 'aaaaaaaa',
      API_KEY_FILE: 'bbbbbbbb',
      TOKENS: 'cccccccc',
      MAX_TOKENS: 'dddddddd',
      SHORT_KEY: '1234567',
      EMPTY_KEY: '',
      MISSING_KEY: undefined,
      SSH_KEY: '/home/me/.ssh/id',
    };
    const { redact, names } = createRedactor(env, (path) => path === '/home/me/.ssh/id');
    const text = Object.values(env).join(' ');
    expect(redact(text)).to.equal(text);
    expect(names).to.deep.equal([]);
  });

  it('replaces the value of a path that does not exist', () => {
    const { redact } = createRedactor({ A_KEY: '/looks/like/a/path' }, nothingExists);
    expect(redact('at /looks/like/a/path.')).to.equal('at [redacted:A_KEY].');
  });

  it('takes the longest secret first, wherever the shorter ones stand', () => {
    const env = { A_KEY: 'abcdefgh', B_KEY: 'abcdefgh-long', C_KEY: 'zz-abcdefgh' };
    const { redact } = createRedactor(env, nothingExists);
    expect(redact('abcdefgh-long abcdefgh zz-abcdefgh')).to.equal(
      '[redacted:B_KEY] [redacted:A_KEY] [redacted:C_KEY]',
    );
  });

  it('finds an encoded secret that begins within its own beginning', () => {
    const { redact } = createRedactor({ A_KEY: 'aaaaaab1' }, nothingExists);
    for (const first of ['%61', '&#97;', '\\u0061']) {
      expect(redact(`a${first}aaaaaab1 aaaa${first}`)).to.equal(
        `a${first}[redacted:A_KEY] aaaa${first}`,
      );
      expect(redact(`a${first}aaaaab1`)).to.equal('a[redacted:A_KEY]');
    }
  });

  it('leaves no part of secrets that overlap', () => {
    const env = { A_KEY: 'abcdefgh', B_KEY: 'efghijklmnop' };
    const { redact } = createRedactor(env, nothingExists);
    expect(redact('<abcdefghijklmnop>')).to.equal('<[redacted:B_KEY]>');
  });

  it('does not look for secrets in its own replacements', () => {
    const env = { LONG_TOKEN: 'abcdefghijkl', WORD_KEY: 'redacted', NAME_KEY: 'LONG_TOKEN' };
    const { redact } = createRedactor(env, nothingExists);
    expect(redact('abcdefghijkl')).to.equal('[redacted:LONG_TOKEN]');
  });

  it('finds a secret as it stands in JSON', () => {
    const secret = '-----BEGIN "KEY"\nabc\\def';
    const { redact } = createRedactor({ SIGNING_KEY: secret }, nothingExists);
    expect(JSON.parse(redact(JSON.stringify({ a: secret })))).to.deep.equal({
      a: '[redacted:SIGNING_KEY]',
    });
    expect(redact(`plain ${secret}`)).to.equal('plain [redacted:SIGNING_KEY]');
  });

  it('finds characters that mean something in patterns, and values without their outer spaces', () => {
    const env = { A_PASSWORD: 'p$&(.*)[x]+?', B_PASSWORD: ' spaced-out\n' };
    const { redact } = createRedactor(env, nothingExists);
    expect(redact('p$&(.*)[x]+? spaced-out')).to.equal(
      '[redacted:A_PASSWORD] [redacted:B_PASSWORD]',
    );
  });

  it('names one value once when two variables hold it', () => {
    const env = { A_KEY: 'same-value', B_KEY: 'same-value' };
    expect(createRedactor(env, nothingExists).redact('same-value')).to.equal('[redacted:A_KEY]');
  });
});

describe('redactFields', () => {
  for (const key of [
    ...['authorization', 'Authorization', 'Proxy-Authorization', 'api-key', 'api_key'],
    ...['apiKey', 'x-api-key', 'X-Goog-Api-Key', 'cookie', 'Set-Cookie'],
  ]) {
    it(`is true for ${key}`, () => expect(redactFields(key)).to.equal(true));
  }

  for (const key of ['input', 'key', 'author', 'cookies_eaten', 'max_tokens', 'api', 'keyboard']) {
    it(`is false for ${key}`, () => expect(redactFields(key)).to.equal(false));
  }
});
