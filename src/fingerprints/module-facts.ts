/** Facts of another version are not to be used; another one belongs to every change of what the analysis finds. */
export const factsVersion = 6;

/** What the analysis of one module found. Plain JSON, so it can be cached by the content of the module. */
export interface ModuleFacts {
  /** What counts for everybody who loads the module: all of it, or what an inert module imports and exports. */
  readonly rest: Text;
  /** Running it does nothing but declare `parts` and `evaluations`. */
  readonly isInert: boolean;
  /** The declarations of an inert module by name, which count where they are named. */
  readonly parts: Readonly<Record<string, Text>>;
  readonly evaluations: Readonly<Record<string, EvaluationFacts>>;
  /** Imported names: the specifier, and the name in that module or `*` for all of it. */
  readonly imports: Readonly<Record<string, ImportedName>>;
  /** A name of its own, or one that it exports of another module. */
  readonly exports: Readonly<Record<string, string | ImportedName>>;
  /** The specifiers of modules that it loads without naming what it takes of them. */
  readonly loads: readonly string[];
  /** It may load any module without naming what it takes of it. */
  readonly loadsAny?: true;
  /** Why nothing that loads it may be carried over. */
  readonly hazard?: string;
}

export type ImportedName = readonly [specifier: string, name: string];

/** A part of the text of a module. */
export interface Text {
  /** Of its tokens, and of where the imported names in it come from. */
  readonly hash: string;
  /** Names of the module's top level that stand in it. */
  readonly names: readonly string[];
  /** It may change something that is not its own: a property of what a name stands for, or something `global`. */
  readonly changes?: 'other' | 'global';
}

/** What an evaluation's literal says by itself, as far as that concerns no other evaluation. */
export interface EvaluationFacts {
  readonly target: Text;
  readonly grading: Text;
  /** What grades it is not all in `grading`: its body makes the output, or its evaluators are made by a call. */
  readonly isMixed?: true;
  /** The result of `.extend` that it was made with. */
  readonly base?: string;
}

export const noText: Text = { hash: '', names: [] };

/** The facts of a file that is not JavaScript: JSON, text, an addon. */
export function dataFacts(hash: string): ModuleFacts {
  const none = { parts: {}, evaluations: {}, imports: {}, exports: {}, loads: [] };
  return { rest: { hash, names: [] }, isInert: false, ...none };
}

/** The facts of code of which nothing is known but its content. */
export function opaqueFacts(hash: string): ModuleFacts {
  return { ...dataFacts(hash), rest: { hash, names: [], changes: 'global' }, loadsAny: true };
}
