import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataFacts } from '../../../src/fingerprints/module-facts.js';
import { CodeCache } from '../../../src/host/fingerprints/file-codes.js';

describe('the cache of the analysis of modules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-code-cache-'));
  const path = join(folder, 'cache.json');
  const { now } = performance;
  afterEach(() => Object.assign(performance, { now }));
  after(() => rmSync(folder, { recursive: true }));

  it('keeps what was found although nobody waits for the rest, which the next one finds', () => {
    const cache = new CodeCache(path);
    cache.facts('a', () => dataFacts('of a'));
    Object.assign(performance, { now: () => now.call(performance) + 6000 });
    cache.facts('b', () => dataFacts('of b'));
    cache.facts('c', () => dataFacts('of c'));

    const found: string[] = [];
    const next = new CodeCache(path);
    for (const name of ['a', 'b', 'c']) {
      next.facts(name, () => {
        found.push(name);
        return dataFacts(name);
      });
    }
    expect(found).to.deep.equal(['c']);
  });
});
