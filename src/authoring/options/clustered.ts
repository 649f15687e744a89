import { countOf, renderCount } from '../../text/count-text.js';
import { describeValue } from '../describe-value.js';

const mostNamed = 3;

interface CaseOfCluster {
  readonly caseId?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Adds the cluster of each case: the value of this key of its metadata. Without a key the cases stay as they are.
 * @throws {TypeError} if a case lacks the value: taken for independent, such cases would make intervals too narrow; and
 * for values that are neither text, number nor boolean
 */
export function clustered<Case extends CaseOfCluster>(
  cases: readonly Case[],
  key: string | undefined,
  subject: string,
): (Case & { readonly cluster?: string })[] {
  if (key === undefined) return [...cases];
  const lacking = cases.filter(({ metadata }) => isMissing(metadataOf(metadata, key)));
  if (lacking.length > 0) {
    const all = countOf(cases.length, 'case');
    const named = lacking.slice(0, mostNamed).flatMap(({ caseId }) => caseId ?? []);
    const more = lacking.length > named.length ? ', …' : '';
    const which = named.length === 0 ? '' : ` (${named.map(describeValue).join(', ')}${more})`;
    throw new TypeError(
      `${subject}: ${renderCount(lacking.length)} of ${all} lack metadata.${key}${which}, by which "cluster" groups them: give it to each case`,
    );
  }
  return cases.map((one) => {
    const value = metadataOf(one.metadata, key);
    if (!isName(value)) {
      const which = one.caseId === undefined ? '' : `, case ${describeValue(one.caseId)}`;
      throw new TypeError(
        `${subject}${which}: metadata.${key}, by which "cluster" groups cases, must be text, a number, true or false, not ${describeValue(value)}`,
      );
    }
    return { ...one, cluster: `${key}=${value}` };
  });
}

function metadataOf(metadata: CaseOfCluster['metadata'], key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

/** An empty cell of a file is an empty text. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isName(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
