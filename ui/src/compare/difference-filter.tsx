import { scoreName } from '../../../src/text/score-name.js';
import { amountNames } from '../../../src/text/usage-text.js';
import type { RunComparison } from '../api/schema.js';
import { FilterPill } from '../components/controls/filter-pill.js';
import { Menu, MenuItem } from '../components/controls/menu.js';
import { Icon } from '../components/icons/icon.js';
import styles from './pair-filters.module.css';
import { measuresOf, movedFirst } from './summary/measures.js';
import { hasMoved } from './summary/words.js';
import { useCompareView } from './use-compare-view.js';
import { cycleDifference, splitDifference, withoutDifference } from './view-state.js';

/** Filters pairs by what a measure changed by. A click goes through: any difference, lower, higher, off. */
export function DifferenceFilter({ comparison }: { comparison: RunComparison | undefined }) {
  const [{ differences }, setView] = useCompareView();
  const rules = [...differences.include, ...differences.exclude];
  const known = comparison === undefined ? [] : differingMeasures(comparison);
  const shown = [...new Set([...known, ...rules.map((rule) => splitDifference(rule)[0])])];
  const cycle = (measure: string) =>
    setView((now) => ({ ...now, differences: cycleDifference(now.differences, measure) }));
  if (shown.length === 0) return null;
  return (
    <>
      <Menu
        label="difference"
        portal
        button={{
          className: styles.more,
          children: (
            <>
              difference
              <Icon name="down" />
            </>
          ),
        }}
      >
        {shown.map((measure) => {
          const rule = rules.find((one) => splitDifference(one)[0] === measure);
          return (
            <MenuItem
              key={measure}
              role="menuitemcheckbox"
              aria-checked={rule !== undefined}
              hideOnClick={false}
              className={styles.item}
              onClick={() => cycle(measure)}
            >
              {rule === undefined ? <span /> : <Icon name="plus" small />}
              <span className="cut">{rule ? differenceName(rule) : measureName(measure)}</span>
            </MenuItem>
          );
        })}
      </Menu>
      {rules.map((rule) => {
        const isOut = differences.exclude.includes(rule);
        const [measure, is] = splitDifference(rule);
        // What an address alone can say is not cycled through.
        const isCycled = !isOut && /^\w/.test(is);
        return (
          <FilterPill
            key={rule}
            standing={isOut ? 'out' : 'in'}
            text={differenceName(rule)}
            onClick={() =>
              isCycled
                ? cycle(measure)
                : setView((now) => ({
                    ...now,
                    differences: withoutDifference(now.differences, rule),
                  }))
            }
          />
        );
      })}
    </>
  );
}

/** The measures in which any pair differs: pass rate, scores, those that moved first, latency and usage. */
function differingMeasures(comparison: RunComparison): readonly string[] {
  const { moved, rest } = movedFirst(measuresOf(comparison));
  const scores = [...moved, ...rest].filter(({ lines }) =>
    lines.some(({ differences }) => differences.some((one) => one && hasMoved(one))),
  );
  const { comparisons } = comparison;
  const usage = (['cost', 'tokens', 'calls'] as const).filter((name) =>
    comparisons.some((against) => against.usage && hasMoved(against.usage[name])),
  );
  return [
    ...(comparisons.some(({ pass_rate }) => hasMoved(pass_rate)) ? ['passed'] : []),
    ...scores.map(({ key }) => `score:${key}`),
    ...(comparisons.some(({ latency }) => hasMoved(latency)) ? ['latency'] : []),
    ...usage,
  ];
}

function measureName(measure: string): string {
  if (measure === 'passed') return 'pass rate';
  if (measure.startsWith('score:')) return scoreName(measure.slice('score:'.length));
  return measure in amountNames ? amountNames[measure as keyof typeof amountNames] : measure;
}

const words: Readonly<Record<string, string>> = {
  other: 'differs',
  lower: 'lower',
  higher: 'higher',
};

/** `exact lower`, `latency ≥ 0.5`. */
function differenceName(rule: string): string {
  const [measure, is] = splitDifference(rule);
  const text = words[is] ?? is.replace('>=', '≥ ').replace('<=', '≤ ');
  return `${measureName(measure)} ${text}`;
}
