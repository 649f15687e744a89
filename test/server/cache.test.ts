import { expect } from 'chai';
import { LruMap } from '../../src/server/cache.js';

describe('LruMap', () => {
  it('forgets the entry that was used longest ago', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).to.equal(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).to.deep.equal([1, undefined, 3]);
  });

  it('replaces an entry without forgetting another', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect([map.get('a'), map.get('b')]).to.deep.equal([1, 3]);
    map.delete('a');
    expect(map.get('a')).to.equal(undefined);
  });
});
