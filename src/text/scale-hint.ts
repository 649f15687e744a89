/** With fewer values there is no interval on any scale. */
const enough = 20;

const mostNamed = 3;

interface Values {
  readonly scale?: unknown;
  readonly percentiles?: unknown;
  readonly count?: number;
}

/**
 * How to get an interval for means that have none because nothing says how far their values can go: `no interval for
 * judge without the least and the greatest value: scores: { judge: { scale: … } }`; `undefined` if there are none. A scale that one of several runs declares is enough.
 */
export function scaleHint(
  scores: readonly ({ readonly key: string; readonly values?: Values } & Values)[],
): string | undefined {
  const unbounded = scores.filter(({ values, ...own }) => {
    const { percentiles, count = 0 } = values ?? own;
    return percentiles !== undefined && count >= enough;
  });
  const declared = new Set(scores.flatMap(({ key, scale }) => (scale === undefined ? [] : key)));
  const keys = [...new Set(unbounded.map(({ key }) => key))].filter((key) => !declared.has(key));
  if (keys.length === 0) return undefined;
  const named = keys.slice(0, mostNamed);
  const more = keys.length > named.length ? ' and others' : '';
  const rules = named.map((key) => `${propertyName(key)}: { scale: … }`).join(', ');
  return `no interval for ${named.join(', ')}${more} without the least and the greatest value: scores: { ${rules} }`;
}

function propertyName(key: string): string {
  return /^[a-z_$][\w$]*$/i.test(key) ? key : JSON.stringify(key);
}
