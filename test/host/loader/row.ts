import type { Files } from './project.js';

/** A project, the file in it that a host imports, and what that file exports as `result`. */
export interface Row {
  readonly title: string;
  readonly files: Files;
  readonly entry: string;
  readonly result: unknown;
}

export const esm = '{ "type": "module" }';
export const cjs = '{ "type": "commonjs" }';
export const untyped = '{ "name": "untyped" }';
