import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { LineSplitter } from '../protocol/lines.js';
import type { HostMessage, RunnerMessage } from '../protocol/messages.js';

/** The descriptor from which a host reads messages of the runner. */
const fromRunner = 3;
/** The descriptor to which a host writes its messages. */
const toRunner = 4;
/** Captured before user code runs, which could otherwise intercept writes. */
const write = writeSync;
/** Characters. */
const flushFrom = 256 * 1024;
/** Length from which the next message starts a new line, in characters: a truncated line is lost as a whole. */
const lineFrom = 8 * 1024;

/** What a host does with the messages of the runner, and without the runner. */
interface ChannelListener {
  readonly onMessage: (message: RunnerMessage) => void;
  readonly onEnd: () => void;
  readonly onLost: () => void;
}

/**
 * The host's end of the two pipes to the runner. Each line that it writes is a JSON list of messages; each line
 * that it reads is one message. Writes block until the runner has read the bytes, so a message is out before user
 * code can block the process, and nothing accumulates here.
 */
export class HostChannel {
  #queued = '';
  #line = '';
  #isWriting = false;
  #flushIsDue = false;
  /** Prefix of every line. User code can write to the same descriptor, but does not know the prefix. */
  #secret = '';
  #onLost = () => {};

  /** True during a write that waits for the runner. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Prefixes every line with a secret from now on. */
  signWith(secret: string): void {
    this.#secret = secret;
  }

  /** Queues a message for the next {@link flush}, which also runs when the queue gets long. */
  queue(message: HostMessage): void {
    this.#line += `${this.#line === '' ? '[' : ','}${JSON.stringify(message)}`;
    if (this.#line.length > lineFrom) this.#endLine();
    if (this.#queued.length > flushFrom) this.flush();
  }

  /** Queues a message that is written before the running code goes on after something that it awaits. */
  queueSoon(message: HostMessage): void {
    this.queue(message);
    if (this.#flushIsDue) return;
    this.#flushIsDue = true;
    queueMicrotask(() => {
      this.#flushIsDue = false;
      this.flush();
    });
  }

  /** Writes the queued messages and then this one. */
  send(message: HostMessage): void {
    this.queue(message);
    this.flush();
  }

  flush(): void {
    if (this.#line !== '') this.#endLine();
    if (this.#queued === '') return;
    const bytes = Buffer.from(this.#queued);
    this.#queued = '';
    this.#isWriting = true;
    for (let written = 0; written < bytes.length; ) {
      written += this.#writeSome(bytes, written);
    }
    this.#isWriting = false;
  }

  #endLine(): void {
    this.#queued += `${this.#secret}${this.#line}]\n`;
    this.#line = '';
  }

  /**
   * Calls `onMessage` for each message of the runner, and `onEnd` when the runner sends no more. Calls `onLost` when
   * nothing can be written any more, because the runner is gone or user code closed the channel; the process is killed
   * after that.
   */
  listen({ onMessage, onEnd, onLost }: ChannelListener): void {
    this.#onLost = onLost;
    const socket = new Socket({ fd: fromRunner, readable: true, writable: false });
    const lines = new LineSplitter((line) => onMessage(JSON.parse(line) as RunnerMessage), onEnd);
    socket.on('data', (chunk) => lines.push(chunk));
    socket.on('error', onEnd);
    socket.on('close', onEnd);
  }

  #writeSome(bytes: Buffer, from: number): number {
    try {
      return write(toRunner, bytes, from);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EAGAIN') this.#endWithout(code);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      return 0;
    }
  }

  #endWithout(code: string | undefined): void {
    try {
      write(2, `the channel to assay was closed (${code})\n`);
    } catch {
      // The terminal is gone, too.
    }
    try {
      this.#onLost();
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }
}
