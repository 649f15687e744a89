import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { signalGroup, signalTree } from '../../processes/process-tree.js';
import { LineSplitter } from '../../protocol/lines.js';
import {
  type HostMessage,
  type LogStream,
  parseHostLine,
  type RunnerMessage,
} from '../../protocol/messages.js';
import { markOf, setReferenced, spawnHost } from './spawn-host.js';

/** End of a host process. */
export interface HostExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last output of the process on stderr. */
  readonly stderr: string;
  /** It was killed because it sent a message that was too long. */
  readonly overflowed: boolean;
  /** It was killed because it had closed the pipe from which it reads messages. */
  readonly closedPipe: boolean;
  /** The reason why it could not be started. */
  readonly failure?: Error;
}

export interface HostHandlers {
  /** Called with all messages that arrived together. */
  readonly onMessages: (messages: readonly HostMessage[]) => void;
  /** Called with output that belongs to no evaluation. */
  readonly onPrint: (stream: LogStream, text: string) => void;
  /** Called once, after the last message. */
  readonly onExit: (exit: HostExit) => void;
}

export const stderrKept = 8192;
/** Milliseconds, longer than a host needs to shut down. */
const releasedMs = 3000;

/** A host process from the runner's view: messages in, messages out, and its exit. */
export class HostProcess {
  /** Absent if it could not be started. */
  readonly #child: ChildProcess | undefined;
  readonly #handlers: HostHandlers;
  /** Prefix of every line of the host. User code in the host does not know it. */
  readonly #secret = randomBytes(16).toString('hex');
  #stderr = '';
  #batch: HostMessage[] = [];
  #ended = false;
  #overflowed = false;
  #closedPipe = false;
  #isReleased = false;
  /** Its descendants that a signal to its process group does not reach. */
  readonly #outsiders = new Set<number>();

  constructor(env: NodeJS.ProcessEnv, handlers: HostHandlers) {
    this.#handlers = handlers;
    this.#child = this.#spawn(env);
    if (this.#child !== undefined) this.#listen(this.#child);
    this.send({ type: 'greet', secret: this.#secret });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Sends a message. Kills a host that cannot receive it. */
  send(message: RunnerMessage): void {
    if (this.#ended) return;
    if (this.#input?.writable === false) this.#killDeaf();
    else this.#input?.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a signal to the process and all its descendants. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const child = this.#child;
    if (child?.pid === undefined || this.#ended) return;
    signalTree({ pid: child.pid, mark: markOf(child) }, signal, this.#outsiders);
  }

  /** Lets the process shut down without waiting for it, and kills it if it is too busy to do so. */
  release(): void {
    this.#isReleased = true;
    this.send({ type: 'end' });
    this.#input?.end();
    if (this.#child !== undefined) setReferenced(this.#child, false);
    setTimeout(() => this.kill('SIGKILL'), releasedMs).unref();
  }

  get #input(): Writable | undefined {
    return this.#child?.stdio[3] as Writable | undefined;
  }

  /**
   * Spawns the process. A shortage of descriptors, processes or memory is reported asynchronously, like any other
   * exit.
   */
  #spawn(env: NodeJS.ProcessEnv): ChildProcess | undefined {
    const fail = (failure: Error) => this.#end({ code: null, signal: null, failure });
    try {
      const child = spawnHost(env);
      if (child.pid !== undefined) return child;
      child.on('error', fail);
    } catch (error) {
      setImmediate(fail, error as Error);
    }
    return undefined;
  }

  #listen(child: ChildProcess): void {
    const lines = new LineSplitter(
      (line) => {
        // An evaluation may have written to the same pipe before this line.
        const [, own] = line.split(this.#secret, 2);
        if (own === undefined) return;
        for (const message of parseHostLine(own)) this.#batch.push(message);
      },
      () => {
        this.#overflowed = true;
        this.kill('SIGKILL');
      },
    );
    const output = child.stdio[4] as Readable;
    output.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      this.#deliver();
    });
    // Killing a host breaks its pipes; `close` reports its exit.
    output.on('error', () => {});
    this.#input?.on('error', () => this.#killDeaf());
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#handlers.onPrint('stdout', text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrKept);
      this.#handlers.onPrint('stderr', text);
    });
    child.on('error', (error) => {
      this.#stderr += error.message;
    });
    child.on('exit', (code, signal) =>
      this.#afterLastMessage(output, () => this.#end({ code, signal })),
    );
  }

  /** Kills a host that has closed its pipe: it would wait for messages forever. */
  #killDeaf(): void {
    if (this.#ended) return;
    this.#closedPipe = true;
    this.kill('SIGKILL');
  }

  /**
   * Calls `then` after everything that the process wrote has been read from the pipe, which a grandchild may keep
   * open forever.
   */
  #afterLastMessage(output: Readable, then: () => void): void {
    const timer = setTimeout(then, 200);
    const done = () => {
      clearTimeout(timer);
      then();
    };
    if (output.readableEnded || output.destroyed) done();
    else output.once('close', done);
  }

  #deliver(): void {
    if (this.#batch.length === 0 || this.#ended) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#handlers.onMessages(batch);
  }

  #end(how: Pick<HostExit, 'code' | 'signal' | 'failure'>): void {
    if (this.#ended) return;
    this.#deliver();
    const pid = this.#child?.pid;
    // A host that shut down regularly has ended all its descendants.
    const isTidy = this.#isReleased && how.signal === 'SIGKILL';
    if (isTidy && pid !== undefined) signalGroup(pid, 'SIGKILL');
    else this.kill('SIGKILL');
    this.#ended = true;
    for (const stream of this.#child?.stdio ?? []) stream?.destroy();
    this.#handlers.onExit({
      ...how,
      stderr: this.#stderr,
      overflowed: this.#overflowed,
      closedPipe: this.#closedPipe,
    });
  }
}
