import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a command ended. */
interface CommandEnd {
  /** `null` when a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What Node, chalk and oclif read only once. */
const readOnce = /^(LANG|LC_.*|DEBUG|.*COLOR.*)$/;

const script = fileURLToPath(new URL('command-server.mjs', import.meta.url));
const loaders = [
  import.meta.resolve('tsx/esm'),
  new URL('without-hosts.mjs', import.meta.url).href,
];

/** Processes that wait for a command, by what they have read of their environment. */
const idle = new Map<string, ChildProcess[]>();
let commands = 0;

/**
 * Runs `assay` with these arguments in a process that is kept for the next command; see `command-server.mjs`. Without
 * `hosts`, evaluations run in that process, too.
 */
export async function runInSharedProcess(
  args: readonly string[],
  cwd: string,
  env: Environment,
  hosts = true,
): Promise<CommandEnd> {
  const kept = Object.entries(env).filter(([name]) => readOnce.test(name));
  const key = JSON.stringify([hosts, kept.sort()]);
  const free = idle.get(key) ?? [];
  idle.set(key, free);
  const server = free.pop() ?? startServer(hosts, { ...Object.fromEntries(kept), PATH: env.PATH });
  commands += 1;
  const mark = `\u001e${commands}\u001e`;
  const ended = commandEnd(server, mark);
  server.send({ args, cwd, env, mark });
  const end = await ended;
  if (server.connected) free.push(server);
  return end;
}

function startServer(hosts: boolean, env: Environment): ChildProcess {
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
  const options = hosts ? [] : loaders.flatMap((url) => ['--import', url]);
  return spawn(process.execPath, [...options, script], { cwd: '/', env, stdio: [...stdio] });
}

/** Resolves when both streams have ended with the mark, or the process has ended. */
function commandEnd(server: ChildProcess, mark: string): Promise<CommandEnd> {
  const stdout = new Said(server.stdout, mark);
  const stderr = new Said(server.stderr, mark);
  return new Promise((resolve, reject) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      server.off('close', finish).off('error', reject);
      resolve({ code, signal, stdout: stdout.end(), stderr: stderr.end() });
    };
    server.on('close', finish).on('error', reject);
    const code = new Promise<number>((answer) => server.once('message', answer));
    void Promise.all([code, stdout.marked, stderr.marked]).then(([ended]) => finish(ended, null));
  });
}

/** What a stream says until the mark. */
class Said {
  /** Resolves when the mark has come. */
  readonly marked: Promise<void>;
  readonly #chunks: Buffer[] = [];
  readonly #stream: Readable | null;
  readonly #mark: string;
  #listener: (chunk: Buffer) => void = () => undefined;

  constructor(stream: Readable | null, mark: string) {
    this.#stream = stream;
    this.#mark = mark;
    this.marked = new Promise((resolve) => {
      this.#listener = (chunk) => {
        this.#chunks.push(chunk);
        const end = Buffer.concat(this.#chunks.slice(-mark.length)).toString('latin1');
        if (end.endsWith(mark)) resolve();
      };
    });
    stream?.on('data', this.#listener);
  }

  /** Stops listening; all that was said, without the mark. */
  end(): string {
    this.#stream?.off('data', this.#listener);
    const text = Buffer.concat(this.#chunks).toString('utf8');
    return text.endsWith(this.#mark) ? text.slice(0, -this.#mark.length) : text;
  }
}
