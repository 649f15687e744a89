import { createHash } from 'node:crypto';
import { AssayError } from '../errors.js';

/** What run ids look like; nothing else is ever used as the name of a run folder. */
export const runIdPattern = /^[0-9a-f]{12}$/;

const longestName = 100;

/** A session or run name, trimmed. Error: `bad-request` for a blank, long or unprintable one, and for a session `.` or `..`. */
export function checkName(name: string, what: 'session' | 'run'): string {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  // Characters that nobody can see are no name.
  if (/^[\p{Cf}\p{Z}]*$/u.test(trimmed)) {
    throw new AssayError('bad-request', `A ${what} name must not be blank.`);
  }
  if (length > longestName) {
    throw new AssayError(
      'bad-request',
      `A ${what} name has at most ${longestName} characters, this one has ${length}.`,
    );
  }
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(trimmed)) {
    throw new AssayError('bad-request', `A ${what} name must not contain control characters.`);
  }
  if (directionMarks.test(trimmed)) {
    throw new AssayError(
      'bad-request',
      `A ${what} name must not contain marks that change the direction of text.`,
    );
  }
  // The name of a session stands in addresses, where a dot means this folder and two the one above.
  if (what === 'session' && /^\.{1,2}$/.test(trimmed)) {
    throw new AssayError('bad-request', `A session must not be named ${trimmed}`);
  }
  return trimmed;
}

/** They make a name look like another one; letters of every direction need none of them. */
const directionMarks = /\p{Bidi_Control}/u;

// Windows keeps these names for devices, whatever follows after a dot.
const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;

/** Folder name of a session: a safe slug, and a hash of the name where the slug is not the name itself. */
export function sessionFolderName(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 60)
    .replace(/^[-.]+|[-.]+$/g, '');
  if (slug === name && !reserved.test(slug)) return slug;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${slug.replaceAll('.', '-') || 'session'}-${hash}`;
}
