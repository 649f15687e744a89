import { checkToken } from './http/access-token.js';
import { ownNames } from './http/own-names.js';
import { checkHost, checkPort } from './listen.js';

/** Where a server is to listen, and to whom. */
export interface Door {
  /** Address to bind, such as 127.0.0.1. */
  readonly host: string;
  /** 0 takes any free port; default: 8000 or the next free of nine. */
  readonly port?: number | undefined;
  /** Clients have to show it. Addresses beyond this machine need one. */
  readonly token?: string | undefined;
  /** Further values of the Host header that are accepted. */
  readonly allowedHosts?: readonly string[];
}

/** Refuses a door that cannot be, or that is not safe, before anything is done for a server. Error: `usage`. */
export function checkDoor({ host, port, token, allowedHosts }: Door): void {
  if (token !== undefined) checkToken(token);
  ownNames(host, allowedHosts);
  checkHost(host, token !== undefined);
  checkPort(port);
}
