import { classNames } from '../class-names.js';
import styles from './cost-split.module.css';
import type { RoleUsage } from './usage-totals.js';

/** A bar that splits a cost by who spent it; nothing if only one did. */
export function CostSplit({ groups }: { groups: readonly RoleUsage[] }) {
  const total = groups.reduce((sum, { totals }) => sum + (totals.cost ?? 0), 0);
  if (total === 0 || groups.length < 2) return null;
  const share = (cost: number | null) => Math.round((100 * (cost ?? 0)) / total);
  const words = groups.map(({ role, totals }) => `${role} ${share(totals.cost)} %`);
  return (
    <span className={styles.split} role="img" aria-label={words.join(', ')}>
      {groups.map(({ role, totals }, n) => (
        <i key={role} data-part={n} style={{ flexGrow: share(totals.cost) }} />
      ))}
    </span>
  );
}

/** A bar of a budget, filled with what each has spent of it. */
export function BudgetBar({ groups, budget }: { groups: readonly RoleUsage[]; budget: number }) {
  const total = groups.reduce((sum, { totals }) => sum + (totals.cost ?? 0), 0);
  const width = (cost: number | null) => `${Math.min(100, (100 * (cost ?? 0)) / budget)}%`;
  return (
    <span
      className={classNames(styles.split, styles.budget)}
      role="img"
      aria-label={`${Math.round((100 * total) / budget)} % of max_cost spent`}
    >
      {groups.map(({ role, totals }, n) => (
        <i key={role} data-part={n} style={{ flexBasis: width(totals.cost) }} />
      ))}
    </span>
  );
}

/** The colour of a part of the bar. */
export function CostSwatch({ part }: { part: number }) {
  return <i className={styles.swatch} data-part={part} />;
}
