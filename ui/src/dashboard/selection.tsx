import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/** The rows that are selected, by their index in the run. */
export interface Selection {
  readonly indices: ReadonlySet<number>;
  readonly select: (indices: ReadonlySet<number>) => void;
  readonly clear: () => void;
}

const none: ReadonlySet<number> = new Set();
const Context = createContext<Selection>({ indices: none, select: () => {}, clear: () => {} });

/** Keeps the selection of one run; give it the run as `key`. */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const [indices, select] = useState(none);
  const selection = useMemo(() => ({ indices, select, clear: () => select(none) }), [indices]);
  return <Context value={selection}>{children}</Context>;
}

/** The rows that are selected, and how to select others. */
export function useSelection(): Selection {
  return useContext(Context);
}
