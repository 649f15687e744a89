import assert from 'node:assert/strict';
import { titleOf, waitingText } from '../../../../src/cli/run/watch/watch-output.js';

describe('the line that says what a round is for', () => {
  it('names three files, and how many more there are', () => {
    const many = Array.from({ length: 12 }, (_, at) => `lib/m${at}.ts`);
    assert.match(titleOf(many), /─ lib\/m0\.ts, lib\/m1\.ts, lib\/m2\.ts and 9 more ─/);
  });

  it('leaves out folders of files that it names', () => {
    assert.match(titleOf(['lib', 'lib/a.ts']), /─ lib\/a\.ts ─/);
  });
});

describe('the line that says what is waited for', () => {
  it('leaves keys out that have no room, and keeps the one for help', () => {
    const keys = ['Enter changed', 'a all', 'q quit', 'h help'];
    const text = (room: number) => waitingText('watching 9 files', keys, room);
    assert.equal(text(80), 'watching 9 files · Enter changed · a all · q quit · h help');
    assert.equal(text(50), 'watching 9 files · Enter changed · a all · h help');
    assert.equal(text(30), 'watching 9 files · h help');
    assert.equal(text(10), 'watching 9 files · h help');
  });
});
