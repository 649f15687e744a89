/** Below this p-value a difference is beyond chance. */
export const chanceLevel = 0.05;

/** A test by itself, and as one of its family. */
interface Tested {
  readonly p: number | null;
  /** `null` for a test with too little data. */
  readonly p_adjusted: number | null;
  readonly among: number | null;
}

/** A p-value: `<.001`, `.004`, `.12`, `1`; with more digits where rounding would move it to the other side of .05. */
export function pText(p: number): string {
  if (p < 0.001) return '<.001';
  if (p >= 0.995) return '1';
  let digits = p < 0.095 ? 3 : 2;
  while (p < chanceLevel && Number(p.toFixed(digits)) >= chanceLevel && digits < 9) digits += 1;
  return p.toFixed(digits).replace(/^0/, '');
}

/**
 * The p-value of a test, and the adjusted one where their verdicts differ: `.031`, `.031, .125 among 4`; empty without a
 * test.
 */
export function testText({ p, p_adjusted: adjusted, among }: Tested): string {
  if (p === null) return '';
  if (adjusted === null || p < chanceLevel === adjusted < chanceLevel) return pText(p);
  return `${pText(p)}, ${correctedText(adjusted)} among ${among}`;
}

/** A p-value corrected for several tests: with one more digit than `pText`, unless it is 0, so that it is seen to be a multiple. */
export function correctedText(p: number): string {
  return p < 0.095 || p >= 0.995 ? pText(p) : p.toFixed(3).replace(/^0/, '').replace(/0$/, '');
}

/** True for a test whose data could not show anything beyond chance, whatever the outcome. */
export function hasTooLittleData({ p, p_adjusted }: Omit<Tested, 'among'>): boolean {
  return p !== null && p_adjusted === null;
}

/** What is said of a test with too little data. */
export const tooLittleData = 'too little data';

/** Said in place of the detectable drop where cases share clusters. */
export const unknownDropText =
  'how small a drop it finds is not known, because cases share clusters';

/** Said of a run whose trials repeat one answer. */
export const alikeTrialsText =
  'the trials of this run are all alike, as from a response cache: more of them say nothing more';
