/** The folded groups, by key; `null` is the group without a key. */
export interface Folds {
  /** All groups are folded but these; otherwise all are open but these. */
  readonly isFolded: boolean;
  readonly except: readonly (string | null)[];
}

/** No group is folded. */
export const allOpen: Folds = { isFolded: false, except: [] };
/** Every group is folded. */
export const allFolded: Folds = { isFolded: true, except: [] };

/** Whether a group is folded. */
export function isFolded({ isFolded, except }: Folds, key: string | null): boolean {
  return except.includes(key) !== isFolded;
}

/** Folds a group, or opens it. */
export function toggleFold(folds: Folds, key: string | null): Folds {
  const { except } = folds;
  const others = except.filter((other) => other !== key);
  return { ...folds, except: others.length < except.length ? others : [...except, key] };
}

/** The parameters of a URL: `groups=folded` and `open=KEY`, or `folded=KEY`. */
export function foldParams({ isFolded, except }: Folds): [string, string][] {
  const keys = except.map((key): [string, string] => [
    isFolded ? 'open' : 'folded',
    // A first `\` is doubled; alone, it stands for the group without a key.
    key === null ? '\\' : key.replace(/^\\/, '\\\\'),
  ]);
  return isFolded ? [['groups', 'folded'], ...keys] : keys;
}

/** Reads what {@link foldParams} writes. */
export function parseFolds(params: URLSearchParams): Folds {
  const isFolded = params.get('groups') === 'folded';
  const keys = params.getAll(isFolded ? 'open' : 'folded');
  if (!isFolded && keys.length === 0) return allOpen;
  return {
    isFolded,
    except: keys.map((key) => (key === '\\' ? null : key.replace(/^\\\\/, '\\'))),
  };
}
