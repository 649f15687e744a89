import { existsSync, readFileSync } from 'node:fs';

/** The folder of this package, with a `/` at the end, wherever in it this code was built to. */
export const packageRoot: URL = findRoot();

/** Version of this package. */
export function readVersion(): string {
  const text = readFileSync(new URL('package.json', packageRoot), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

function findRoot(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return folder;
}
