import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { EventConnection } from '../api/connection.js';
import { useDelayed } from '../browser/use-delayed.js';

/** Milliseconds for which an interruption is not reported. */
const unreported = 900;

const Context = createContext(false);

/** Tells the page when the connection is lost for longer than a moment. */
export function ConnectionLostProvider({
  connection,
  children,
}: {
  connection: EventConnection;
  children: ReactNode;
}) {
  const { state } = useSyncExternalStore(connection.subscribe, connection.read);
  return <Context value={useDelayed(state === 'lost', unreported)}>{children}</Context>;
}

/** Whether the server cannot be reached, so that what needs it is disabled. */
export function useConnectionLost(): boolean {
  return useContext(Context);
}
