/** What a comparison could find of a share. */
interface Detectable {
  /** Of the pairs; `null` without pairs. */
  readonly base: number | null;
  readonly detectable: number | null;
  /** Present where cases share clusters: what is found is not known. */
  readonly clusters?: unknown;
}

const rounding = 1e-9;

/** True where nothing less can be found than that the base loses all that it has. */
export function findsAtMostAll({ base, detectable }: Detectable): boolean {
  return base !== null && detectable !== null && detectable > 0 && detectable >= base - rounding;
}

/** True where not even a fall of the share from all to none would be found. */
export function findsNothing({ base, detectable, clusters }: Detectable): boolean {
  return detectable === null && clusters === undefined && base !== null && base > 0;
}
