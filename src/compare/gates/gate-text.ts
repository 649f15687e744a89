import type { GateVerdict } from '../../model/gates/gate-verdict.js';

const mostNamed = 5;

/** The verdict for runs without anything in common. */
export const cannotCompare: GateVerdict = {
  verdict: 'cannot-tell',
  text: 'no finished case is in both runs, so there is nothing to compare',
};

/** The first few texts, and the number of others. */
export function listOf(texts: readonly string[]): string {
  const named = texts.slice(0, mostNamed).join(', ');
  return texts.length > mostNamed ? `${named} and ${texts.length - mostNamed} more` : named;
}

/** Formats a p-value: `<.001`, `.004`, `.12`, `1`. */
export function pText(p: number): string {
  if (p < 0.001) return '<.001';
  return p >= 0.995 ? '1' : p.toFixed(p < 0.095 ? 3 : 2).replace(/^0/, '');
}
