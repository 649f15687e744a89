import {
  folderOfFile,
  nameOf,
  readExchanges,
  type StoredExchange,
} from '../../recordings/recording-files.js';
import { pathsOfRecordings } from '../../recordings/stored-recordings.js';
import { type Asker, keyOf, type RequestKey } from './compared-request.js';

/**
 * Recordings of all eval files, for a state that cases of several files share and a case of another file has made. Found
 * by their names only, because there may be many.
 */
export class OtherFiles {
  readonly #folder: string;
  #byHash: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  find(key: RequestKey, { source, turn, normalize }: Asker): StoredExchange | undefined {
    const own = `${folderOfFile(source.file)}/`;
    const paths = (this.#paths().get(key.own) ?? []).filter((path) => !path.startsWith(own));
    const path = paths[((source.trial ?? 1) - 1 + turn) % paths.length];
    if (path === undefined || turn >= paths.length) return undefined;
    try {
      const [found] = readExchanges(this.#folder, path) ?? [];
      const { role = '', request } = found?.exchange ?? {};
      return request && keyOf(role, request, normalize).own === key.own ? found : undefined;
    } catch {
      return undefined;
    }
  }

  #paths(): ReadonlyMap<string, readonly string[]> {
    if (this.#byHash !== undefined) return this.#byHash;
    const found = new Map<string, string[]>();
    for (const path of pathsOfRecordings(this.#folder)) {
      const [hash = ''] = nameOf(path).split('-');
      const paths = found.get(hash);
      if (paths === undefined) found.set(hash, [path]);
      else paths.push(path);
    }
    this.#byHash = found;
    return found;
  }
}
