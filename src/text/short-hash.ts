let crypto: typeof import('node:crypto') | undefined;

/** The first hex digits of the SHA-256 of a text. */
export function shortHash(text: string | Buffer, digits = 16): string {
  // Loaded on demand, because it is slow to load and rarely needed during the start.
  crypto ??= process.getBuiltinModule('node:crypto');
  // A third of the time of `createHash`, and each case has a hash.
  return crypto.hash('sha256', text).slice(0, digits);
}
