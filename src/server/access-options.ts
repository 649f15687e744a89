import { checkToken } from './http/access-token.js';
import { ownNames } from './http/host-names.js';
import { checkHost, checkPort } from './listen.js';

/** Address that a server listens on, and who may access it. */
export interface AccessOptions {
  /** Address to bind, such as 127.0.0.1. */
  readonly host: string;
  /** 0 takes any free port; default: 8000 or the next free of nine. */
  readonly port?: number | undefined;
  /** Token that clients must send. Required for addresses beyond this machine. */
  readonly token?: string | undefined;
  /** Further values of the Host header that are accepted. */
  readonly allowedHosts?: readonly string[];
}

/** Checks that a server can listen there, and that it is safe, before anything else is done. Error: `usage`. */
export function checkAccess({ host, port, token, allowedHosts }: AccessOptions): void {
  if (token !== undefined) checkToken(token);
  ownNames(host, allowedHosts);
  checkHost(host, token !== undefined);
  checkPort(port);
}
