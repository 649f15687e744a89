import type { StoredCall, StoredCalls } from '../../../model/calls/stored-calls.js';

/** The calls that a host process has made while it imported eval files, until attempts take them over. */
export class ImportCalls {
  readonly #byFile = new Map<string, Map<number, StoredCall>>();

  add(file: string, { calls }: StoredCalls): void {
    const known = this.#byFile.get(file) ?? new Map<number, StoredCall>();
    this.#byFile.set(file, known);
    for (const call of calls) known.set(call.number, call);
  }

  /** Calls of a file as the first ones of an attempt. */
  take(file: string, numbers: readonly number[]): StoredCalls {
    const known = this.#byFile.get(file);
    const calls = numbers.flatMap((number, position) => {
      const call = known?.get(number);
      known?.delete(number);
      return call === undefined ? [] : [{ ...call, number: position + 1 }];
    });
    return { calls, texts: [] };
  }

  /** Those that no attempt has taken; they are forgotten here. */
  clear(): StoredCall[] {
    const left = [...this.#byFile.values()].flatMap((calls) => [...calls.values()]);
    this.#byFile.clear();
    return left;
  }
}
