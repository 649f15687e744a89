import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy whose connections can be cut, as a network does that is down. */
export class CuttableProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server) {
    this.#server = server;
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Passes everything on to a port of this machine. */
  static async start(target: number): Promise<CuttableProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new CuttableProxy(server);
    server.on('connection', (from) => proxy.#pass(from, target));
    return proxy;
  }

  /** Ends all connections and refuses others, until {@link mend}. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  end(): void {
    this.cut();
    this.#server.close();
  }

  #pass(from: Socket, target: number): void {
    if (this.#isCut) {
      from.destroy();
      return;
    }
    const to = connect(target, '127.0.0.1');
    for (const socket of [from, to]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to);
    to.pipe(from);
  }
}
