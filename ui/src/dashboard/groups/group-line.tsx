import { useQuery } from '@tanstack/react-query';
import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import { passedShare } from '../../../../src/model/scores/score.js';
import { boundsText, percentText } from '../../../../src/text/share-text.js';
import { usageHint } from '../../../../src/text/usage-text.js';
import { getRowGroups } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { indicesOptions } from '../../api/row-queries.js';
import type { RowGroups, ScoreChip, TableGroup } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { usageFigure } from '../../components/figures/cost-text.js';
import { changeText, verdictOf, wholeText } from '../../components/figures/difference-text.js';
import {
  count,
  counted,
  countsOnlyTitle,
  figure,
  passRateTitle,
  rateText,
  seconds,
  typicalValue,
} from '../../components/figures/figures.js';
import { ShareBar } from '../../components/figures/scale.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { useSelection, useShown } from '../dashboard-state.js';
import { Cell } from '../table/cells/cell.js';
import { CheckBox, type Checked } from '../table/cells/check-box.js';
import { groupName } from '../table/cells/row-standing.js';
import { ChipCell, countText, shareText } from '../table/cells/score-cell.js';
import {
  type ColumnId,
  type FigureColumn,
  isFigureColumn,
  isUsageColumn,
  rateColumn,
  scoreOf,
} from '../table/columns/columns.js';
import type { RowHandlers } from '../table/rows/table-row.js';
import type { Line } from '../table/scrolling/table-layout.js';
import styles from './group-line.module.css';

interface GroupLineProps {
  readonly line: Line;
  readonly rowIndex: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly group: TableGroup;
  /** What rows are grouped by. */
  readonly by: string;
  /** The id of the run that groups are compared with; absent if there is none, and while the run is in progress. */
  readonly base: string | undefined;
  /** The number of the group. */
  readonly number: number;
  /** Length of the end of its name that is never cut. */
  readonly nameEnd: number | undefined;
  readonly isFolded: boolean;
  readonly columns: readonly ColumnId[];
  readonly query: string;
  readonly handlers: RowHandlers;
}

/** The line of a group: its figures in the columns of the table. */
export function GroupLine(props: GroupLineProps) {
  const { line, group, by, number, isFolded, columns, handlers } = props;
  const name = groupName(group, by);
  const checked = useChecked(props);
  const rateAt = rateColumn(columns);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys.
    <div
      role="row"
      aria-rowindex={props.rowIndex}
      aria-level={1}
      aria-expanded={!isFolded}
      aria-selected={checked === 'on'}
      tabIndex={props.isActive ? 0 : -1}
      data-line="group"
      style={{ transform: `translateY(${props.top}px)` }}
      className={classNames('grid-line', styles.row, checked === 'on' && styles.selected)}
      onFocus={() => handlers.onFocus(line)}
      onClick={() => handlers.onFold(number, false)}
    >
      <Cell id="select">
        <CheckBox
          checked={checked}
          label={`Select group ${name}`}
          onToggle={() => handlers.onCheckGroup(number)}
        />
      </Cell>
      <span role="rowheader" className={styles.name}>
        <Icon name={isFolded ? 'right' : 'down'} className={styles.twist} />
        <b title={name} className={classNames(styles.key, group.key === null && styles.rest)}>
          <MiddleCut text={name} end={props.nameEnd} />
        </b>
        <span className="small faint" title={counted(group.results, 'result')}>
          {count(group.results)}
        </span>
        {(group.flaky ?? 0) > 0 && (
          <span className={styles.flaky}>
            <StatusIcon standing="flaky" size="chip" label={null} />
            {group.flaky} flaky
          </span>
        )}
        {rateAt === undefined && <Rate {...props} />}
      </span>
      {columns.map((id) => {
        const score = scoreOf(id);
        if (score !== undefined) {
          const chip = group.chips.find(({ key }) => key === score);
          const render = group.counts_only === true ? countText : shareText;
          return <ChipCell key={id} chip={chip} scoreKey={score} render={render} />;
        }
        return (
          <Cell
            key={id}
            id={id}
            className={classNames(styles.cell, isFigureColumn(id) && styles.figure)}
            title={isUsageColumn(id) ? usageHint(group.usage) : undefined}
          >
            {id === rateAt && <Rate {...props} />}
            {id === 'scores' && (
              <GroupScores chips={group.chips} countsOnly={group.counts_only === true} />
            )}
            {isFigureColumn(id) && figureText(id, group)}
          </Cell>
        );
      })}
    </div>
  );
}

