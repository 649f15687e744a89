/** The key of a method of case files that reads them for an evaluation; what it reads is known from the cases. */
const readAsCases = Symbol.for('assay.readAsCases');

/** A case file that an evaluation can read without its content counting as something else that was read. */
export interface ReadableAsCases {
  readonly [readAsCases]: () => AsyncIterable<unknown>;
}

/** Adds how an evaluation reads a case file. */
export function readableAsCases<Of extends object>(
  of: Of,
  read: () => AsyncIterable<unknown>,
): Of & ReadableAsCases {
  return Object.defineProperty(of, readAsCases, { value: read }) as Of & ReadableAsCases;
}

/** The cases of a source, as an evaluation reads them. */
export function casesOf<Source extends object>(source: Source): Source | AsyncIterable<unknown> {
  const { [readAsCases]: read } = source as Partial<ReadableAsCases>;
  return read === undefined ? source : read();
}

const unwatched = Symbol.for('assay.unwatched');

/** Calls a function whose looks at files do not count, where they are watched. */
export function unwatchedly<Result>(work: () => Result): Result {
  const hide = Reflect.get(globalThis, unwatched) as ((work: () => Result) => Result) | undefined;
  return hide === undefined ? work() : hide(work);
}
