import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** One command to carry out. */
export interface CommandRequest {
  /** File of the command: `run`, `sessions/show`. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Is written to both streams when the command has said all. */
  readonly mark: string;
}

/** How a command ended. */
export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProcessAnswer {
  readonly code: number;
  /** What the command threw instead of ending. */
  readonly thrown?: string;
}

/** A process that carries out commands one after another: most of what a command costs is starting a process. */
export class CommandLine {
  readonly #child: ChildProcess;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(): Promise<CommandLine> {
    const { PATH, HOME, TMPDIR } = process.env;
    const child = fork(fileURLToPath(new URL('command-line-process.ts', import.meta.url)), {
      execArgv: ['--import', createRequire(import.meta.url).resolve('tsx')],
      env: { PATH, HOME, NODE_NO_WARNINGS: '1', ...(TMPDIR === undefined ? {} : { TMPDIR }) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    await once(child, 'message');
    return new CommandLine(child);
  }

  /** `['sessions', 'show', 'default']` in a folder; `topics` are the commands' folders. */
  run(
    args: readonly string[],
    options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<CommandEnd> {
    const ended = this.#turn.then(() => this.#run(args, options));
    this.#turn = ended.catch(() => undefined);
    return ended;
  }

  async #run(
    args: readonly string[],
    { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<CommandEnd> {
    const { name, argv } = toCommand(args);
    const mark = `\u001e${randomUUID()}`;
    const { stdout: out, stderr: err } = this.#child;
    if (out === null || err === null) throw new Error('the process has no streams');
    const answer = once(this.#child, 'message');
    const said = [readUntil(out, mark), readUntil(err, mark)];
    this.#child.send({ name, argv, cwd, env, mark } satisfies CommandRequest);
    const [stdout = '', stderr = ''] = await Promise.all(said);
    const [{ code, thrown }] = (await answer) as [ProcessAnswer];
    if (thrown !== undefined) throw new Error(`assay ${args.join(' ')} threw ${thrown}`);
    return { code, stdout, stderr };
  }
}

const topics: Readonly<Record<string, readonly string[]>> = {
  config: ['get', 'set', 'unset', 'path', 'list-configs'],
  sessions: [
    'show',
    'compare',
    'bless',
    'delete',
    'delete-run',
    'rename-run',
    'import',
    'merge',
    'gate',
  ],
};

function toCommand([first = '', ...rest]: readonly string[]): { name: string; argv: string[] } {
  const commands = topics[first];
  if (commands === undefined) return { name: first, argv: rest };
  const [second = '', ...argv] = rest;
  return commands.includes(second)
    ? { name: `${first}/${second}`, argv }
    : { name: `${first}/index`, argv: rest };
}

function readUntil(stream: Readable, mark: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      if (!chunk.includes(mark.at(-1) ?? '')) return;
      const text = Buffer.concat(chunks).toString('utf8');
      if (!text.endsWith(mark)) return;
      stream.off('data', take);
      resolve(text.slice(0, -mark.length));
    };
    stream.on('data', take);
  });
}
