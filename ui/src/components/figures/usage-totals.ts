import type { UsageTotals } from '../../../../src/model/calls/usage.js';
import type { Usage } from '../../api/schema.js';

/** Usage of calls of one kind: of the target, of all evaluators … */
export interface RoleUsage {
  readonly role: string;
  readonly totals: UsageTotals;
}

const order = ['target', 'body', 'evaluators', 'file'];

/** The role of a call without the name of its evaluator. */
export function groupOf(role: string): string {
  return role.startsWith('evaluator:') ? 'evaluators' : role;
}

/** Usage by target, body and evaluators, in this order. */
export function usageByGroup({ by_role: roles }: Pick<Usage, 'by_role'>): RoleUsage[] {
  const groups = new Map<string, UsageTotals>();
  for (const [role, totals] of Object.entries(roles)) {
    const known = groups.get(groupOf(role));
    groups.set(groupOf(role), known === undefined ? totals : sumOf(known, totals));
  }
  return [...groups]
    .map(([role, totals]) => ({ role, totals }))
    .sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
}

/** Adds the known figures of both. */
function sumOf(a: UsageTotals, b: UsageTotals): UsageTotals {
  const kinds = [
    ...(['input', 'cache_read', 'cache_write', 'output', 'reasoning'] as const),
    ...(['unpriced', 'without_price', 'without_tokens', 'unknown_calls', 'programs'] as const),
    'cut_off' as const,
  ];
  const known = kinds.filter((kind) => a[kind] !== undefined || b[kind] !== undefined);
  return {
    calls: a.calls + b.calls,
    cost: a.cost === null ? b.cost : a.cost + (b.cost ?? 0),
    ...Object.fromEntries(known.map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)])),
  };
}
