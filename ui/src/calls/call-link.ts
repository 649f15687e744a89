import type { ListedCall } from '../api/schema.js';

/** The address of a call in its case, and the state with which its page leads back here. */
export function useCallLink(run: string) {
  return ({ index, number }: Pick<ListedCall, 'index' | 'number'>) => ({
    href: `/runs/${encodeURIComponent(run)}/results/${index}#call-${number}`,
    state: { comparison: `${location.pathname}${location.search}`, position: 0 },
  });
}

/** The name of a result: that of its evaluation, with the trial. */
export function caseName({ function: name, trial }: ListedCall): string {
  return trial === undefined ? name : `${name}~${trial}`;
}
