import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { LineSplitter } from '../protocol/lines.js';
import type { HostMessage, RunnerMessage } from '../protocol/messages.js';

/** The descriptor a host reads the runner's messages from. */
export const fromRunner = 3;
/** The descriptor a host writes its own messages to. */
export const toRunner = 4;
/** Characters. */
/** As it was before any code of the user's, which could otherwise see what is written. */
const write = writeSync;
const flushFrom = 256 * 1024;
/** Characters after which the next message begins another line: a line that is cut off is lost whole. */
const lineFrom = 8 * 1024;

/**
 * The host's end of the two pipes to the runner: each line it writes is a JSON list of messages, each line it reads is
 * one message. Writing blocks until the runner has
 * taken the bytes, so a message is out before user code can hold the process, and nothing piles up here.
 */
export class HostChannel {
  #queued = '';
  #line = '';
  #isWriting = false;
  /** What every line begins with: code of the user's can write to the same descriptor, but does not know it. */
  #secret = '';

  /** True inside of a write that waits for the runner. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Lets every line begin with a secret from now on. */
  signWith(secret: string): void {
    this.#secret = secret;
  }

  /** Keeps a message for the next {@link flush}, which comes by itself when much is kept. */
  queue(message: HostMessage): void {
    this.#line += `${this.#line === '' ? '[' : ','}${JSON.stringify(message)}`;
    if (this.#line.length > lineFrom) this.#endLine();
    if (this.#queued.length > flushFrom) this.flush();
  }

  /** Writes a message, and what was queued before it. */
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
      written += writeSome(bytes, written);
    }
    this.#isWriting = false;
  }

  #endLine(): void {
    this.#queued += `${this.#secret}${this.#line}]\n`;
    this.#line = '';
  }

  /** Calls `onMessage` for each message of the runner, and `onEnd` when the runner is gone. */
  listen(onMessage: (message: RunnerMessage) => void, onEnd: () => void): void {
    const socket = new Socket({ fd: fromRunner, readable: true, writable: false });
    const lines = new LineSplitter((line) => onMessage(JSON.parse(line) as RunnerMessage), onEnd);
    socket.on('data', (chunk) => lines.push(chunk));
    socket.on('error', onEnd);
    socket.on('close', onEnd);
  }
}

function writeSome(bytes: Buffer, from: number): number {
  try {
    return write(toRunner, bytes, from);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EAGAIN') endWithout(code);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}

/** Nothing that happens here can be told any more: the runner has gone, or user code has closed the channel. */
function endWithout(code: string | undefined): void {
  try {
    write(2, `the channel to assay was closed (${code})\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
