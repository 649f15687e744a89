import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server and what is being answered on each. */
export class Connections {
  readonly #answers = new Map<Socket, Set<ServerResponse>>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#answers.set(socket, new Set());
      socket.once('close', () => this.#answers.delete(socket));
    });
  }

  /** Notes that a request is being answered. */
  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = this.#answers.get(socket);
    answers?.add(response);
    response.once('close', () => {
      answers?.delete(response);
      if (this.#isClosing && answers?.size === 0) socket.end();
    });
  }

  /** True when part of an answer is on its way, so that nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#answers.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Ends connections on which nothing is being answered, and each other one once its answer is out. */
  endIdle(): void {
    this.#isClosing = true;
    for (const [socket, answers] of this.#answers) if (answers.size === 0) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#answers.keys()) socket.destroy();
  }
}
