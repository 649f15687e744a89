import Module, { createRequire } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import type { Watch } from '../watchdog/watchdog.js';
import type { HookThreadData } from './hook-thread.js';
import { takeNotes } from './module-graph.js';
import { compileInRequire, resolveInRequire } from './require.js';

/** Synchronous hooks, from Node 22.15 on; the types are those of Node 20. */
type RegisterHooks = (hooks: { resolve: unknown; load: unknown }) => unknown;

/** Source map settings, from Node 22.14 on; the types are those of Node 20. */
type SetSourceMaps = (
  enabled: boolean,
  options: { nodeModules: boolean; generatedCode: boolean },
) => void;

export interface RegisterOptions {
  /** Passed to the hook thread, if there is one, which also runs the watchdog. */
  readonly watch?: Watch;
  /** Called while the hook thread starts, if there is one. */
  readonly meanwhile?: () => void;
}

/**
 * Enables importing and requiring TypeScript and JSX in this process, but not in child processes. Call it once,
 * before any user module loads. Returns true if it started a thread.
 */
export function registerTypeScript({ watch, meanwhile }: RegisterOptions = {}): boolean {
  enableSourceMaps();
  resolveInRequire();
  if ('registerHooks' in Module) {
    const require = createRequire(import.meta.url);
    const { resolve, load } = require('./hooks.cjs') as typeof import('./hooks.js');
    (Module.registerHooks as RegisterHooks)({ resolve, load });
    return false;
  }
  const hooks = new URL('./hook-thread.js', import.meta.url);
  // Node starts the thread, reads this URL, and then waits for the thread.
  hooks.toString = () => {
    meanwhile?.();
    return hooks.href;
  };
  const { port1, port2: notes } = new MessageChannel();
  takeNotes(port1);
  const data: HookThreadData = { notes, watch };
  Module.register(hooks, {
    data,
    transferList: watch === undefined ? [notes] : [notes, watch.end],
  });
  compileInRequire();
  return true;
}

function enableSourceMaps(): void {
  if ('setSourceMapsSupport' in Module) {
    // Source maps of installed packages cost time and do not help here.
    (Module.setSourceMapsSupport as SetSourceMaps)(true, {
      nodeModules: false,
      generatedCode: false,
    });
    return;
  }
  process.setSourceMapsEnabled(true);
}
