import { once } from 'node:events';
import { SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'undici';

type Fields = Readonly<Record<string, unknown>>;

/** A place where a debugger has stopped, in the source. */
export interface Stop {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL?: string;
}

interface Frame {
  readonly callFrameId: string;
  readonly location: {
    readonly scriptId: string;
    readonly lineNumber: number;
    readonly columnNumber?: number;
  };
}

/** A debugger as editors are: it speaks to the inspector of a process, and knows places by source maps. */
export class Debugger {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (answer: Fields) => void>();
  readonly #scripts = new Map<string, Script>();
  readonly #stops: Frame[] = [];
  #onStop: (() => void) | undefined;
  #frame: Frame | undefined;
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) =>
      this.#receive(JSON.parse(String(data)) as Fields),
    );
  }

  /** Attaches to an address, and lets a process go on that waits for that. */
  static async attach(url: string): Promise<Debugger> {
    const socket = new WebSocket(url);
    await once(socket as unknown as NodeJS.EventEmitter, 'open');
    const attached = new Debugger(socket);
    await attached.send('Runtime.enable');
    await attached.send('Debugger.enable');
    return attached;
  }

  async send(method: string, params: Fields = {}): Promise<Fields> {
    this.#asked += 1;
    const id = this.#asked;
    const answer = new Promise<Fields>((resolve) => this.#answers.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Fields;
  }

  /** Sets a breakpoint at a line of a source that is loaded. */
  async breakAt(file: string, line: number): Promise<void> {
    for (const { scriptId, ...script } of this.#scripts.values()) {
      const lineNumber = generatedLine(script, file, line);
      if (lineNumber === undefined) continue;
      await this.send('Debugger.setBreakpoint', { location: { scriptId, lineNumber } });
      return;
    }
    throw new Error(`no loaded script comes from line ${line} of ${file}`);
  }

  /** Waits until the process stops, or has stopped, and says where. */
  async stopped(): Promise<Stop> {
    while (this.#stops.length === 0) {
      await new Promise<void>((resolve) => {
        this.#onStop = resolve;
      });
    }
    this.#frame = this.#stops.shift();
    const { scriptId = '', lineNumber = 0, columnNumber = 0 } = this.#frame?.location ?? {};
    const script = this.#scripts.get(scriptId);
    const entry = mapOf(script)?.findEntry(lineNumber, columnNumber);
    const line = entry !== undefined && 'originalLine' in entry ? entry.originalLine : lineNumber;
    return { file: script?.url ?? '', line: line + 1 };
  }

  /** The value of an expression where it has stopped. */
  async valueOf(expression: string): Promise<unknown> {
    const callFrameId = this.#frame?.callFrameId;
    const asked = { expression, returnByValue: true };
    const { result } =
      callFrameId === undefined
        ? await this.send('Runtime.evaluate', asked)
        : await this.send('Debugger.evaluateOnCallFrame', { ...asked, callFrameId });
    return (result as { readonly value?: unknown }).value;
  }

  async resume(): Promise<void> {
    this.#frame = undefined;
    await this.send('Debugger.resume');
  }

  close(): void {
    this.#socket.close();
  }

  #receive({ id, method, params, ...answer }: Fields): void {
    if (typeof id === 'number') {
      this.#answers.get(id)?.(answer);
      this.#answers.delete(id);
    }
    if (method === 'Debugger.scriptParsed') {
      const script = params as unknown as Script;
      this.#scripts.set(script.scriptId, script);
    }
    if (method !== 'Debugger.paused') return;
    const [frame] = (params as { readonly callFrames: readonly Frame[] }).callFrames;
    if (frame !== undefined) this.#stops.push(frame);
    this.#onStop?.();
  }
}

function mapOf(script: Pick<Script, 'sourceMapURL'> | undefined): SourceMap | undefined {
  const [, encoded] = /^data:application\/json;base64,(.*)$/.exec(script?.sourceMapURL ?? '') ?? [];
  if (encoded === undefined) return undefined;
  return new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()));
}

/** The line of a script, from 0, that comes from a line of a source, from 1; without a map, its own. */
function generatedLine(
  script: Omit<Script, 'scriptId'>,
  file: string,
  line: number,
): number | undefined {
  if (script.url !== pathToFileURL(file).href) return undefined;
  const map = mapOf(script);
  if (map === undefined) return line - 1;
  for (let at = 0; at < 10_000; at += 1) {
    const entry = map.findEntry(at, 1000);
    if ('originalLine' in entry && entry.originalLine === line - 1) return at;
  }
  return undefined;
}
