import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { temporaryPath } from '../../files/temporary-files.js';
import { factsVersion, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import type { FileCode } from '../../model/code/file-code.js';
import { readVersion } from '../../package-root.js';
import { shortHash } from '../../text/short-hash.js';

// So that runs of different eval files do not push each other out.
const fewestFacts = 5000;
const mostCodes = 20;

/**
 * Keeps what the analysis found in a file of three lines: the version and a checksum, the code of eval files, and the
 * facts of modules. A file that is damaged, or of another version, counts as empty.
 */
export class CodeCache {
  readonly #path: string | undefined;
  /** The last two lines of the file. */
  readonly #stored: readonly string[];
  #readFacts: Map<string, ModuleFacts> | undefined;
  readonly #usedFacts = new Set<string>();
  #isNew = false;
  #isPartial = false;

  /** Without a path, nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#stored = path === undefined ? [] : readLines(path);
  }

  /** The code of eval files by everything that it depends on, or what `find` finds. */
  *codes(parts: unknown, find: () => Iterable<FileCode>): Generator<FileCode> {
    const key = shortHash(JSON.stringify(parts));
    const known = entriesOf<readonly FileCode[]>(this.#stored[0]);
    const kept = known.get(key);
    if (kept !== undefined) {
      yield* kept;
      return;
    }
    const found: FileCode[] = [];
    for (const one of find()) {
      found.push(one);
      yield one;
    }
    if (!this.#isPartial) known.set(key, found);
    else if (!this.#isNew) return;
    this.#save([...known].slice(-mostCodes));
  }

  /** The facts of a key. `find` finds them, unless the module is unknown. */
  facts(key: string, find: () => ModuleFacts | undefined): ModuleFacts {
    const hashed = shortHash(key);
    const known = this.#facts.get(hashed);
    const found = known ?? find();
    if (found === undefined) {
      this.#isPartial = true;
      return opaqueFacts(hashed);
    }
    this.#usedFacts.add(hashed);
    if (known === undefined) {
      this.#facts.set(hashed, found);
      this.#isNew = true;
    }
    return found;
  }

  get #facts(): Map<string, ModuleFacts> {
    this.#readFacts ??= entriesOf<ModuleFacts>(this.#stored[1]);
    return this.#readFacts;
  }

  /** Without a folder, or room, nothing is kept. */
  #save(codes: readonly (readonly [key: string, codes: readonly FileCode[]])[]): void {
    if (this.#path === undefined) return;
    const lines = [codes, this.#factsToKeep()].map((all) =>
      JSON.stringify(Object.fromEntries(all)),
    );
    const temporary = temporaryPath(this.#path);
    try {
      writeFileSync(temporary, `${[headerOf(lines), ...lines].join('\n')}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      rmSync(temporary, { force: true });
    }
  }

  /** Those that were used last at the end. */
  #factsToKeep(): [key: string, facts: ModuleFacts][] {
    const all = [...this.#facts];
    const used = all.filter(([key]) => this.#usedFacts.has(key));
    const unused = all.filter(([key]) => !this.#usedFacts.has(key));
    const room = Math.max(fewestFacts - used.length, 0);
    return [...unused.slice(unused.length - Math.min(room, unused.length)), ...used];
  }
}

function readLines(path: string): readonly string[] {
  try {
    const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
    return header === headerOf(lines) ? lines : [];
  } catch {
    return [];
  }
}

function entriesOf<Value>(line: string | undefined): Map<string, Value> {
  return new Map(
    line === undefined ? [] : Object.entries(JSON.parse(line) as Record<string, Value>),
  );
}

function headerOf(lines: readonly string[]): string {
  return `assay ${readVersion()}, facts ${factsVersion}, ${shortHash(lines.join('\n'))}`;
}
