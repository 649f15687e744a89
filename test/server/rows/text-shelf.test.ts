import { expect } from 'chai';
import { TextShelf } from '../../../src/server/rows/text-shelf.js';
import { seededRandom } from '../../../src/statistics/random.js';

function find(shelf: TextShelf, wanted: string, count: number): number[] {
  const marks = new Uint8Array(count);
  for (const piece of shelf.pieces) shelf.markFound(piece, Buffer.from(wanted), marks);
  return [...marks.keys()].filter((row) => marks[row] === 1);
}

function shelfOf(count: number, limit = Number.POSITIVE_INFINITY): TextShelf {
  const shelf: TextShelf = new TextShelf((bytes) => shelf.bytes + bytes <= limit);
  shelf.resize(count);
  return shelf;
}

describe('TextShelf', () => {
  it('finds the rows whose texts hold something', () => {
    const shelf = shelfOf(4);
    shelf.put(0, ['refund', 'the order']);
    shelf.put(2, ['order', 'größer 😀']);
    shelf.put(3, ['order order']);
    expect(find(shelf, 'order', 4)).to.deep.equal([0, 2, 3]);
    expect(find(shelf, 'ß', 4)).to.deep.equal([2]);
    expect(find(shelf, '😀', 4)).to.deep.equal([2]);
    expect(find(shelf, 'nothing', 4)).to.deep.equal([]);
  });

  it('finds nothing across two texts or two rows', () => {
    const shelf = shelfOf(2);
    shelf.put(0, ['ab', 'cd']);
    shelf.put(1, ['ef']);
    for (const wanted of ['abcd', 'bc', 'cdef', 'de', 'b\u0000c', 'b\ufffdc']) {
      expect(find(shelf, wanted, 2), wanted).to.deep.equal([]);
    }
  });

  it('forgets what was replaced or removed', () => {
    const shelf = shelfOf(2);
    shelf.put(0, ['old text']);
    shelf.put(1, ['old text']);
    shelf.put(0, ['new text']);
    expect(find(shelf, 'old', 2)).to.deep.equal([1]);
    shelf.remove(1);
    expect(find(shelf, 'text', 2)).to.deep.equal([0]);
    expect(shelf.has(1)).to.equal(false);
  });

  it('refuses texts that are too long, and those for which there is no room', () => {
    const shelf = shelfOf(100, 128 * 1024);
    expect(shelf.put(0, ['x'.repeat(40 * 1024)])).to.equal(false);
    const kept = Array.from({ length: 100 }, (_, row) => shelf.put(row, ['y'.repeat(20 * 1024)]));
    expect(kept.filter(Boolean)).to.have.lengthOf(6);
    expect(find(shelf, 'yy', 100)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(shelf.bytes).to.equal(128 * 1024);
  });

  it('gives memory back when rows change again and again', () => {
    const shelf = shelfOf(100);
    for (let round = 0; round < 200; round += 1) {
      for (let row = 0; row < 100; row += 1) shelf.put(row, ['z'.repeat(1000), `round ${round}.`]);
    }
    expect(find(shelf, 'round 199.', 100)).to.have.lengthOf(100);
    expect(find(shelf, 'round 198.', 100)).to.deep.equal([]);
    expect(shelf.bytes).to.be.below(1024 * 1024);
  });

  it('answers like a plain list, whatever happens to it', () => {
    const random = seededRandom(7);
    const whole = (limit: number) => Math.floor(random() * limit);
    for (let trial = 0; trial < 20; trial += 1) {
      let count = 1 + whole(200);
      const shelf = shelfOf(count, 64 * 1024 * (1 + whole(12)));
      const texts = new Map<number, string>();
      for (let step = 0; step < 2000; step += 1) {
        const row = whole(count);
        if (random() < 0.02) {
          count = 1 + whole(200);
          shelf.resize(count);
          for (const held of texts.keys()) if (held >= count) texts.delete(held);
        } else if (random() < 0.2) {
          shelf.remove(row);
          texts.delete(row);
        } else {
          const text = `w${whole(30)} `.repeat(1 + whole(1500));
          if (shelf.put(row, [text])) texts.set(row, text);
          else texts.delete(row);
        }
      }
      for (const row of texts.keys()) if (!shelf.has(row)) texts.delete(row);
      for (const wanted of ['w1 ', 'w2', 'w29 w']) {
        const expected = [...texts].filter(([, text]) => text.includes(wanted));
        const rows = expected.map(([row]) => row).sort((a, b) => a - b);
        expect(find(shelf, wanted, count)).to.deep.equal(rows);
      }
    }
  });

  it('is empty after it was cleared, and can be filled again', () => {
    const shelf = shelfOf(2);
    shelf.put(0, ['text']);
    shelf.clear();
    expect(shelf.bytes).to.equal(0);
    expect(find(shelf, 'text', 2)).to.deep.equal([]);
    shelf.put(1, ['text']);
    expect(find(shelf, 'text', 2)).to.deep.equal([1]);
  });
});
