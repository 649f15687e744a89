import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unwatchedly } from '../../authoring/case-files/read-as-cases.js';
import { noteKeys } from '../../recordings/key-variables.js';
import type { RecordedExchange } from '../../recordings/recording.js';
import {
  folderOfAttempt,
  folderOfExchange,
  folderOfFile,
  isFreeFor,
  nameOf,
  readExchanges,
  removePlain,
  type StoredExchange,
  writeExchange,
} from '../../recordings/recording-files.js';
import { type DamagedRecording, readRecordings } from '../../recordings/stored-recordings.js';
import { type Asker, keyOf, type NormalizeBody, type RequestKey } from './compared-request.js';
import type { OtherFiles } from './other-files.js';

/** An exchange without its content. */
interface Place extends Pick<StoredExchange, 'path' | 'name'> {
  /** Path of the folder that it belongs to. */
  readonly folder: string;
}

export interface SharedRecordingsOptions {
  /** Absolute path of the folder of recordings. */
  readonly folder: string;
  /** Name of the eval file. */
  readonly file: string;
  /** Milliseconds since 1970: what attempts have stored since then is not shared. */
  readonly since: number | undefined;
  /** Where an index that a case of another eval file has made is looked for; absent where it is asked for anew. */
  readonly otherFiles: OtherFiles | undefined;
  /** What one attempt has recorded, and another one asks for, moves to the folder of shared exchanges. */
  readonly moves: boolean;
}

/**
 * All recordings of an eval file, for requests that an attempt itself has no recording of: a state that whichever case came
 * first has made. An exchange answers there without being used up: its own attempt still gets it.
 */
export class SharedRecordings {
  readonly #options: SharedRecordingsOptions;
  /** Path of the folder of those that several cases ask for. */
  readonly #shared: string;
  /** By request, for each way in which requests are compared. */
  readonly #places = new Map<NormalizeBody | undefined, Map<string, Place[]>>();
  #damaged: readonly DamagedRecording[] = [];
  #hasNotedKeys = false;

  constructor(options: SharedRecordingsOptions) {
    this.#options = options;
    this.#shared = folderOfFile(options.file, 'shared');
  }

