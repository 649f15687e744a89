/** Upper tail of the standard normal distribution, by Simpson's rule. */
export function normalTail(from: number): number {
  const steps = 2000;
  const width = 10 / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const x = from + i * width;
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp((-x * x) / 2);
  }
  return (sum * width) / 3 / Math.sqrt(2 * Math.PI);
}

/** Four standard errors of a p-value that was drawn so often. */
export function drawError(p: number, draws = 20_000): number {
  return 4 * Math.sqrt((p * (1 - p)) / draws) + 1 / draws;
}
