import { useLayoutEffect, useRef } from 'react';

/** Stores the state of the last `limit` views by key, for going back. */
export class ViewMemory<T extends object> {
  readonly #views = new Map<string, Partial<T>>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Partial<T> | undefined {
    return this.#views.get(key);
  }

  /** Merges values into the stored state of a view. */
  keep(key: string, values: Partial<T>): void {
    const before = this.#views.get(key);
    this.#views.delete(key);
    this.#views.set(key, { ...before, ...values });
    for (const [oldest] of this.#views) {
      if (this.#views.size <= this.#limit) break;
      this.#views.delete(oldest);
    }
  }
}

/** Calls the latest `act` when the component unmounts. */
export function useOnUnmount(act: () => void): void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  useLayoutEffect(() => () => latest.current(), []);
}
