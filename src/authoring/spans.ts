// On globalThis, so that every copy of the package in the process finds the function of the host.
const starterKey = Symbol.for('assay.startSpan');

type Shared = { [starterKey]?: StartSpan };

/** A span of the user's code that has begun. */
export interface SpanInProgress {
  end(end: {
    readonly name: string;
    readonly attributes?: object;
    /** A thrown value or a message. */
    readonly error?: unknown;
  }): void;
}

type StartSpan = (span: {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
}) => SpanInProgress | undefined;

/** Begins a span of the attempt that calls this; `undefined` outside of attempts, and where spans are not kept. */
export const startSpan: StartSpan = (span) => (globalThis as Shared)[starterKey]?.(span);

/** Sets how {@link startSpan} finds the attempts of this process. */
export function provideStartSpan(start: StartSpan): void {
  (globalThis as Shared)[starterKey] = start;
}
