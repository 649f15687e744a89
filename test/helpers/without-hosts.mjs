import { register } from 'node:module';

// With `--import`, the command line executes evaluations in its own process, as a `ServedProject` does: from modules
// that are not bundled, with another one in the place of the executor that starts hosts.
const executor = new URL('local-executor.ts', import.meta.url).href;
const hooks = `
export const resolve = (specifier, context, next) =>
  next(specifier.endsWith('/local-executor.js') ? '${executor}' : specifier.replace('/dist/cli-bundle/', '/dist/'), context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
