import { join } from 'node:path';
import { unwatchedly } from '../../authoring/case-files/read-as-cases.js';
import { lookAt } from '../../files/regular-file.js';
import { addTo } from '../../model/lists-by-key.js';
import type { RecordingOptions, RecordingSource, RequestKey } from '../../recordings/recording.js';
import {
  type DamagedRecording,
  filesIn,
  folderOfAttempt,
  folderOfFile,
  noteKeys,
  placeOf,
  readAll,
  readExchanges,
  removePlain,
  type StoredExchange,
  writeExchange,
} from '../../recordings/recording-files.js';
import { comparedKey, type NormalizeBody } from './compared-request.js';

/** Who asks for an exchange that its own recording does not have. */
export interface Asker {
  readonly source: RecordingSource;
  /** It has recordings of its own: a request that is missing there was not made then, or another case made it. */
  readonly isRecorded: boolean;
  /** Number of equal requests before. */
  readonly turn: number;
  readonly normalize: NormalizeBody | undefined;
}

/** Where an exchange is; its content, which may be long, is read when it answers. */
type Place = Pick<StoredExchange, 'path' | 'id'>;

/** The exchanges of one folder for equal requests, in order; never empty. */
interface Alike {
  readonly folder: string;
  readonly places: Place[];
}

export interface SharedRecordingsOptions
  extends Pick<RecordingOptions, 'folder' | 'mode' | 'since'> {
  /** Name of the eval file. */
  readonly file: string;
  /** Paths of the recordings of all eval files, by the hash in their names. */
  readonly byHash: () => ReadonlyMap<string, readonly string[]>;
}

/**
 * All recordings of an eval file. They answer requests of attempts that have no recording of their own, such as requests
 * that only the case that happens to come first makes. They are not used up by that: their own attempt still gets them.
 */
export class SharedRecordings {
  readonly #options: SharedRecordingsOptions;
  /** Path of the folder of those that several cases ask for. */
  readonly #shared: string;
  /** By request, for each way in which requests are compared; those of several cases first. */
  readonly #alike = new Map<NormalizeBody | undefined, Map<string, Alike[]>>();
  #damaged: DamagedRecording[] = [];
  #hasNotedKeys = false;

  constructor(options: SharedRecordingsOptions) {
    this.#options = options;
    this.#shared = folderOfFile(options.file, 'shared');
  }

