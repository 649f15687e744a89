/** Draws a number from [0, 1), uniformly. */
export type Random = () => number;

/** State of xoshiro128**: four 32-bit words, not all zero. */
export type XoshiroState = readonly [number, number, number, number];

/**
 * Numbers from [0, 1) with 53 random bits, the same sequence for the same seed (a whole number, of which 32 bits
 * count). Not for secrets. Another kind of generator fills the state from the seed, as Blackman and Vigna advise.
 */
export function seededRandom(seed: number): Random {
  const fill = splitmix32(seed);
  const next = xoshiro128([fill(), fill(), fill(), fill()]);
  return () => {
    const high = next() >>> 5;
    const low = next() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}

/** Draws so many of some items, simply at random and without putting one back, in the order in which they are drawn. */
export function drawSome<T>(items: readonly T[], count: number, random: Random): T[] {
  const mixed = [...items];
  const drawn = Math.min(count, mixed.length);
  // The first ones of a shuffle.
  for (let at = 0; at < drawn; at += 1) {
    const other = at + Math.floor(random() * (mixed.length - at));
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed.slice(0, drawn);
}

/**
 * Whole numbers from 0 to 2^32 − 1 by xoshiro128** 1.1 (Blackman and Vigna 2018, "Scrambled linear
 * pseudorandom number generators", https://prng.di.unimi.it/xoshiro128starstar.c).
 */
export function xoshiro128(state: XoshiroState): () => number {
  let [a, b, c, d] = state;
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
}

/**
 * SplitMix (Steele, Lea and Flood 2014) over 32 bits: a counter that moves by 2^32 divided by the golden
 * ratio, mixed by the finaliser of MurmurHash3.
 */
function splitmix32(seed: number): () => number {
  let counter = seed | 0;
  return () => {
    counter = (counter + 0x9e3779b9) | 0;
    let mixed = counter;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
