import assert from 'node:assert/strict';
import { hasHost } from '../../src/text/host-matcher.js';

describe('hasHost', () => {
  const cases = [
    ['http://127.0.0.1:7738/a', 'localhost:7738', true],
    ['http://localhost:7738/a', '127.0.0.1:7738', true],
    ['http://[::1]:7738/a', 'localhost', true],
    ['http://127.0.0.1:7738/a', 'localhost:7739', false],
    ['http://api.example.com/a', 'localhost', false],
    ['https://api.example.com:8443/a', 'api.example.com:8443', true],
    ['https://api.example.com:8443/a', '*.example.com', true],
  ] as const;
  for (const [url, host, expected] of cases) {
    it(`${expected ? 'finds' : 'does not find'} ${url} by ${host}`, () => {
      assert.equal(hasHost(url, [host]), expected);
    });
  }
});
