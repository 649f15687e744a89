/** The key of a method of case files that reads them for an evaluation; what it reads is known from the cases. */
const readAsCases = Symbol.for('assay.readAsCases');

/** The row of a case in a file. */
export interface CasePlace {
  /** Relative to the working directory, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A case, and its row if it has one. */
export interface LocatedCase {
  readonly value: unknown;
  readonly place?: CasePlace;
}

/** A case file that an evaluation can read without its content counting as something else that was read. */
export interface ReadableAsCases {
  readonly [readAsCases]: () => AsyncIterable<LocatedCase>;
}

/** Adds how an evaluation reads a case file. */
export function readableAsCases<Of extends object>(
  of: Of,
  read: () => AsyncIterable<LocatedCase>,
): Of & ReadableAsCases {
  return Object.defineProperty(of, readAsCases, { value: read }) as Of & ReadableAsCases;
}

/** Reads the cases of a source, as an evaluation does. */
export async function collectCases(
  source: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<LocatedCase[]> {
  const collected: LocatedCase[] = [];
  const { [readAsCases]: read } = source as Partial<ReadableAsCases>;
  if (read === undefined) for await (const value of source) collected.push({ value });
  else for await (const one of read()) collected.push(one);
  return collected;
}

const unwatched = Symbol.for('assay.unwatched');

/** Calls a function whose looks at files do not count, where they are watched. */
export function unwatchedly<Result>(work: () => Result): Result {
  const hide = Reflect.get(globalThis, unwatched) as ((work: () => Result) => Result) | undefined;
  return hide === undefined ? work() : hide(work);
}
