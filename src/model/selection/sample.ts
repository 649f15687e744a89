import { shortHash } from '../../text/short-hash.js';

/** A part of the cases, drawn by their ids. */
export interface CaseDraw {
  /** The number of cases. */
  readonly size: number;
  /** The same seed draws the same cases; a case more in the project changes at most one of them. */
  readonly seed: number;
}

/** The ids of the drawn cases: those whose hashes are the smallest. All of them if there are no more. */
export function drawCases(ids: Iterable<string>, { size, seed }: CaseDraw): ReadonlySet<string> {
  const hashed = [...new Set(ids)].map((id) => ({ id, hash: shortHash(`${seed}\0${id}`) }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return new Set(hashed.slice(0, size).map(({ id }) => id));
}
