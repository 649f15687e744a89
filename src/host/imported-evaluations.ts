import { pathToFileURL } from 'node:url';
import {
  type Definition,
  definition,
  describeEvaluation,
  isEvaluation,
} from '../authoring/definition.js';
import { definedSoFar } from '../authoring/definition-order.js';
import { evaluatorNames } from '../authoring/grades/grade-to-scores.js';
import {
  type ExpandedCase,
  expandCases,
  standardScoreKey,
} from '../authoring/options/expand-cases.js';
import { isStatelessPackage } from '../fingerprints/known-names.js';
import type { Json } from '../model/json.js';
import { keptValues } from '../model/kept-here.js';
import type { KeptName } from '../model/kept-values.js';
import { keyOfValues } from '../protocol/descriptors.js';
import type { DescribedValues, Descriptor, EvalFile } from '../protocol/messages.js';
import { shortHash } from '../text/short-hash.js';
import type { Converted } from '../values/convert.js';
import { exactText } from '../values/exact-text.js';
import { inexactIn } from '../values/keep-value.js';
import { isJudge } from './attempt/grading.js';
import { whyEmpty } from './import-failure.js';
import { isAssay, packageOf, withDependencies } from './installed-packages.js';
import {
  closeModuleGraph,
  hashModules,
  type LateListener,
  type LoadedModule,
  noteRequired,
  sha256,
} from './loader/module-graph.js';
import { lossTexts, type Sanitizer } from './sanitizer.js';

/** One evaluation, or one case of it, ready to run. */
export interface ImportedCase {
  readonly descriptor: Descriptor;
  readonly file: string;
  /** The name of the evaluation, without the case. */
  readonly name: string;
  readonly spec: ExpandedCase;
  readonly body: Definition['body'];
  readonly place: ExportPlace;
}

/** Where the module of an evaluation exports it: a name, and in an exported array the index. */
export interface ExportPlace {
  readonly exportName: string;
  readonly index?: number;
  /** It names the files that its code depends on in ways that cannot be followed. */
  readonly hasInputs?: boolean;
}

/** The evaluations of the files that were imported, by id. */
export class ImportedEvaluations {
  readonly #entries = new Map<string, ImportedCase>();
  readonly #sanitizer: Sanitizer;
  readonly #onEmpty: (text: string) => void;
  readonly #importFile: (path: string) => Promise<object>;
  /** Code hashes by name of the eval file. */
  readonly #codes = new Map<string, string | undefined>();
  readonly #paths = new Map<string, string>();
  readonly #empty = new Map<string, string>();
  /** Globs of the files that evaluations name as inputs, by name of the eval file. */
  readonly #inputs = new Map<string, readonly string[]>();
  /** The modules of each eval file, by its name; the first is the eval file itself. */
  readonly modules = new Map<string, readonly LoadedModule[]>();
  readonly #late: LateListener | undefined;
  /** The working directory, to which file names are relative. */
  readonly folder = process.cwd();

  /** `onEmpty` is called for evaluations without a case; `late` is told of modules once the code has been hashed. */
  constructor(
    sanitizer: Sanitizer,
    onEmpty: (text: string) => void,
    importFile = (path: string): Promise<object> => import(pathToFileURL(path).href),
    late?: LateListener,
  ) {
    this.#late = late;
    this.#sanitizer = sanitizer;
    this.#onEmpty = onEmpty;
    this.#importFile = importFile;
  }

  get(id: string): ImportedCase | undefined {
    return this.#entries.get(id);
  }

