import { useState } from 'react';
import { testText } from '../../../../src/text/chance-text.js';
import { classNames } from '../../components/class-names.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { verdictOf } from '../../components/figures/difference-text.js';
import { counted } from '../../components/figures/figures.js';
import { PercentRuler } from '../../components/figures/scale.js';
import { Icon } from '../../components/icons/icon.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { RunTag } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { isFilteredComparison } from '../view-state.js';
import styles from './grouped-bars.module.css';
import { MeasureRow } from './measure-row.js';
import { type ComparedMeasure, type MovedScore, movedFirst } from './measures.js';

/** In sight at first; of more scores, those that moved. */
const fewScores = 8;

/**
 * Pass rate and scores: a bar for each whole run, and the differences over the pairs. What moved beyond chance is always
 * in sight, other scores unfold. A click on a name sorts the pairs by it.
 */
export function GroupedBars({
  runs,
  measures,
  isBrief = false,
  onAsk,
}: {
  runs: number;
  measures: readonly ComparedMeasure[];
  /** Only what moved, without a way to more. */
  isBrief?: boolean;
  /** All differences are wanted. */
  onAsk: () => void;
}) {
  const [view] = useCompareView();
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const isAwaited = measures.some((measure) => measure.isAwaited);
  const { passRate, moved, rest } = movedFirst(measures);
  const all = [...moved, ...rest];
  const first = firstScores(moved, rest, view.sort);
  const others = all.filter((score) => !first.includes(score));
  if (isBrief && passRate && !moved.length && !verdictsOf(passRate).some(Boolean)) return null;
  const shown = isBrief ? moved.slice(0, fewScores) : first;
  const unfolded = isOpen && !isBrief ? others.filter(({ key }) => isFound(key, search)) : [];
  const ends = tellingEnds(measures.map(({ name }) => name));
  const row = (measure: ComparedMeasure) => (
    <MeasureRow
      key={`${measure.type} ${measure.key ?? '\0'}`}
      measure={measure}
      nameEnd={ends.get(measure.name)}
    />
  );
  return (
    <div
      className={styles.bars}
      role="table"
      aria-label="Scores by run"
      data-pair={runs === 2}
      style={{ '--others': runs - 1 } as object}
    >
      <Head runs={runs} />
      {passRate && row(passRate)}
      {shown.flatMap(({ lines }) => lines.map(row))}
      {!isBrief && !isAwaited && (
        <FoldLine
          others={others}
          hasMoved={moved.length > 0}
          search={isOpen ? search : undefined}
          onSearch={setSearch}
          onFold={() => {
            setOpen(!isOpen);
            setSearch('');
          }}
          onAsk={onAsk}
        />
      )}
      {unfolded.flatMap(({ lines }) => lines.map(row))}
    </div>
  );
}

/** The line between the scores that are in sight and the others: how many there are, their search, and the way to all differences. */
function FoldLine({
  others,
  hasMoved,
  search,
  onSearch,
  onFold,
  onAsk,
}: {
  others: readonly MovedMeasure[];
  /** Some scores moved. */
  hasMoved: boolean;
  /** Absent while they are folded. */
  search: string | undefined;
  onSearch: (text: string) => void;
  onFold: () => void;
  onAsk: () => void;
}) {
  const isOpen = search !== undefined;
  return (
    <div className={classNames(styles.row, styles.more)} role="row">
      <span role="cell">
        {others.length > 0 && (
          <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={onFold}>
            <Icon name={isOpen ? 'down' : 'right'} small />
            {othersText(others, hasMoved)}
          </button>
        )}
        {isOpen ? (
          <Field
            small
            className={styles.search}
            icon="search"
            label="Search scores"
            placeholder={`Search ${counted(others.length, 'score')}`}
            autoFocus
            value={search}
            onChange={(event) => onSearch(event.currentTarget.value)}
          />
        ) : (
          others.length > 0 && <span className="quiet cut">{smallestText(others)}</span>
        )}
        <button type="button" className={classNames('link', styles.ask)} onClick={onAsk}>
          All differences <Kbd>shift d</Kbd>
        </button>
      </span>
    </div>
  );
}

function Head({ runs }: { runs: number }) {
  const [view] = useCompareView();
  const pairs = isFilteredComparison(view) ? 'all pairs' : 'pairs';
  return (
    <div className={classNames(styles.row, styles.head)} role="row">
      <span role="columnheader">whole run</span>
      <div role="columnheader" aria-label="0 to 100">
        <PercentRuler />
      </div>
      {Array.from({ length: runs - 1 }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
        <span key={n} className={styles.right} role="columnheader">
          <RunTag run={0} small />
          <span aria-hidden="true"> → </span>
          <RunTag run={n + 1} small />
          <span>{pairs}</span>
        </span>
      ))}
      {runs === 2 && (
        <span className={styles.right} role="columnheader">
          <span>
            difference<span className={styles.wide}>, 95 %</span>
          </span>
        </span>
      )}
    </div>
  );
}

type MovedMeasure = MovedScore<ComparedMeasure>;

/** The scores that are in sight at first: all if they are few, else those that moved, or those closest to it; and the one that pairs are sorted by. */
function firstScores(
  moved: readonly MovedMeasure[],
  rest: readonly MovedMeasure[],
  sort: string,
): readonly MovedMeasure[] {
  const all = [...moved, ...rest];
  const few = moved.length === 0 || all.length <= fewScores ? all : moved;
  const first = few.slice(0, fewScores);
  return all.filter((score) => first.includes(score) || sort === `score:${score.key}`);
}

const isFound = (key: string, search: string) =>
  key.toLowerCase().includes(search.trim().toLowerCase());

/** `74 did not move`, `3 more moved, 66 did not`. */
function othersText(others: readonly MovedMeasure[], hasMoved: boolean): string {
  const more = others.filter(({ verdict }) => verdict !== undefined).length;
  const still = others.length - more;
  if (more > 0) return still > 0 ? `${more} more moved, ${still} did not` : `${more} more moved`;
  return hasMoved ? `${still} did not move` : `${still} more, none moved`;
}

/** The p-value that came closest: `smallest p .006, .22 among 41`; empty if nothing was tested. */
function smallestText(others: readonly MovedMeasure[]): string {
  const closest = others.find(({ verdict }) => verdict === undefined)?.test;
  return closest?.p == null ? '' : `smallest p ${testText(closest)}`;
}

const verdictsOf = ({ differences }: ComparedMeasure) =>
  differences.map((one) => one && verdictOf(one));
