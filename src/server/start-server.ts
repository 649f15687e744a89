import { existsSync } from 'node:fs';
import { createRedactor } from '../text/redact.js';
import { allRoutes } from './api/index.js';
import { createApp } from './app.js';
import { checkToken } from './http/access-token.js';
import { ownNames } from './http/host-names.js';
import { checkHost, checkPort, listen } from './listen.js';
import { Operations } from './workspace/operations.js';
import { Workspace, type WorkspaceOptions } from './workspace/workspace.js';

export interface ServerOptions extends WorkspaceOptions, AccessOptions {
  /** Folder of the built web UI. */
  readonly ui: string;
  /** Receives internal errors, with the request or task that failed. */
  readonly onBug: (error: unknown, where: string) => void;
}

/** A server that is listening. */
export interface RunningServer {
  /** `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Link that signs in one browser, once; the same as `url` without a token. */
  readonly link: string;
  readonly workspace: Workspace;
  readonly operations: Operations;
  /** Ends event streams and hosts, lets writes finish; at most about five seconds. */
  close(): Promise<void>;
}

/** Opens a workspace and serves it. Errors: those of opening it, `port-in-use`, `usage` for an open address without a token. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { onBug } = options;
  await loadOnDemandModules();
  const onFeedBug = (error: unknown) => onBug(error, 'sending events');
  const workspace = await Workspace.open({ ...options, onFeedBug });
  try {
    const operations = new Operations(workspace);
    const { host, port, token, allowedHosts } = options;
    const app = createApp({
      routes: allRoutes(workspace, operations),
      names: ownNames(host, allowedHosts),
      ...(token === undefined ? {} : { token }),
      ui: options.ui,
      onBug,
      redact: createRedactor({ ...options.env, ...options.addedEnv }, existsSync).redact,
    });
    const listening = await listen(app, { host, ...(port === undefined ? {} : { port }) });
    const close = async () => {
      // The workspace ends event streams, for which the connections wait.
      await Promise.all([workspace.close(), listening.close()]);
    };
    const { url } = listening;
    const link = app.hasToken ? `${url}${app.makeLink()}` : url;
    return { url, link, workspace, operations, close };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

/**
 * Loads what commands load on demand. An import that fails, for example because too many files are open, fails
 * permanently. In the bundle, only another import on demand loads the same file.
 */
async function loadOnDemandModules(): Promise<void> {
  await Promise.all([
    import('../store/delete-run.js'),
    import('../store/exported/import-run.js'),
    import('../store/listing/find-run.js'),
    import('../store/listing/listing-cache.js'),
    import('../store/streamed-run.js'),
    import('tinyglobby'),
    import('yaml'),
  ]);
}

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
