import type { TableGroup } from '../../api/schema.js';

/** The name of a group: what its results share, or that they have too little in common. */
export function groupName({ key }: Pick<TableGroup, 'key'>, by: string): string {
  if (key === null) return by === 'label' ? 'no shared label' : 'ungrouped';
  return key === '' ? 'empty text' : key;
}
