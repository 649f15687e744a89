/** Params without declared types: those of a run config, for evaluations that give no defaults. */
// biome-ignore lint/suspicious/noExplicitAny: free-form settings; every use would need a cast
export type AnyParams = Readonly<Record<string, any>>;

/** A value that a param can have: JSON. */
export type ParamValue =
  | string
  | number
  | boolean
  | null
  | readonly ParamValue[]
  | { readonly [name: string]: ParamValue };

/** Defaults of params, by name. */
export type ParamDefaults = Readonly<Record<string, ParamValue>>;

/** Params of an evaluation: its own defaults over shared ones. */
export type MergedParams<Shared, Own> = string extends keyof Own
  ? Shared
  : string extends keyof Shared
    ? Widened<Own>
    : Widened<Omit<Shared, keyof Own> & Own>;

/** TypeScript takes `true` as a default for the only value. */
type Widened<T> = T extends boolean
  ? boolean
  : T extends object
    ? { readonly [Name in keyof T]: Widened<T[Name]> }
    : T;
