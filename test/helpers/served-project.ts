import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutorOptions } from '../../dist/runner/executor.js';
import { type RunningServer, startServer } from '../../dist/server/start-server.js';
import { loadSettings } from '../../dist/settings/load-settings.js';
import {
  openRedisExecutors,
  type RedisExecutors,
} from '../../dist/workers/open-redis-executors.js';
import { checkResponse } from './check-response.js';
import { afterEachFile } from './clean-up.js';
import { InProcessExecutor } from './in-process-executor.js';
import { ownAddress } from './own-address.js';
import { Project } from './project.js';
import type { Files } from './project-folder.js';

/** An answer, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  // Tests look into answers of any shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

export interface ServeOptions {
  /** Folder below the project. Default: the project. */
  readonly cwd?: string;
  readonly paths?: readonly string[];
  readonly session?: string;
  readonly runName?: string;
  readonly runConfig?: string;
  readonly token?: string;
  readonly runFolder?: string;
  readonly runId?: string;
  /** Folder of a built web UI. Default: none. */
  readonly ui?: string;
  /** Evaluations run in processes of their own, as users have it, and not in this one. Default false. */
  readonly hosts?: boolean;
  /** Is told the options of each executor that executes evaluations in this process. */
  readonly onExecution?: (options: ExecutorOptions) => void;
  /** The files of the project are watched, in hosts of their own. Default false. */
  readonly watches?: boolean;
  /** Address of a Redis server on whose workers evaluations run. Default: none. */
  readonly redis?: string;
}

const running: ServedProject[] = [];

/** A user's project with a real server on a free port, in this process. */
export class ServedProject {
  readonly project: Project;
  readonly server: RunningServer;
  /** What the server has said to whoever watches it. */
  readonly warnings: string[];
  /** Errors that are the server's own fault; a test that finds one here fails. */
  readonly bugs: unknown[];
  #executors: RedisExecutors | undefined;

  private constructor(
    project: Project,
    server: RunningServer,
    said: { warnings: string[]; bugs: unknown[] },
  ) {
    this.project = project;
    this.server = server;
    this.warnings = said.warnings;
    this.bugs = said.bugs;
  }

  static async start(files: Files | Project, options: ServeOptions = {}): Promise<ServedProject> {
    const project = files instanceof Project ? files : new Project(files);
    const said = { warnings: [] as string[], bugs: [] as unknown[] };
    const cwd = project.path(options.cwd ?? '.');
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    const onWarning = (text: string) => said.warnings.push(text);
    const executors =
      options.redis === undefined ? undefined : openRedisExecutors(options.redis, cwd, onWarning);
    const server = await startServer({
      cwd,
      env,
      addedEnv: {},
      request: { paths: options.paths ?? [], ignore: [], datasets: [], labels: [] },
      sessionName: options.session ?? 'default',
      ...(options.runName === undefined ? {} : { runName: options.runName }),
      ...(options.runConfig === undefined ? {} : { configName: options.runConfig }),
      ...(options.runFolder === undefined ? {} : { runFolder: options.runFolder }),
      ...(options.runId === undefined ? {} : { runId: options.runId }),
      readSettings: () => loadSettings({ cwd, env }),
      onWarning,
      ...(options.watches ? { watches: true } : {}),
      ...(executors && {
        makeExecutor: executors.makeExecutor,
        redis: await executors.connect(),
      }),
      ...(options.hosts || options.watches || executors !== undefined
        ? {}
        : {
            makeExecutor: (settings) => new InProcessExecutor(settings, options.onExecution),
          }),
      // The same addresses again and again, so that a browser has the web UI of each in its cache.
      ...(options.ui === undefined ? { host: '127.0.0.1', port: 0 } : { host: ownAddress }),
      token: options.token,
      ui: options.ui ?? project.path('no-ui'),
      onBug: (error) => said.bugs.push(error),
    });
    const served = new ServedProject(project, server, said);
    served.#executors = executors;
    running.push(served);
    return served;
  }

  get url(): string {
    return this.server.url;
  }

  /** Sends a request, a text as it is and all else as JSON; fails when the answer does not fit the OpenAPI document. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${this.url}${path}`, {
      method,
      // On a busy machine, the server may end a kept connection just as a request is sent.
      headers: { connection: 'close', ...type, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { status, text } = await checkResponse(method, path, response);
    return {
      status,
      headers: response.headers,
      text,
      get body() {
        return JSON.parse(text);
      },
    };
  }

  get(path: string): Promise<Answered> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Answered> {
    return this.send('POST', path, body);
  }

  patch(path: string, body?: unknown): Promise<Answered> {
    return this.send('PATCH', path, body);
  }

  put(path: string, body?: unknown): Promise<Answered> {
    return this.send('PUT', path, body);
  }

  delete(path: string): Promise<Answered> {
    return this.send('DELETE', path);
  }

  /** The active run. */
  async active(): Promise<Answered['body']> {
    return (await this.get('/results')).body;
  }

  /** The id of the active run. */
  async activeId(): Promise<string> {
    return (await this.get('/api/active-run')).body.run_id;
  }

  /** Runs everything of the active run and waits for the end; answers with the run. */
  async runAll(): Promise<Answered['body']> {
    const { status, text } = await this.post('/api/runs/rerun?wait=true', {});
    if (status !== 200) throw new Error(`The run did not start: ${text}`);
    return this.active();
  }

  /** Asks again until it is so; fails with the last answer after thirty seconds. */
  async until(isSo: (run: Answered['body']) => boolean): Promise<Answered['body']> {
    for (const end = performance.now() + 30_000; ; await delay(50)) {
      const run = await this.active();
      if (isSo(run)) return run;
      if (performance.now() > end) throw new Error(`It did not come to be: ${JSON.stringify(run)}`);
    }
  }

  /** A file of the project as text. */
  read(name: string): string {
    return readFileSync(this.project.path(name), 'utf8');
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.#executors?.close();
  }
}

afterEachFile('servers', closeServers);

/** Closes every server that was started; fails when one of them had a bug. Each test file ends with it. */
export async function closeServers(): Promise<void> {
  const servers = running.splice(0);
  await Promise.all(servers.map((served) => served.close()));
  const bugs = servers.flatMap(({ bugs }) => bugs);
  if (bugs.length > 0) throw bugs[0];
}
