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
