import { readdirSync, readFileSync } from 'node:fs';

/**
 * What a process has started that left its process group, such as browsers that are started `detached`; only a
 * signal to each reaches them. Empty where the system has no `/proc` that tells.
 */
export function startedOutsideGroup(leader: number): number[] {
  const found = new Set<number>();
  const queue = [leader];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const child of childrenOf(pid)) {
      if (found.has(child)) continue;
      found.add(child);
      queue.push(child);
    }
  }
  return [...found].filter((pid) => groupOf(pid) !== leader);
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
      return text.split(' ').filter(Boolean).map(Number);
    });
  } catch {
    return [];
  }
}

/** The name of a program, which stands before the numbers, may hold anything. */
function groupOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return undefined;
  }
}
