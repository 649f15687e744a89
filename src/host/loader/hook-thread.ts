import { createRequire } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import { type Watch, watch } from '../watchdog/watchdog.js';

type Hooks = typeof import('./hooks.js');
type ModuleGraph = typeof import('./module-graph.js');

/** The data passed to the hook thread. */
export interface HookThreadData {
  /** The port for notes about modules. */
  readonly notes: MessagePort;
  readonly watch: Watch | undefined;
}

/** The fields of a load hook's result that are used here. */
interface Answer {
  readonly source?: string | Uint8Array | null;
}

const require = createRequire(import.meta.url);
let notes: MessagePort | undefined;
const mapComment = '\n//# sourceMappingURL=';

/**
 * The hooks, for a Node that runs them in a separate thread. The main thread waits until this file is loaded, but
 * not for the rest. Through `require`, because an import from here would call these hooks.
 */
function hooks(): Hooks {
  if (notes !== undefined) (require('./module-graph.cjs') as ModuleGraph).sendNotes(notes);
  notes = undefined;
  return require('./hooks.cjs') as Hooks;
}

/** Called once, by Node. The thread exists anyway, so it also runs the watchdog. */
export function initialize(data: HookThreadData): void {
  notes = data.notes;
  if (data.watch !== undefined) watch(data.watch);
  setImmediate(() => hooks().warmUp());
}

/** See `resolve` of hooks.ts. */
export const resolve: Hooks['resolve'] = (...args) => hooks().resolve(...args);

/** See `load` of hooks.ts. Drops the source maps of installed packages, which Node would read immediately. */
export async function load(...args: Parameters<Hooks['load']>): Promise<unknown> {
  const answer = (await hooks().load(...args)) as Answer;
  return args[0].includes('/node_modules/') ? withoutMap(answer) : answer;
}

function withoutMap(answer: Answer): Answer {
  if (!(answer.source instanceof Uint8Array)) return answer;
  const { buffer, byteOffset, byteLength } = answer.source;
  const source = Buffer.from(buffer, byteOffset, byteLength);
  const at = source.lastIndexOf(mapComment);
  // Only as the last line, because anything after it could be code.
  const end = at === -1 ? -1 : source.indexOf('\n', at + 1);
  const isLast = at !== -1 && (end === -1 || end === source.length - 1);
  return isLast ? { ...answer, source: source.subarray(0, at) } : answer;
}
