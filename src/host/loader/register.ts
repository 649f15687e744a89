import Module from 'node:module';
import type { Watch } from '../watchdog.js';
import { compileInRequire, resolveInRequire } from './require.js';

/** Node's hooks that run beside the user's code, from 22.15 on; the types are those of Node 20. */
type RegisterHooks = (hooks: { resolve: unknown; load: unknown }) => unknown;

/** Source map settings from Node 22.14 on; the types are those of Node 20. */
type SetSourceMaps = (
  enabled: boolean,
  options: { nodeModules: boolean; generatedCode: boolean },
) => void;

/**
 * Lets this process import and require TypeScript and JSX. Call it once, before any user module is
 * loaded. Child processes are not affected. True when that has started a thread, which then is the
 * watchdog as well, if there is something to watch.
 */
export async function registerTypeScript(watched?: Watch): Promise<boolean> {
  enableSourceMaps();
  resolveInRequire();
  if ('registerHooks' in Module) {
    const { resolve, load } = await import('./hooks.js');
    (Module.registerHooks as RegisterHooks)({ resolve, load });
    return false;
  }
  Module.register(new URL('./hook-thread.js', import.meta.url), {
    data: watched,
    transferList: watched === undefined ? [] : [watched.end],
  });
  compileInRequire();
  return true;
}

function enableSourceMaps(): void {
  if ('setSourceMapsSupport' in Module) {
    // Maps of installed packages cost time and help nobody here.
    (Module.setSourceMapsSupport as SetSourceMaps)(true, {
      nodeModules: false,
      generatedCode: false,
    });
    return;
  }
  process.setSourceMapsEnabled(true);
}
