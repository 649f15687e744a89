import assert from 'node:assert/strict';
import { waitingText } from '../../../../src/cli/run/watch/watch-output.js';

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
