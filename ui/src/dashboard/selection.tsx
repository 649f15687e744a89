import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/** The selected rows, by their index in the run. */
export interface SelectedRows {
  readonly indices: ReadonlySet<number>;
  readonly select: (indices: ReadonlySet<number>) => void;
  readonly clear: () => void;
}

const none: ReadonlySet<number> = new Set();
const Context = createContext<SelectedRows>({ indices: none, select: () => {}, clear: () => {} });

/** Holds the selection of one run; use the run as `key`. */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const [indices, select] = useState(none);
  const selection = useMemo(() => ({ indices, select, clear: () => select(none) }), [indices]);
  return <Context value={selection}>{children}</Context>;
}

/** The selected rows, and functions to change the selection. */
export function useSelection(): SelectedRows {
  return useContext(Context);
}
