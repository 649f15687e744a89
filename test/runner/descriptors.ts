import type { Descriptor } from '../../src/protocol/messages.js';

/** A described evaluation, `file::name` or `file::name[case]`, with what differs from the usual. */
export function descriptor(id: string, more: Partial<Descriptor> = {}): Descriptor {
  const at = id.indexOf('::');
  const name = id.slice(at + '::'.length);
  return {
    id,
    evaluation: id.replace(/\[.*\]$/, ''),
    function: name,
    dataset: 'd',
    labels: [],
    hasTarget: true,
    skip: false,
    only: false,
    ...more,
  };
}
