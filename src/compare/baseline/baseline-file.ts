import { open, stat } from 'node:fs/promises';
import { AssayError } from '../../errors.js';
import { readRunDocument } from '../../store/exported/read-exported-run.js';
import type { ComparedRun } from '../compared-run.js';
import { type Baseline, baselineMark } from './baseline.js';
import { parseBaseline } from './parse-baseline.js';

// The mark comes first, even when keys were sorted; an exported run may be hundreds of megabytes long.
const sniffedBytes = 4096;

/** True if a file begins like a baseline file. */
export async function isBaselineFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return false;
  const start = await readStart(path).catch(() => '');
  // Anything may follow `results`.
  return (start.split('"results"', 1)[0] ?? '').includes(`"${baselineMark}"`);
}

async function readStart(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(sniffedBytes);
    const { bytesRead } = await handle.read(bytes, 0, sniffedBytes, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Reads a baseline file; `name` is used in errors. Errors: `unreadable-run`, `bad-request`, `newer-format`. */
export async function readBaselineFile(path: string, name: string): Promise<ComparedRun> {
  return ofBaseline(await parseFile(path, name));
}

async function parseFile(path: string, name: string): Promise<Baseline> {
  try {
    return parseBaseline(await readRunDocument(path, name, 'baseline'));
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    if (error.code === 'unreadable-run') {
      throw new AssayError(error.code, error.message, {
        cause: error,
        hints: ['After a merge: take one side of it, or bless a run again.'],
      });
    }
    throw new AssayError(error.code, `${name}: ${error.message}`, { cause: error });
  }
}

function ofBaseline({ run_id, run_name, date, usage, cases }: Baseline): ComparedRun {
  const milliseconds = Date.parse(date);
  return {
    head: {
      run_id,
      run_name,
      session_name: null,
      config_name: null,
      state: null,
      timestamp: Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000),
      ...(usage && { usage }),
    },
    cases,
    unfinished: 0,
    rowsOf: () => new Map(),
    read: async (index) => {
      throw new Error(`a baseline has no row ${index}`);
    },
  };
}
