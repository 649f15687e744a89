import { AssayError } from '../../errors.js';
import type { Store } from '../../store/store.js';
import { quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';

/** The error for a session without runs, with similar names. */
export async function noSuchSession(store: Store, name: string): Promise<AssayError> {
  const names = (await store.listSessions()).map((session) => session.session_name);
  const near = didYouMean(name, names);
  const known = names.length === 0 ? `There are no saved runs in ${store.root}.` : undefined;
  return new AssayError('no-such-session', `There is no session ${quotedName(name)}.`, {
    hints: [near ?? known ?? 'assay sessions lists them.'],
  });
}
