/** Facts of another version are not to be used; another one belongs to every change of what the analysis finds. */
export const factsVersion = 4;

/** What the analysis of one module found. Plain JSON, so it can be cached by the content of the module. */
export interface ModuleFacts {
  readonly nodes: readonly CodeNode[];
  /** The nodes that declare a name of the module's top level. */
  readonly names: Readonly<Record<string, readonly number[]>>;
  /** Imported names: the specifier, and the name in that module or `*` for all of it. */
  readonly imports: Readonly<Record<string, ImportedName>>;
  /** The specifiers of modules that run before or while this one runs, in order. */
  readonly evaluates: readonly string[];
  readonly exports: Readonly<Record<string, ExportFact>>;
  /** The specifiers of `export * from`. */
  readonly stars: readonly string[];
  /** The nodes of evaluations that could be split, by local name, or by `name[index]` in an array. */
  readonly evaluations: Readonly<Record<string, SplitNodes>>;
}

export type ImportedName = readonly [specifier: string, name: string];

export type ExportFact = { readonly local: string } | { readonly from: ImportedName };

/** The nodes of an evaluation that produce outputs, and those that grade them. */
export interface SplitNodes {
  readonly target: readonly number[];
  readonly grading: readonly number[];
}

/** A top-level statement, a declaration in one, or a part of an evaluation. */
export interface CodeNode {
  readonly hash: string;
  /** The name that it declares, for people. */
  readonly label?: string;
  /** Names of the top level, or `name.property` of an imported namespace. */
  readonly uses: readonly string[];
  /** Names that it reads as cases or inputs; plain data behind them is fingerprinted as values. */
  readonly reads?: readonly string[];
  /** Nodes that belong to it. */
  readonly also?: readonly number[];
  /** Names of the top level whose values it may change. */
  readonly writes?: readonly string[];
  /** The specifiers of `require()`, `import()` and `new URL(…, import.meta.url)`. */
  readonly loads?: readonly string[];
  /** Loads modules whose specifiers only the loader knows. */
  readonly loadsUnknown?: true;
  /** Running it may change something that is not its own. */
  readonly effect?: true;
  /** Running it has effects if one of these functions has. */
  readonly effectIf?: readonly string[];
  /** A function or class that can be called without effects. */
  readonly calm?: true;
  /** Calling it has effects if one of these functions has. */
  readonly calmIf?: readonly string[];
  /** Can hold no state: a function, a class without statics, a primitive constant. */
  readonly inert?: true;
  /** Plain data without code. */
  readonly data?: true;
  /** The order of functions and parts of evaluations does not matter. */
  readonly unordered?: true;
  /** Why grading with it may depend on more than the output. */
  readonly open?: string;
  /** Changes something global. */
  readonly setsGlobals?: true;
  /** Why nothing that uses it may be carried over. */
  readonly hazard?: string;
}

/** The facts of a file that is not JavaScript: JSON, text, an addon. */
export function dataFacts(hash: string): ModuleFacts {
  return wholeModule({ hash, uses: [], data: true });
}

/** A module of one node that is all of its exports. */
function wholeModule(node: CodeNode): ModuleFacts {
  return {
    nodes: [node],
    names: {},
    imports: {},
    evaluates: [],
    exports: {},
    stars: [],
    evaluations: {},
  };
}

/** The facts of code about which nothing is known but its content. */
export function opaqueFacts(hash: string): ModuleFacts {
  return wholeModule({ hash, uses: [], loadsUnknown: true, effect: true, open: 'unknown code' });
}
