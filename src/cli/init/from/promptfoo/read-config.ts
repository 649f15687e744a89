import { dirname } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { isObject } from '../../../../model/json.js';
import { readSource, sourceError } from '../read-source.js';

/** A configuration of promptfoo. */
export interface Config {
  /** Its path, as it was given. */
  readonly path: string;
  /** The absolute folder to which its paths are relative. */
  readonly folder: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads a configuration. Error: `bad-request`, with the position of what is no YAML. */
export function readConfig(cwd: string, path: string, absolute: string): Config {
  const value = withReferences(parseYaml(readSource(cwd, path), path));
  if (
    !isObject(value) ||
    !['prompts', 'providers', 'targets', 'tests'].some((key) => key in value)
  ) {
    throw sourceError(
      `${path} is no configuration of promptfoo: it has no prompts, providers or tests.`,
    );
  }
  return { path, folder: dirname(absolute), value };
}

/** The value of a YAML or JSON text. Error: `bad-request` with file, line and column. */
export function parseYaml(text: string, path: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { merge: true, prettyErrors: false, lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    // The parser is recursive.
    const reason = /call stack/.test(fault.message) ? 'it is nested too deeply' : fault.message;
    throw sourceError(`${path}:${line}:${col}: it is not YAML: ${reason.split('\n')[0]}.`, fault);
  }
  try {
    return document.toJS();
  } catch (error) {
    // Aliases without an anchor, or so many that they would exhaust the memory.
    const reason = error instanceof Error ? error.message : String(error);
    throw sourceError(`${path}: it is not YAML: ${reason}.`, error);
  }
}

/** Puts what `$ref: '#/assertionTemplates/short'` names in its place. */
function withReferences(root: unknown): unknown {
  const resolveIn = (value: unknown, depth: number): unknown => {
    if (depth > 100) return value;
    if (Array.isArray(value)) return value.map((one) => resolveIn(one, depth + 1));
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string' && value.$ref.startsWith('#/')) {
      const found = value.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root);
      return found === undefined ? value : resolveIn(found, depth + 1);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        key === 'value' ? one : resolveIn(one, depth + 1),
      ]),
    );
  };
  return resolveIn(root, 0);
}
