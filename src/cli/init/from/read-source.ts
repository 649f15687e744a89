import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError, hasSystemCode } from '../../../errors.js';
import { whyNoText } from '../../../text/bad-utf8.js';

const mostMegabytes = 5;
const hints = ['Nothing was written.'];

/**
 * The text of a file that is translated, without a byte order mark. `namedBy`: the file that names it, for messages. Error:
 * `bad-request`.
 */
export function readSource(folder: string, path: string, namedBy?: string): string {
  const by = namedBy === undefined ? '' : `${namedBy} names `;
  const fail = (problem: string, cause?: unknown): never => {
    throw new AssayError('bad-request', `${by}${path}${by ? ',' : ':'} ${problem}.`, {
      cause,
      hints,
    });
  };
  let bytes: Buffer;
  try {
    const stats = statSync(resolve(folder, path));
    if (stats.isDirectory()) return fail(by ? 'which is a folder' : 'it is a folder');
    if (!stats.isFile()) return fail(by ? 'which is no regular file' : 'it is no regular file');
    if (stats.size > mostMegabytes * 1024 * 1024) {
      return fail(`${by ? 'which' : 'it'} is larger than ${mostMegabytes} MB`);
    }
    bytes = readFileSync(resolve(folder, path));
  } catch (error) {
    if (error instanceof AssayError) throw error;
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) {
      return fail(by ? 'which does not exist' : 'there is no such file', error);
    }
    return fail(by ? 'which cannot be read' : 'it cannot be read', error);
  }
  const noText = whyNoText(bytes);
  if (noText !== undefined) {
    const { line, column, reason } = noText;
    throw sourceError(`${path}:${line}:${column}: ${reason}.`);
  }
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** An error in a file that is translated. */
export function sourceError(message: string, cause?: unknown): AssayError {
  return new AssayError('bad-request', message, { cause, hints });
}