/** How many of its results are selected. The indices of groups are read once anything is selected. */
function useChecked({ query, number }: GroupLineProps): Checked {
  const { run } = useShown();
  const { indices } = useSelection();
  const { data } = useQuery({ ...indicesOptions(run.run_id, query), enabled: indices.size > 0 });
  const its = data?.groups?.[number] ?? [];
  if (indices.size === 0 || its.length === 0) return 'off';
  const selected = its.reduce((sum, index) => sum + Number(indices.has(index)), 0);
  return selected === 0 ? 'off' : selected === its.length ? 'on' : 'some';
}

function Rate({
  group: { key, pass_rate: rate, counts_only, passed, failed, errors, unfinished },
  by,
  base,
}: GroupLineProps) {
  if (counts_only === true) {
    return (
      <span className={styles.rate} title={countsOnlyTitle}>
        <b>{count(passed)}</b> of {count(passed + failed + errors)} passed
      </span>
    );
  }
  if (rate === null) {
    return (
      <span className="quiet" data-rate>
        {unfinished > 0 ? 'not run yet' : 'no verdict'}
      </span>
    );
  }
  return (
    <span className={styles.rate} title={passRateTitle(rate)}>
      <b>{percentText(rate.estimate)}</b>
      <ShareBar share={rate.estimate} interval={rate} />
      <span className={styles.bounds}>
        <span className="sr">95 % interval </span>
        {boundsText(rate)}
      </span>
      {base !== undefined && key !== null && <GroupChange base={base} by={by} of={key} />}
    </span>
  );
}

/** The p50 of the latencies, or the sum of what calls used. */
function figureText(id: FigureColumn, { latency, usage }: TableGroup): string {
  if (id === 'latency') return latency.p50 === null ? '' : seconds(latency.p50);
  return hasCalls(usage) ? usageFigure(id, usage) : '';
}

interface GroupChangeProps {
  /** The id of the run before. */
  readonly base: string;
  /** What rows are grouped by. */
  readonly by: string;
  /** The key of the group. */
  readonly of: string;
}

/** The difference of the pass rate of a group from the run before: `▼ −9.6`, grey if it may be chance. */
function GroupChange({ base, by, of }: GroupChangeProps) {
  const { run_id: run } = useShown().run;
  const { data: groups } = useQuery({
    queryKey: keys.groupChanges(run, base, by),
    queryFn: ({ signal }) =>
      getRowGroups(run, new URLSearchParams({ by, sort: 'results', order: 'desc' }), signal),
  });
  if (!groups?.previous) return null;
  const { text, hint, verdict } = changeOf(groups, groups.previous, of);
  return (
    <span className={classNames(styles.change, verdict ?? 'quiet')} title={hint}>
      {text}
      <span className="sr"> since {groups.previous.run_name}</span>
    </span>
  );
}

interface Change {
  readonly text: string;
  readonly hint: string;
  readonly verdict: 'better' | 'worse' | undefined;
}

function changeOf(
  { groups }: RowGroups,
  { run_name, not_compared: why }: NonNullable<RowGroups['previous']>,
  of: string,
): Change {
  const none = (reason: string): Change => ({
    text: '–',
    hint: `Not compared with ${run_name}: ${reason}`,
    verdict: undefined,
  });
  if (why !== undefined) return none(why);
  const difference = groups.find(({ key }) => key === of)?.difference;
  if (difference === undefined) return none('the group is not among the largest ones');
  if (difference.difference === null) return none('no case of it has a verdict in both runs');
  const untested = difference.p === null ? ', too few pairs for a test' : '';
  return {
    text: changeText(difference, 'ratio'),
    hint: `Since ${run_name}, all results: ${wholeText(difference, 'ratio')}${untested}`,
    verdict: verdictOf(difference),
  };
}

/** The scores of a group on one line, the lowest share first. */
function GroupScores({ chips, countsOnly }: { chips: readonly ScoreChip[]; countsOnly: boolean }) {
  const scores = chips
    .map((chip) => ({ chip, share: shareOf(chip) }))
    .sort((a, b) => (a.share ?? 2) - (b.share ?? 2));
  const ends = tellingEnds(chips.map(({ key }) => key));
  return (
    <span className={styles.scores}>
      {scores.map(({ chip, share }) => (
        <span key={chip.key}>
          <MiddleCut text={chip.key} end={ends.get(chip.key)} />{' '}
          <b>{countsOnly ? countsText(chip) : scoreText(chip, share)}</b>
        </span>
      ))}
    </span>
  );
}

function shareOf(chip: ScoreChip): number | undefined {
  const share = passedShare(chip);
  return share && share.passed / Math.max(1, share.total);
}

/** `3 / 10`; nothing for values. */
function countsText(chip: ScoreChip): string {
  const share = passedShare(chip);
  return share === undefined ? '' : `${share.passed} / ${share.total}`;
}

function scoreText(chip: ScoreChip, share: number | undefined): string {
  return chip.type === 'avg' ? figure(typicalValue(chip)) : rateText(share);
}
