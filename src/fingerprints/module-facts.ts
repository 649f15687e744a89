/** Facts of another version are not to be used; another one belongs to every change of what the analysis finds. */
export const factsVersion = 8;

/** What the analysis of one module found. Plain JSON, so it can be cached by the content of the module. */
export interface ModuleFacts {
  /** What counts for everybody who loads the module: all of it, or what an inert module imports and exports. */
  readonly rest: Text;
  /** Running it does nothing but declare `parts`. */
  readonly isInert: boolean;
  /**
   * What counts where it is named: the declarations of an inert module, and of each evaluation that is written out what
   * concerns no other one. If its grading can be told apart, that is its {@link targetOf} and {@link gradingOf}.
   */
  readonly parts: Readonly<Record<string, Text>>;
  /** The specifier, and the name in that module or `*` for all of it. What has no name in this module has one with a blank. */
  readonly imports: Readonly<Record<string, ImportedName>>;
  /** Names of this module, imported ones too, by those under which it exports them. */
  readonly exports: Readonly<Record<string, string>>;
  /** It may load any module without naming what it takes of it. */
  readonly loadsAny?: boolean;
  /** Why nothing that loads it may be carried over. */
  readonly hazard?: string | undefined;
}

export type ImportedName = readonly [specifier: string, name: string];

/** A part of the text of a module. */
export interface Text {
  /** Of its tokens, and of where the imported names in it come from. */
  readonly hash: string;
  /** Names of the module's top level that stand in it. */
  readonly names: readonly string[];
  /** It may change something that is not its own: 1 for a property of what a name stands for, 2 for a global. */
  readonly changes?: number;
}

/** The part of an evaluation that its output depends on. */
export function targetOf(evaluation: string): string {
  return `target of ${evaluation}`;
}

/** The part of an evaluation that only grades its output. */
export function gradingOf(evaluation: string): string {
  return `grading of ${evaluation}`;
}

/** The facts of a file that is not JavaScript: JSON, text, an addon. */
export function dataFacts(hash: string): ModuleFacts {
  return { rest: { hash, names: [] }, isInert: false, parts: {}, imports: {}, exports: {} };
}

/** The facts of code of which nothing is known but its content. */
export function opaqueFacts(hash: string): ModuleFacts {
  return { ...dataFacts(hash), rest: { hash, names: [], changes: 2 }, loadsAny: true };
}

/** A property of the record itself: names of code may be `constructor` and `toString`. */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
