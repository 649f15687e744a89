import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { dataFacts } from '../../src/fingerprints/module-facts.js';
import { CodeCache } from '../../src/host/fingerprints/file-codes.js';
import { temporaryFolders } from '../settings/temporary-folder.js';

/** The keys that a cache of a file does not know. */
function unknownIn(path: string, keys: readonly string[]): string[] {
  const asked: string[] = [];
  const cache = new CodeCache(path);
  for (const key of keys) {
    cache.facts(key, () => {
      asked.push(key);
      return undefined;
    });
  }
  return asked;
}

describe('the cache of the analysis of modules', () => {
  const folder = temporaryFolders();
  const { now } = performance;
  afterEach(() => Object.assign(performance, { now }));

  it('reads a file, but nothing that a link in its place leads to', () => {
    const cwd = folder({});
    const [file, link] = [join(cwd, 'cache.json'), join(cwd, 'link.json')];
    const made = new CodeCache(file);
    made.facts('key', () => dataFacts('known'));
    made.save();
    symlinkSync(file, link);
    assert.deepEqual(unknownIn(file, ['key']), []);
    assert.deepEqual(unknownIn(link, ['key']), ['key']);
  });

  it('keeps what was found although nobody waits for the rest, which the next one finds', () => {
    const path = join(folder({}), 'cache.json');
    const cache = new CodeCache(path);
    cache.facts('a', () => dataFacts('of a'));
    Object.assign(performance, { now: () => now.call(performance) + 6000 });
    cache.facts('b', () => dataFacts('of b'));
    cache.facts('c', () => dataFacts('of c'));
    assert.deepEqual(unknownIn(path, ['a', 'b', 'c']), ['c']);
  });
});
