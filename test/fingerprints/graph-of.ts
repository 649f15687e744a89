import { dirname, join, normalize } from 'node:path/posix';
import {
  type CodeGraph,
  type CodeModule,
  evaluationCodes,
} from '../../src/fingerprints/evaluation-code.js';
import { dataFacts } from '../../src/fingerprints/module-facts.js';
import { analyseModule } from '../../src/fingerprints/read-module.js';
import type { EvaluationCode } from '../../src/model/code/evaluation-code.js';
import { codesOf, packCode } from '../../src/model/code/pack-code.js';
import { shortHash } from '../../src/text/short-hash.js';

/** The specifiers of a source, found without its analysis. */
const specifiers = /(?:from|import|require\(|import\()\s*'([^']+)'/g;

/** A graph of files by name; packages have version 1.0.0 unless given. */
export function graphOf(
  files: Readonly<Record<string, string>>,
  given: Partial<Pick<CodeGraph, 'statelessPackages'>> & {
    /** The packages on which each depends. */
    readonly packages?: ReadonlyMap<string, readonly string[]>;
    readonly versions?: Readonly<Record<string, string>>;
    readonly seen?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  } = {},
): CodeGraph {
  const { packages = new Map(), versions = {}, seen = {}, ...more } = given;
  const modules = new Map<string, CodeModule>();
  for (const [name, code] of Object.entries(files)) {
    const isCode = /\.[cm]?js$/.test(name);
    const imports = [...code.matchAll(specifiers)].flatMap(([, specifier = '']) => {
      if (!specifier.startsWith('.')) {
        const isFree = specifier === 'assay' || specifier.startsWith('node:');
        return isFree ? [] : [[specifier, `package ${specifier}`] as const];
      }
      const target = normalize(join(dirname(name), specifier));
      return target in files ? [[specifier, target] as const] : [];
    });
    modules.set(name, {
      name,
      facts: isCode ? analyseModule(code) : dataFacts(shortHash(code)),
      imports: isCode ? [...imports, ...(seen[name] ?? [])] : [],
    });
  }
  const idsOf = (file: string) => {
    if (!file.startsWith('package ')) return [];
    const name = file.slice('package '.length);
    const id = `${name}@${versions[name] ?? '1.0.0'}`;
    const ids = new Set([id]);
    // Iterating a set includes items that are added meanwhile.
    for (const one of ids) for (const other of packages.get(one) ?? []) ids.add(other);
    return [...ids];
  };
  const pieces = (file: string) => idsOf(file).map((name) => [name, name] as const);
  const runtime = ['node 24.0.0', 'assay 1.0.0'].map((name) => [name, name] as const);
  return { modules, packages: { idsOf, pieces }, runtime, ...more };
}

/** The code of an export of an eval file. */
export function codeOf(graph: CodeGraph, exportName = 'a', file = 'a.eval.js'): EvaluationCode {
  const code = evaluationCodes(graph, file)({ exportName });
  const found = codesOf(packCode([[{ file, code: '' }, [['it', code]]]])).get('it');
  if (found === undefined) throw new Error('it was not packed');
  return found;
}
