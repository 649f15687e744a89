// Lets the clock of a process jump, back and ahead, every few times it is read: `node --require jumping-clock.cjs …`.
const RealDate = Date;
const hour = 3_600_000;
const jumps = [0, -30 * hour, 5 * hour, -1, 400 * 24 * hour, -0.25 * hour];
let reads = 0;

function now() {
  const jump = jumps[Math.floor(reads / 5) % jumps.length];
  reads += 1;
  return Math.round(RealDate.now() + jump);
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now());
    else super(...given);
  }

  static now() {
    return now();
  }
};
