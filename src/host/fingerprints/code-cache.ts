import { renameSync, writeFileSync } from 'node:fs';
import { unlinkQuietly } from '../../files/file-operations.js';
import { readSmallFile } from '../../files/regular-file.js';
import { temporaryPath } from '../../files/temporary-files.js';
import { factsVersion, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import { readVersion } from '../../package-root.js';
import { shortHash } from '../../text/short-hash.js';

/** In case nobody waits for the rest. */
const saveEveryMs = 5000;
// Runs of different eval files do not push each other out.
const mostFacts = 8_000;

/**
 * Keeps what the analysis found in a file of two lines: the version and a checksum, and the facts of modules. A file that is
 * damaged, or of another version, counts as empty.
 */
export class CodeCache {
  readonly #path: string | undefined;
  readonly #facts: Map<string, ModuleFacts>;
  #isNew = false;
  #savedAt = performance.now();

  /** Without a path, nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#facts = path === undefined ? new Map() : readFacts(path);
  }

  /** The facts of a key. `find` finds them, unless the module is unknown. */
  facts(key: string, find: () => ModuleFacts | undefined): ModuleFacts {
    const hashed = shortHash(key);
    this.#isNew ||= !this.#facts.has(hashed);
    const found = this.#facts.get(hashed) ?? find();
    if (found === undefined) return opaqueFacts(hashed);
    // Those that were used last are at the end.
    this.#facts.delete(hashed);
    this.#facts.set(hashed, found);
    if (performance.now() - this.#savedAt > saveEveryMs) this.save();
    return found;
  }

  /** Keeps what is new. Without a folder, or room, nothing is kept. */
  save(): void {
    if (this.#path === undefined || !this.#isNew) return;
    this.#savedAt = performance.now();
    const line = JSON.stringify([...this.#facts].slice(-mostFacts));
    const temporary = temporaryPath(this.#path);
    try {
      writeFileSync(temporary, `${headerOf(line)}\n${line}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      unlinkQuietly(temporary);
    }
  }
}

function readFacts(path: string): Map<string, ModuleFacts> {
  try {
    const [header, line = ''] = (readSmallFile(path, 2 ** 28) ?? '').trimEnd().split('\n');
    return new Map(header === headerOf(line) ? (JSON.parse(line) as [string, ModuleFacts][]) : []);
  } catch {
    return new Map();
  }
}

function headerOf(line: string): string {
  return `assay ${readVersion()}, facts ${factsVersion}, ${shortHash(line)}`;
}
