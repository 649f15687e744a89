import { expect } from 'chai';
import { TextPool } from '../../../src/server/rows/text-pool.js';
import { seededRandom } from '../../../src/statistics/random.js';

function find(pool: TextPool, wanted: string, count: number): number[] {
  const marks = new Uint8Array(count);
  for (const piece of pool.pieces) pool.markFound(piece, Buffer.from(wanted), marks);
  return [...marks.keys()].filter((row) => marks[row] === 1);
}

function poolOf(count: number, limit = Number.POSITIVE_INFINITY): TextPool {
  const pool: TextPool = new TextPool((bytes) => pool.bytes + bytes <= limit);
  pool.resize(count);
  return pool;
}

describe('TextPool', () => {
  it('finds the rows whose texts hold something', () => {
    const pool = poolOf(4);
    pool.put(0, ['refund', 'the order']);
    pool.put(2, ['order', 'größer 😀']);
    pool.put(3, ['order order']);
    expect(find(pool, 'order', 4)).to.deep.equal([0, 2, 3]);
    expect(find(pool, 'ß', 4)).to.deep.equal([2]);
    expect(find(pool, '😀', 4)).to.deep.equal([2]);
    expect(find(pool, 'nothing', 4)).to.deep.equal([]);
  });

  it('finds nothing across two texts or two rows', () => {
    const pool = poolOf(2);
    pool.put(0, ['ab', 'cd']);
    pool.put(1, ['ef']);
    for (const wanted of ['abcd', 'bc', 'cdef', 'de', 'b\u0000c', 'b\ufffdc']) {
      expect(find(pool, wanted, 2), wanted).to.deep.equal([]);
    }
  });

  it('forgets what was replaced or removed', () => {
    const pool = poolOf(2);
    pool.put(0, ['old text']);
    pool.put(1, ['old text']);
    pool.put(0, ['new text']);
    expect(find(pool, 'old', 2)).to.deep.equal([1]);
    pool.remove(1);
    expect(find(pool, 'text', 2)).to.deep.equal([0]);
    expect(pool.has(1)).to.equal(false);
  });

  it('refuses texts that are too long, and those for which there is no room', () => {
    const pool = poolOf(100, 128 * 1024);
    expect(pool.put(0, ['x'.repeat(40 * 1024)])).to.equal(false);
    const kept = Array.from({ length: 100 }, (_, row) => pool.put(row, ['y'.repeat(20 * 1024)]));
    expect(kept.filter(Boolean)).to.have.lengthOf(6);
    expect(find(pool, 'yy', 100)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(pool.bytes).to.equal(128 * 1024);
  });

  it('gives memory back when rows change again and again', () => {
    const pool = poolOf(100);
    for (let round = 0; round < 200; round += 1) {
      for (let row = 0; row < 100; row += 1) pool.put(row, ['z'.repeat(1000), `round ${round}.`]);
    }
    expect(find(pool, 'round 199.', 100)).to.have.lengthOf(100);
    expect(find(pool, 'round 198.', 100)).to.deep.equal([]);
    expect(pool.bytes).to.be.below(1024 * 1024);
  });

  it('answers like a plain list, whatever happens to it', () => {
    const random = seededRandom(7);
    const whole = (limit: number) => Math.floor(random() * limit);
    for (let trial = 0; trial < 20; trial += 1) {
      let count = 1 + whole(200);
      const pool = poolOf(count, 64 * 1024 * (1 + whole(12)));
      const texts = new Map<number, string>();
      for (let step = 0; step < 2000; step += 1) {
        const row = whole(count);
        if (random() < 0.02) {
          count = 1 + whole(200);
          pool.resize(count);
          for (const held of texts.keys()) if (held >= count) texts.delete(held);
        } else if (random() < 0.2) {
          pool.remove(row);
          texts.delete(row);
        } else {
          const text = `w${whole(30)} `.repeat(1 + whole(1500));
          if (pool.put(row, [text])) texts.set(row, text);
          else texts.delete(row);
        }
      }
      for (const row of texts.keys()) if (!pool.has(row)) texts.delete(row);
      for (const wanted of ['w1 ', 'w2', 'w29 w']) {
        const expected = [...texts].filter(([, text]) => text.includes(wanted));
        const rows = expected.map(([row]) => row).sort((a, b) => a - b);
        expect(find(pool, wanted, count)).to.deep.equal(rows);
      }
    }
  });

  it('is empty after it was cleared, and can be filled again', () => {
    const pool = poolOf(2);
    pool.put(0, ['text']);
    pool.clear();
    expect(pool.bytes).to.equal(0);
    expect(find(pool, 'text', 2)).to.deep.equal([]);
    pool.put(1, ['text']);
    expect(find(pool, 'text', 2)).to.deep.equal([1]);
  });
});
