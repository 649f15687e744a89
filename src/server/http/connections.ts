import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server and their pending answers. */
export class Connections {
  readonly #answers = new Map<Socket, Set<ServerResponse>>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#answers.set(socket, new Set());
      socket.once('close', () => this.#answers.delete(socket));
    });
  }

  /** Records that a request is being answered. */
  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = this.#answers.get(socket);
    answers?.add(response);
    response.once('close', () => {
      answers?.delete(response);
      if (this.#isClosing && answers?.size === 0) socket.end();
    });
  }

  /** True when an answer has been sent in part, so that nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#answers.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Closes idle connections, and each other one after its answer. */
  endIdle(): void {
    this.#isClosing = true;
    for (const [socket, answers] of this.#answers) if (answers.size === 0) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#answers.keys()) socket.destroy();
  }
}
