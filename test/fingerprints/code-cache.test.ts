import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { opaqueFacts } from '../../src/fingerprints/module-facts.js';
import { CodeCache } from '../../src/host/fingerprints/file-codes.js';
import { temporaryFolders } from '../settings/temporary-folder.js';

describe('CodeCache', () => {
  const folder = temporaryFolders();

  it('reads a file, but nothing that a link in its place leads to', () => {
    const cwd = folder({});
    const [file, link] = [join(cwd, 'cache.json'), join(cwd, 'link.json')];
    const made = new CodeCache(file);
    made.facts('key', () => opaqueFacts('known'));
    made.save();
    symlinkSync(file, link);
    const asks = [file, link].map((path) => {
      let isAsked = false;
      new CodeCache(path).facts('key', () => {
        isAsked = true;
        return undefined;
      });
      return isAsked;
    });
    assert.deepEqual(asks, [false, true]);
  });
});
