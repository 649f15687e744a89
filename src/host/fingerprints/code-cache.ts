import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { temporaryPath } from '../../files/temporary-files.js';
import { factsVersion, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import { readVersion } from '../../package-root.js';
import { shortHash } from '../../text/short-hash.js';

// So that runs of different eval files do not push each other out.
const fewestFacts = 5000;

/**
 * Keeps what the analysis found in a file of two lines: the version and a checksum, and the facts of modules. A file that is
 * damaged, or of another version, counts as empty.
 */
export class CodeCache {
  readonly #path: string | undefined;
  readonly #facts: Map<string, ModuleFacts>;
  readonly #used = new Map<string, ModuleFacts>();
  #isNew = false;

  /** Without a path, nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#facts = path === undefined ? new Map() : readFacts(path);
  }

  /** The facts of a key. `find` finds them, unless the module is unknown. */
  facts(key: string, find: () => ModuleFacts | undefined): ModuleFacts {
    const hashed = shortHash(key);
    const known = this.#facts.get(hashed);
    const found = known ?? find();
    if (found === undefined) return opaqueFacts(hashed);
    this.#used.set(hashed, found);
    this.#isNew ||= known === undefined;
    return found;
  }

  /** Keeps what is new. Without a folder, or room, nothing is kept. */
  save(): void {
    if (this.#path === undefined || !this.#isNew) return;
    const unused = [...this.#facts].filter(([key]) => !this.#used.has(key));
    // Those that were used last are at the end.
    const room = Math.max(fewestFacts - this.#used.size, 0);
    const kept = [...unused.slice(Math.max(unused.length - room, 0)), ...this.#used];
    const line = JSON.stringify(Object.fromEntries(kept));
    const temporary = temporaryPath(this.#path);
    try {
      writeFileSync(temporary, `${headerOf(line)}\n${line}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}

function readFacts(path: string): Map<string, ModuleFacts> {
  try {
    const [header, line = ''] = readFileSync(path, 'utf8').trimEnd().split('\n');
    if (header !== headerOf(line)) return new Map();
    return new Map(Object.entries(JSON.parse(line) as Record<string, ModuleFacts>));
  } catch {
    return new Map();
  }
}

function headerOf(line: string): string {
  return `assay ${readVersion()}, facts ${factsVersion}, ${shortHash(line)}`;
}
