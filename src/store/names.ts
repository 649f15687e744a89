import { AssayError } from '../errors.js';
import { hasHidden, normalName } from '../text/person-name.js';
import { shortHash } from '../text/short-hash.js';

/** The format of run ids, which are the names of run folders. */
export const runIdPattern = /^[0-9a-f]{12}$/;

const longestName = 100;

/**
 * A name of a session, run or reviewer, trimmed; that of a reviewer is one however its letters are composed. Error: `bad-request` for a blank, long or unprintable one, and for a session `.` or
 * `..`.
 */
export function checkName(name: string, what: 'session' | 'run' | 'reviewer'): string {
  const trimmed = what === 'reviewer' ? normalName(name) : name.trim();
  const length = [...trimmed].length;
  // A name must have a visible character.
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
  if (what === 'reviewer' && hasHidden(trimmed)) {
    const message = 'A reviewer name must not contain characters that nobody sees.';
    throw new AssayError('bad-request', message);
  }
  // Session names are parts of URLs, where `.` and `..` have a meaning.
  if (what === 'session' && /^\.{1,2}$/.test(trimmed)) {
    throw new AssayError('bad-request', `A session must not be named ${trimmed}`);
  }
  return trimmed;
}

/** Bidirectional control characters, which make a name look like another one, and which no script needs. */
const directionMarks = /\p{Bidi_Control}/u;

// Names of devices on Windows, with any extension.
const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;

/** The folder name of a session: a safe slug, with a hash if the slug differs from the name. */
export function sessionFolderName(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 60)
    .replace(/^[-.]+|[-.]+$/g, '');
  if (slug === name && !reserved.test(slug)) return slug;
  const hash = shortHash(name, 8);
  return `${slug.replaceAll('.', '-') || 'session'}-${hash}`;
}