  /** The hash of the modules that the eval file of an evaluation loaded. */
  codeOf(id: string): string | undefined {
    return this.codeOfFile(this.#entries.get(id)?.file ?? '');
  }

  /** The hash of the modules that an eval file has loaded. */
  codeOfFile(file: string): string | undefined {
    if (this.#paths.size > 0) this.hashCode();
    return this.#codes.get(file);
  }

  /** The reason why a file that was imported has no evaluations; `undefined` if it has some. */
  whyEmpty(file: string): string | undefined {
    return this.#empty.get(file);
  }

  /** Globs of the files that the evaluations of an eval file name as inputs. */
  inputsOf(file: string): readonly string[] {
    return this.#inputs.get(file) ?? [];
  }

  #sharing: ReadonlyMap<string, readonly string[]> | undefined;
  #moduleFiles: ReadonlySet<string> | undefined;

  /** For each eval file, those that share a module with it, with itself: what one of them has read, the others may know. */
  get sharing(): ReadonlyMap<string, readonly string[]> {
    if (this.#paths.size > 0) this.hashCode();
    this.#sharing ??= sharingFiles(this.modules);
    return this.#sharing;
  }

  /** True if two eval files have imported the same project module. */
  shareModule(file: string, other: string): boolean {
    if (this.#paths.size > 0) this.hashCode();
    const modules = this.modules.get(other);
    if (modules === undefined) return false;
    const files = new Set(modules.map((one) => one.file));
    return this.modules.get(file)?.some((one) => files.has(one.file)) === true;
  }

  /** True for files that count as code of an eval file. */
  isModule(path: string): boolean {
    if (this.#paths.size > 0) this.hashCode();
    this.#moduleFiles ??= new Set([...this.modules.values()].flat().map(({ file }) => file));
    return this.#moduleFiles.has(path);
  }

  /** The ids of the evaluations of each file, and where it exports them. */
  evaluationsByFile(): Map<string, Map<string, ExportPlace>> {
    const byFile = new Map<string, Map<string, ExportPlace>>();
    for (const { file, descriptor, place } of this.#entries.values()) {
      const places = byFile.get(file) ?? new Map<string, ExportPlace>();
      byFile.set(file, places.set(descriptor.evaluation, place));
    }
    return byFile;
  }

  /** Computes the code hashes; modules that are imported later do not count. */
  hashCode(): void {
    if (this.#paths.size > 0) noteRequired();
    for (const [name, path] of this.#paths) {
      const { hash, modules } = hashModules(name, path, this.folder);
      this.#codes.set(name, hash);
      this.modules.set(name, modules);
    }
    this.#paths.clear();
    this.#sharing = undefined;
    this.#moduleFiles = undefined;
    closeModuleGraph(this.#late);
  }

  /** The hash of the modules that all files loaded; `undefined` if one cannot be read. */
  codeOfAll(): string | undefined {
    this.hashCode();
    const codes = [...this.#codes].map(([name, code]) => code && `${name}\0${code}`);
    return codes.includes(undefined) ? undefined : sha256(codes.sort().join('\n')).slice(0, 16);
  }

  /** Imports a file and expands its cases. Throws the error of the import, and for duplicate ids. */
  async load(file: EvalFile): Promise<Descriptor[]> {
    const before = definedSoFar();
    const module = (await this.#importFile(file.path)) as Record<string, unknown>;
    // Eval files may load secrets from anywhere.
    this.#sanitizer.learn(process.env);
    this.#paths.set(file.name, file.path);
    const descriptors: Descriptor[] = [];
    const withoutCases: string[] = [];
    const found = evaluationsOf(module);
    this.#inputs.set(file.name, [...new Set(found.flatMap(({ of }) => of.inputs ?? []))]);
    try {
      for (const { name, of, place } of found) {
        const specs = await expandCases(of, name);
        if (specs.length === 0) {
          withoutCases.push(name);
          this.#onEmpty(`${name} in ${file.name} has no cases.`);
        }
        const shared = sharedByCases(file, { name, of, place }, this.#sanitizer);
        for (const spec of specs) {
          descriptors.push(this.#add(makeEntry(shared, spec, this.#sanitizer)));
        }
      }
      for (const one of descriptors) this.#refuseNameOfTrial(one);
      if (descriptors.length === 0) {
        const defined = definedSoFar() - before;
        const why = whyEmpty({ exported: exportsOf(module), defined, withoutCases });
        this.#empty.set(file.name, this.#sanitizer.text(why));
      }
      return descriptors;
    } catch (error) {
      for (const { id } of descriptors) this.#entries.delete(id);
      throw error;
    }
  }

  #add(entry: ImportedCase): Descriptor {
    const { descriptor } = entry;
    const other = this.#entries.get(descriptor.id);
    if (other !== undefined) throw new Error(duplicateText(other.descriptor, descriptor));
    this.#entries.set(descriptor.id, entry);
    return descriptor;
  }

  /** Trial 2 of `t` has the id `t~2`, with as many trials as a command asks for. */
  #refuseNameOfTrial(descriptor: Descriptor): void {
    const [, id = ''] = /^(.*)~[1-9]\d*$/s.exec(descriptor.id) ?? [];
    const other = this.#entries.get(id);
    if (other !== undefined) throw new Error(trialText(other.descriptor, descriptor));
  }

  /** True if an evaluation has the values that were planned. */
  hasValues(id: string, planned: string | undefined): boolean {
    return planned === undefined || planned === keyOfValues(this.describe(id));
  }

  /** The authored values of an evaluation, as JSON; empty for an unknown evaluation. */
  describe(id: string): DescribedValues {
    const entry = this.#entries.get(id);
    const { spec } = entry ?? {};
    const key = spec?.defaultScoreKey;
    const { input, reference, metadata } = authoredValues(spec, this.#sanitizer);
    return {
      id,
      exact: entry && valuesHash(entry),
      scoreKey:
        key === undefined || key === standardScoreKey ? undefined : this.#sanitizer.name(key),
      input: input.json,
      reference: reference.json,
      metadata: metadata.json,
      kept: keptValues({
        input: input.kept,
        reference: reference.kept,
        metadata: metadata.kept,
      }),
    };
  }
}

/** What the stored form of the authored values of a case lacks. */
interface AuthoredLosses {
  /** Why they cannot be restored: `function in reference: .is`. */
  readonly inexact: string | undefined;
  /** What they do not show, as sentences, other than that of metadata, which attempts change. */
  readonly texts: readonly string[];
}

const knownLosses = new WeakMap<ExpandedCase, AuthoredLosses>();

function lossesOf(spec: ExpandedCase, sanitizer: Sanitizer): AuthoredLosses | undefined {
  if (!knownLosses.has(spec)) authoredValues(spec, sanitizer);
  return knownLosses.get(spec);
}

/** Why the authored values of a case cannot be restored. */
export function whyInexact(spec: ExpandedCase, sanitizer: Sanitizer): string | undefined {
  return lossesOf(spec, sanitizer)?.inexact;
}

/** What the stored input and reference of a case do not show, as sentences. */
export function authoredLosses(spec: ExpandedCase, sanitizer: Sanitizer): readonly string[] {
  return lossesOf(spec, sanitizer)?.texts ?? [];
}

/** Authored values as they are stored. */
function authoredValues(spec: ExpandedCase | undefined, sanitizer: Sanitizer) {
  const { input, reference, metadata } = spec ?? {};
  let why: string | undefined;
  const texts: string[] = [];
  const stored = <J extends Json>(name: KeptName, value: unknown, converted: Stored<J>) => {
    // Most cases leave something out: it is what they leave out today.
    const { kept, inexact } = value === undefined ? {} : sanitizer.keeping(value, converted);
    if (inexact !== undefined) why ??= inexactIn(name, inexact);
    if (name !== 'metadata') texts.push(...lossTexts(name, converted));
    return { json: converted.value, kept };
  };
  const values = {
    input: stored('input', input, sanitizer.value(input)),
    reference: stored('reference', reference, sanitizer.value(reference)),
    metadata: stored('metadata', metadata, sanitizer.object(metadata)),
  };
  if (spec !== undefined) knownLosses.set(spec, { inexact: why, texts });
  return values;
}

type Stored<J extends Json> = Converted & { readonly value: J };

const valuesHashes = new WeakMap<ImportedCase, string | null>();

/** A hash of the authored values, before anything is cut or hidden; `undefined` if it cannot tell all values apart. */
function valuesHash(entry: ImportedCase): string | undefined {
  const known = valuesHashes.get(entry);
  if (known !== undefined) return known ?? undefined;
  const { input, reference, metadata } = entry.spec;
  const text = exactText([input, reference, metadata]);
  const hash = text === undefined ? null : shortHash(text);
  valuesHashes.set(entry, hash);
  return hash ?? undefined;
}

/** Values that all cases of an evaluation share. */
interface Shared {
  readonly file: string;
  readonly name: string;
  /** The id without the case, sanitized. */
  readonly evaluation: string;
  /** The dataset of cases without their own, sanitized. */
  readonly dataset: string;
  readonly body: Definition['body'];
  readonly place: ExportPlace;
  readonly line: number | undefined;
  readonly params: Descriptor['params'];
  readonly rubrics: Descriptor['rubrics'];
}

function sharedByCases(
  file: EvalFile,
  { name, of, place }: NamedDefinition,
  sanitizer: Sanitizer,
): Shared {
  return {
    file: file.name,
    name,
    evaluation: sanitizer.name(`${file.name}::${name}`),
    dataset: sanitizer.name(defaultDataset(file.name)),
    body: of.body,
    place,
    line: of.position?.line,
    params: of.params && sanitizer.object(of.params).value,
    rubrics: rubricsOf(of, sanitizer),
  };
}

/** The texts by which people label, as they are stored. */
function rubricsOf(
  { rubrics = {}, evaluators }: Definition,
  sanitizer: Sanitizer,
): Descriptor['rubrics'] {
  // Two judges without a key have one name, and their scores have numbered ones.
  const names = evaluatorNames(evaluators);
  const judges = Object.fromEntries(
    evaluators.flatMap((one, at) =>
      isJudge(one) ? [[names[at] ?? one.name, one.rubric] as const] : [],
    ),
  );
  if (Object.keys(rubrics).length + Object.keys(judges).length === 0) return undefined;
  const stored = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [
        sanitizer.name(key),
        sanitizer.text(text).trim(),
      ]),
    );
  return { own: stored(rubrics), judges: stored(judges) };
}

function makeEntry(shared: Shared, spec: ExpandedCase, sanitizer: Sanitizer): ImportedCase {
  const { file, name, evaluation, line, body, place, params, rubrics } = shared;
  const of = spec.caseId === undefined ? '' : `[${spec.caseId}]`;
  const descriptor: Descriptor = {
    id: evaluation + sanitizer.name(of),
    evaluation,
    function: sanitizer.name(name + of),
    dataset: spec.dataset === undefined ? shared.dataset : sanitizer.name(spec.dataset),
    labels: sanitizer.names(spec.labels),
    cluster: spec.cluster === undefined ? undefined : sanitizer.name(shortened(spec.cluster)),
    trials: spec.trials,
    timeout: spec.timeout,
    limits: spec.limits,
    requires: spec.requires,
    scoreRules: spec.scores && sanitizer.rules(spec.scores),
    params,
    rubrics,
    hasTarget: spec.target !== undefined,
    skip: spec.skip,
    only: spec.only,
    line: spec.place?.line ?? line,
    lineFile: spec.place && sanitizer.name(spec.place.file),
  };
  return { descriptor, file, name, spec, body, place };
}

/** The value that cases share may be a whole text, which every row would repeat. */
function shortened(cluster: string): string {
  return cluster.length <= 200 ? cluster : `${cluster.slice(0, 100)}… ${shortHash(cluster)}`;
}

interface NamedDefinition {
  readonly name: string;
  readonly of: Definition;
  readonly place: ExportPlace;
}

/** The files that have a module, an installed package that may keep something, or the global object in common. */
function sharingFiles(
  modules: ReadonlyMap<string, readonly LoadedModule[]>,
): Map<string, readonly string[]> {
  const users = new Map<string, Set<string>>();
  const use = (what: string, file: string) =>
    users.set(what, (users.get(what) ?? new Set()).add(file));
  for (const [file, list] of modules) {
    // A single one has nobody to share with.
    if (modules.size === 1) break;
    for (const one of list) {
      use(one.file, file);
      if (one.usesGlobals) use('globalThis', file);
      for (const [specifier, imported] of one.imports) {
        const found = isAssay(specifier) ? undefined : packageOf(imported);
        for (const { id } of found ? withDependencies(found) : []) {
          if (!isStatelessPackage(id)) use(id, file);
        }
      }
    }
  }
  const sharing = new Map([...modules.keys()].map((file) => [file, new Set([file])]));
  // Many modules have the same users.
  const groups = new Map([...users.values()].map((files) => [[...files].join('\0'), [...files]]));
  for (const group of groups.values()) {
    for (const file of group) for (const other of group) sharing.get(file)?.add(other);
  }
  return new Map([...sharing].map(([file, others]) => [file, [...others]]));
}

/** The evaluations that a module exports, each once, in the order of their definition. */
function evaluationsOf(module: Record<string, unknown>): NamedDefinition[] {
  const found = new Map<unknown, NamedDefinition>();
  const add = (value: unknown, place: ExportPlace): void => {
    if (!isEvaluation(value) || found.has(value)) return;
    const of = definition(value);
    const name = of.name ?? (place.index === undefined ? place.exportName : undefined);
    if (name === undefined) {
      throw new Error(`${describeEvaluation(of)} is in an exported array and needs a \`name\``);
    }
    const hasInputs = (of.inputs ?? []).length > 0;
    found.set(value, { name, of, place: hasInputs ? { ...place, hasInputs } : place });
  };
  for (const [exportName, value] of exportsOf(module)) {
    add(value, { exportName });
    if (!Array.isArray(value)) continue;
    for (const [index, item] of value.entries()) add(item, { exportName, index });
  }
  return [...found.values()].sort((a, b) => a.of.order - b.of.order);
}

/** Named exports first, then `default`; the properties of a CommonJS module count as exports. */
function exportsOf(module: Record<string, unknown>): [string, unknown][] {
  const { default: main, ...named } = module;
  const isCommonJs =
    typeof main === 'object' && main !== null && !isEvaluation(main) && !Array.isArray(main);
  return [
    ...Object.entries(named).filter(([name]) => name !== 'module.exports'),
    ...(isCommonJs ? Object.entries(main) : []),
    ['default', main],
  ];
}

function defaultDataset(fileName: string): string {
  const base = fileName.slice(fileName.lastIndexOf('/') + 1);
  return base.replace(/\.eval\.[^.]+$/, '');
}

function trialText(first: Descriptor, second: Descriptor): string {
  return `the id ${second.id}${at(second)} is that of a trial of ${first.id}${at(first)}; give one of them another \`name\``;
}

function at({ line }: Descriptor): string {
  return line === undefined ? '' : ` (line ${line})`;
}

function duplicateText(first: Descriptor, second: Descriptor): string {
  return `two evaluations have the id ${first.id}:${at(first)} and${at(second)}; give one of them another \`name\` or case \`id\``;
}