  /** Notes which keys are set, once. Throws the error of the file system, or one for links. */
  noteKeys(): void {
    if (this.#hasNotedKeys) return;
    this.#hasNotedKeys = true;
    noteKeys(this.#options.folder, this.#options.file, process.env);
  }

  /** True if several cases ask for the exchange of this name. */
  has(name: string): boolean {
    return (
      unwatchedly(() => lookAt(join(this.#options.folder, this.#shared, `${name}.json`))) !==
      undefined
    );
  }

  /** An exchange of another attempt for a request; `undefined` if there is none. */
  find(key: RequestKey, asker: Asker): StoredExchange | undefined {
    return unwatchedly(() => {
      const found = this.#find(key, asker);
      if (found !== 'moved') return found;
      // Another process has moved it.
      this.#alike.clear();
      const again = this.#find(key, asker);
      return again === 'moved' ? undefined : again;
    });
  }

  #find(key: RequestKey, asker: Asker): StoredExchange | 'moved' | undefined {
    const { mode } = this.#options;
    const { source, turn, normalize } = asker;
    const ofFile = this.#all(normalize).get(key.request) ?? [];
    const all = ofFile.length > 0 || mode !== 'offline' ? ofFile : this.#inOtherFiles(key);
    const own = folderOfAttempt(source);
    const chosen =
      all.find(({ folder }) => folder === this.#shared || folder === own) ??
      all[((source.trial ?? 1) - 1) % all.length];
    const place = chosen?.places[turn];
    if (chosen === undefined || place === undefined) return undefined;
    if (chosen.folder !== this.#shared && chosen.folder !== own) {
      // Answers of other trials would hide how much they vary.
      const isTrial = all.some(({ folder }) => isOtherTrial(folder, own));
      if (isTrial && (mode !== 'offline' || !asker.isRecorded)) return undefined;
      // One of several has its own answer, which it would not find again.
      if (mode === 'record' && all.length === 1) this.#move(chosen);
    }
    const found = this.#read(chosen.places[turn] ?? place);
    if (found === undefined) return 'moved';
    const { role, request } = found.exchange;
    return comparedKey(role, request, normalize).request === key.request ? found : undefined;
  }

  /** Where an exchange is stored that several cases ask for; `undefined` if they do not. */
  pathFor({ request, own }: RequestKey, { turn, normalize }: Asker): string | undefined {
    return unwatchedly(() => {
      const [first] = this.#all(normalize).get(request) ?? [];
      const places = first?.folder === this.#shared ? first.places : [];
      const path = places[turn]?.path ?? `${this.#shared}/${own}-${turn + 1}.json`;
      // A new recording mends it.
      const isMended =
        this.#options.mode !== 'replay' && this.#damaged.some((one) => one.path === path);
      return places.length > 0 || isMended ? path : undefined;
    });
  }

  /** Why files that may be those of a request cannot be used. */
  problemsOf({ own }: RequestKey): string[] {
    return this.#damaged
      .filter(({ path }) => placeOf(path).name.startsWith(`${own}-`))
      .map(({ problem }) => `the recording ${problem}`);
  }

  #all(normalize: NormalizeBody | undefined): Map<string, Alike[]> {
    const known = this.#alike.get(normalize);
    if (known !== undefined) return known;
    const { folder, file, mode, since } = this.#options;
    this.#damaged = [];
    const paths = filesIn(folder, folderOfFile(file), { isDeep: true, damaged: this.#damaged });
    // What attempts of this run have stored is shared with no other.
    const isOld = (path: string) =>
      mode === 'offline' ||
      since === undefined ||
      (lookAt(join(folder, path))?.mtimeMs ?? 0) < since;
    const isShared = (path: string) => placeOf(path).folder === this.#shared;
    const old = paths.filter((path) => isShared(path) || isOld(path));
    const found = new Map<string, Alike[]>();
    const inOrder = [...old.filter(isShared), ...old.filter((path) => !isShared(path))];
    for (const { exchange, ...place } of readAll(folder, inOrder, this.#damaged)) {
      const { role, request } = exchange;
      const key = keyOrNone(() => comparedKey(role, request, normalize).request);
      if (key !== undefined) add(found, key, place);
    }
    this.#alike.set(normalize, found);
    return found;
  }

  /** An index that a case of another eval file has made. Found by their names only, because there may be many. */
  #inOtherFiles({ own }: RequestKey): Alike[] {
    const ofFile = `${folderOfFile(this.#options.file)}/`;
    const found = new Map<string, Alike[]>();
    for (const path of this.#options.byHash().get(own) ?? []) {
      const place = { path, id: path.slice(0, -'.json'.length) };
      if (!path.startsWith(ofFile)) add(found, own, place);
    }
    return found.get(own) ?? [];
  }

  #read({ path, id }: Place): StoredExchange | undefined {
    try {
      return readExchanges(this.#options.folder, path)?.find((one) => one.id === id);
    } catch {
      return undefined;
    }
  }

  /** Moves exchanges to those of several cases, where they do not depend on which case comes first; all at once, to keep their order. */
  #move(alike: Alike): void {
    const { folder, file } = this.#options;
    if (alike.places.some(({ path, id }) => path !== `${id}.json`)) return;
    try {
      const moved = alike.places.map((place) => {
        const { name } = placeOf(place.id);
        const path = `${this.#shared}/${name}.json`;
        const { exchange } = this.#read(place) as StoredExchange;
        writeExchange(folder, { path, source: { file }, exchange });
        return { path, id: `${this.#shared}/${name}` };
      });
      for (const { path } of alike.places) removePlain(folder, path);
      Object.assign(alike, { folder: this.#shared, places: moved });
    } catch {
      // It stays where it is.
    }
  }
}

function add(found: Map<string, Alike[]>, key: string, place: Place): void {
  const { folder } = placeOf(place.id);
  const alike = found.get(key)?.find((one) => one.folder === folder);
  if (alike === undefined) addTo(found, key, { folder, places: [place] });
  else alike.places.push(place);
}

/** True for the folders of two trials of a case. */
function isOtherTrial(one: string, other: string): boolean {
  const caseOf = (folder: string) => folder.replace(/\d+$/, '');
  return one !== other && caseOf(one) === caseOf(other);
}

function keyOrNone(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    // A `normalize` for bodies of another kind.
    return undefined;
  }
}
