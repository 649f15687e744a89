import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { shortHash } from '../../files/path-state.js';
import { factsVersion, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import { readVersion } from '../../package-root.js';

// So that runs of different eval files do not push each other out.
const fewestEntries = 5000;

/**
 * Keeps the facts of modules in a file: a line with the version and a checksum, and a line with everything. A file that
 * is damaged, or of another version, counts as empty.
 */
export class FactsCache {
  readonly #path: string | undefined;
  /** By key, those that were used last at the end. */
  readonly #entries: Map<string, ModuleFacts>;
  readonly #used = new Set<string>();
  #isNew = false;

  /** Without a path, nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#entries = path === undefined ? new Map() : readEntries(path);
  }

  /** The facts of a key. `find` finds them, unless the module is unknown. */
  get(key: string, find: () => ModuleFacts | undefined): ModuleFacts {
    const hashed = shortHash(key);
    const known = this.#entries.get(hashed);
    const found = known ?? find();
    if (found === undefined) return opaqueFacts(hashed);
    this.#used.add(hashed);
    if (known === undefined) {
      this.#entries.set(hashed, found);
      this.#isNew = true;
    }
    return found;
  }

  /** Writes what is new. Without a folder, or room, nothing is kept. */
  save(): void {
    if (this.#path === undefined || !this.#isNew) return;
    const unused = [...this.#entries].filter(([key]) => !this.#used.has(key));
    const used = [...this.#entries].filter(([key]) => this.#used.has(key));
    const room = Math.max(fewestEntries - used.length, 0);
    const entries = [...unused.slice(unused.length - Math.min(room, unused.length)), ...used];
    const body = JSON.stringify(Object.fromEntries(entries));
    const temporary = `${this.#path}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, `${headerOf(body)}\n${body}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}

function readEntries(path: string): Map<string, ModuleFacts> {
  try {
    const [header, body = ''] = readFileSync(path, 'utf8').split('\n');
    if (header !== headerOf(body)) return new Map();
    return new Map(Object.entries(JSON.parse(body) as Record<string, ModuleFacts>));
  } catch {
    return new Map();
  }
}

function headerOf(body: string): string {
  return `assay ${readVersion()}, facts ${factsVersion}, ${shortHash(body)}`;
}
