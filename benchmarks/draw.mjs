/** The beta distribution with a mean and an intraclass correlation. */
export function betaOf(p, icc) {
  return [(p * (1 - icc)) / icc, ((1 - p) * (1 - icc)) / icc];
}

/** Draws what the cells need. */
export class Draw {
  constructor(random) {
    this.random = random;
  }

  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }

  /** Marsaglia and Tsang 2000, ACM Transactions on Mathematical Software 26, 363–372. */
  gamma(shape) {
    if (shape < 1) return this.gamma(shape + 1) * this.random() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - this.random()) < 0.5 * x * x + d - d * v + d * Math.log(v))
        return d * v;
    }
  }

  beta(a, b) {
    const x = this.gamma(a);
    const y = this.gamma(b);
    return x + y === 0 ? Number(this.random() < a / (a + b)) : x / (x + y);
  }

  /** The pass probability of an evaluation. */
  chance(p, icc) {
    return icc === 0 ? p : this.beta(...betaOf(p, icc));
  }

  binomial(trials, chance) {
    let passes = 0;
    for (let trial = 0; trial < trials; trial += 1) if (this.random() < chance) passes += 1;
    return passes;
  }

  /** How many of so many trials of one evaluation pass. */
  passes(trials, p, icc) {
    return this.binomial(trials, this.chance(p, icc));
  }

  /** The position that is drawn with these chances. */
  of(chances) {
    let left = this.random();
    const at = chances.findIndex((chance) => {
      left -= chance;
      return left < 0;
    });
    return at < 0 ? chances.length - 1 : at;
  }
}
