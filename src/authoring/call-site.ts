import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in the user's source. */
export interface SourcePosition {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/**
 * Captures the caller of `callee`. Resolving the position is expensive (source maps), so the returned function does it;
 * it returns `undefined` if the caller is not in a file.
 */
export function captureCallSite(callee: unknown): () => SourcePosition | undefined {
  const holder: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  // Any function is accepted; the parameter type names the useless type Function.
  Error.captureStackTrace(holder, callee as () => void);
  Error.stackTraceLimit = limit;
  return () => parseFrame(String(holder.stack).trimEnd().split('\n').at(-1) ?? '');
}

/** Parses a stack line, `at name (place:line:column)` or `at place:line:column`; `undefined` if it names no file. */
export function parseFrame(frame: string): SourcePosition | undefined {
  const pattern = frame.endsWith(')')
    ? / \((.+):(\d+):(\d+)\)$/
    : /at (?:async )?(.+):(\d+):(\d+)$/;
  const [, place = '', line, column] = pattern.exec(frame) ?? [];
  const file = place.startsWith('file:') ? toPath(place) : place;
  return isAbsolute(file) ? { file, line: Number(line), column: Number(column) } : undefined;
}

function toPath(address: string): string {
  const url = new URL(address);
  url.search = ''; // loaders add queries to import a file again
  url.hash = '';
  return fileURLToPath(url);
}
