import { dirname, resolve } from 'node:path';
import type { LoadedModules } from '../../protocol/messages.js';
import { packageOf, withDependencies } from '../installed-packages.js';
import { needsCompiling } from './find-source.js';
import { loadedModules, loadedPackageFiles, noteRequired, sha256 } from './module-graph.js';
import { packageTypeOf, projectOf } from './tsconfig.js';

/** What has been loaded so far. Call it before the modules are hashed. `folder`: that of the project. */
export function describeLoaded(folder: string): LoadedModules {
  noteRequired();
  const files = loadedModules(folder);
  const settings = files.map((name) => `${name}\0${settingsOf(resolve(folder, name), folder)}`);
  return {
    files,
    settings: sha256(settings.sort().join('\n')).slice(0, 32),
    packages: [...packageIds()].sort(),
  };
}

function settingsOf(file: string, folder: string): string {
  const options = needsCompiling(file) ? JSON.stringify(projectOf(file).options) : '';
  // Another checkout is in another folder.
  return `${packageTypeOf(dirname(file))} ${options.replaceAll(folder, '.')}`;
}

function packageIds(): Set<string> {
  const loaded = new Set([...loadedPackageFiles()].flatMap((file) => packageOf(file) ?? []));
  // Both sides have the same version of it.
  const others = [...loaded].filter(({ id }) => !id.startsWith('assay@'));
  return new Set(others.flatMap(withDependencies).map(({ id }) => id));
}
