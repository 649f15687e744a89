import { shortHash } from '../text/short-hash.js';
import type { DescribedValues } from './messages.js';

/** A hash by which two machines tell that a case has the same values on both. */
export function keyOfValues(values: Omit<DescribedValues, 'id'>): string {
  const { exact, scoreKey, input, reference, metadata, kept } = values;
  const text = exact ?? JSON.stringify([input, reference, metadata, kept]);
  return shortHash(`${scoreKey ?? ''}\n${text}`);
}