  /** Notes which keys are set, once. Throws the error of the file system, or one for links. */
  noteKeys(): void {
    if (this.#hasNotedKeys) return;
    this.#hasNotedKeys = true;
    const { folder, file } = this.#options;
    noteKeys(folder, file, process.env);
  }

  /** An exchange of another attempt for a request; `undefined` if there is none. */
  find(key: RequestKey, asker: Asker): StoredExchange | undefined {
    return unwatchedly(
      () => this.#find(key.request, asker) ?? this.#options.otherFiles?.find(key, asker),
    );
  }

  #find(request: string, asker: Asker): StoredExchange | undefined {
    for (let tries = 2; tries > 0; tries -= 1) {
      const places = this.#placesFor(request, asker);
      const { source, turn } = asker;
      const at = ((source.trial ?? 1) - 1 + turn) % places.length;
      const place = places[at];
      if (place === undefined || turn >= places.length) return undefined;
      const found = this.#read(place);
      if (found !== undefined && !this.#options.moves) return found;
      if (found !== undefined) return this.#move(place, at + 1, found, asker.normalize);
      // Another process has moved it.
      this.#places.clear();
    }
    return undefined;
  }

  /** Where an exchange is stored that several cases ask for; `undefined` if they do not, or if another one answers. */
  pathFor(
    { request, own }: RequestKey,
    { turn, normalize }: Asker,
    isAnew: boolean,
  ): string | undefined {
    return unwatchedly(() => {
      const places = isAnew || turn > 0 ? (this.#all(normalize).get(request) ?? []) : [];
      const shared = places.filter((place) => this.#isShared(place));
      const damaged = this.#options.moves || isAnew ? this.#damagedFor(own) : [];
      const path = shared[turn]?.path ?? damaged.find((one) => this.#isShared(one))?.path;
      if (path !== undefined || (turn === 0 && shared.length === 0)) return path;
      return this.#freePath(own);
    });
  }

  /** Why files that may be those of a request cannot be used. */
  problemsOf({ own }: RequestKey): string[] {
    return this.#damagedFor(own).map(({ problem }) => `the recording ${problem}`);
  }

  #damagedFor(own: string) {
    return this.#damaged
      .filter(({ path }) => nameOf(path).startsWith(`${own}-`))
      .map((one) => ({ ...one, folder: dirname(one.path) }));
  }

  #placesFor(request: string, { source, isRecorded, normalize }: Asker): Place[] {
    const found = this.#all(normalize).get(request) ?? [];
    if (isRecorded) return found;
    // A new trial: answers of other trials would hide how much they vary.
    const otherTrials = folderOfAttempt(source).replace(/\d+$/, '');
    const isTrial = ({ folder }: Place) =>
      folder.startsWith(otherTrials) && /^\d+$/.test(folder.slice(otherTrials.length));
    return found.filter((place) => !isTrial(place));
  }

  #all(normalize: NormalizeBody | undefined): Map<string, Place[]> {
    const known = this.#places.get(normalize);
    if (known !== undefined) return known;
    const found = new Map<string, Place[]>();
    for (const { exchange, ...place } of this.#stored()) {
      const key = requestOf(exchange, normalize);
      if (key === undefined) continue;
      const { path, name } = place;
      const places = found.get(key) ?? [];
      found.set(key, places);
      places.push({ path, name, folder: folderOfExchange(place) });
    }
    for (const places of found.values()) places.sort((a, b) => this.#order(a, b));
    this.#places.set(normalize, found);
    return found;
  }

  /** Those of several cases first; equal requests of a folder by their number. */
  #order(a: Place, b: Place): number {
    const byFolder = a.folder < b.folder ? -1 : Number(a.folder > b.folder);
    return (
      Number(this.#isShared(b)) - Number(this.#isShared(a)) ||
      byFolder ||
      a.path.length - b.path.length ||
      (a.path < b.path ? -1 : 1)
    );
  }

  #isShared({ folder }: Pick<Place, 'folder'>): boolean {
    return folder === this.#shared;
  }

  #stored(): StoredExchange[] {
    const { folder, file, since = Number.POSITIVE_INFINITY } = this.#options;
    const isOld = ({ path, writtenAt }: { readonly path: string; readonly writtenAt: number }) =>
      writtenAt < since || this.#isShared({ folder: dirname(path) });
    const { recordings, damaged } = readRecordings(folder, folderOfFile(file), isOld);
    this.#damaged = damaged;
    return recordings.flatMap(({ exchanges }) => exchanges);
  }

  #read({ path, name }: Place): StoredExchange | undefined {
    try {
      return readExchanges(this.#options.folder, path)?.find((one) => one.name === name);
    } catch {
      return undefined;
    }
  }

  /** From now on, whichever case comes first has no influence on where it is. `number`: the same in all processes. */
  #move(
    place: Place,
    number: number,
    { exchange, ...from }: StoredExchange,
    normalize: NormalizeBody | undefined,
  ): StoredExchange {
    const { folder, file } = this.#options;
    const source = { file };
    if (this.#isShared(place)) return { ...from, exchange };
    const { own } = keyOf(exchange.role, exchange.request, normalize);
    const first = `${this.#shared}/${own}-${number}.json`;
    try {
      const isFree = isFreeFor(folder, { path: first, source, exchange });
      const path = isFree ? first : this.#freePath(own);
      writeExchange(folder, { path, source, exchange });
      // An attempt rewrites its own file of the first version.
      if (nameOf(place.path) === place.name) removePlain(folder, place.path);
      const moved = { path, name: nameOf(path) };
      Object.assign(place, moved, { folder: this.#shared });
      return { ...moved, source, exchange };
    } catch {
      return { ...from, exchange };
    }
  }

  #freePath(hash: string): string {
    for (let number = 1; ; number += 1) {
      const path = `${this.#shared}/${hash}-${number}.json`;
      if (!exists(join(this.#options.folder, path))) return path;
    }
  }
}

function requestOf(
  { role, request }: RecordedExchange,
  normalize: NormalizeBody | undefined,
): string | undefined {
  try {
    return keyOf(role, request, normalize).request;
  } catch {
    // A `normalize` for bodies of another kind.
    return undefined;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
