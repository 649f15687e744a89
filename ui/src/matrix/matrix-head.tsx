import { useLocation } from 'wouter';
import { differingParams } from '../../../src/model/param-text.js';
import { boundsText, percentText } from '../../../src/text/share-text.js';
import type { MatrixPage } from '../api/schema.js';
import { letterOf } from '../compare/letters.js';
import { moveRun } from '../compare/view-state.js';
import { classNames } from '../components/class-names.js';
import { Menu, MenuItem, MenuLine } from '../components/controls/menu.js';
import { changeText, verdictOf, wholeText } from '../components/figures/difference-text.js';
import { counted, duration, passRateTitle } from '../components/figures/figures.js';
import { ShareBar } from '../components/figures/scale.js';
import { costText } from './cells.js';
import styles from './matrix-head.module.css';
import { ParamChips } from './params.js';
import type { VariantHead } from './scatter.js';
import { useMatrixView } from './use-matrix-view.js';
import { VariantTag } from './variant-tag.js';

/** A run as the pages of cases name it. */
type MatrixRun = MatrixPage['runs'][number];

export interface MatrixHeadProps {
  readonly runs: readonly MatrixRun[];
  /** Their figures, once loaded. */
  readonly variants: readonly VariantHead[] | undefined;
  /** The run that is looked at; −1 for none. */
  readonly current: number;
  /** The runs that are chosen for a comparison, by id. */
  readonly chosen: readonly string[];
  readonly onChoose: (run: string) => void;
  readonly isNarrow: boolean;
}

/** The heads of the runs: names, what differs, and figures. */
export function MatrixHead(props: MatrixHeadProps) {
  const { runs, variants, isNarrow } = props;
  const hasParams = variants !== undefined && differingParams(variants).length > 0;
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <span role="columnheader" className={styles.labels}>
        <span className={styles.first}>{isNarrow ? 'run' : 'evaluation'}</span>
        {!isNarrow && hasParams && <span>params, only what differs</span>}
        <span>passed, %</span>
        {!isNarrow && <span className={styles.bar} />}
        <span>against {letterOf(0)}</span>
        {!isNarrow && (
          <>
            <span>cost per case</span>
            <span>p50</span>
          </>
        )}
      </span>
      {runs.map((run, at) => (
        <Head key={run.run_id} {...props} run={run} at={at} hasParams={hasParams} />
      ))}
    </div>
  );
}

function Head({
  run,
  at,
  hasParams,
  runs,
  variants,
  current,
  chosen,
  onChoose,
  isNarrow,
}: MatrixHeadProps & { run: MatrixRun; at: number; hasParams: boolean }) {
  const figures = variants?.[at];
  const isChosen = chosen.includes(run.run_id);
  return (
    <span
      role="columnheader"
      aria-label={`${letterOf(at)} ${run.run_name}`}
      className={classNames(
        styles.run,
        at === current && styles.current,
        isChosen && styles.chosen,
      )}
    >
      <span className={styles.first}>
        <HeadMenu {...{ run, at, isChosen }} count={runs.length} onChoose={onChoose} />
        {figures?.is_best && (
          <span title="nothing cheaper passes more">
            <span aria-hidden="true">◆</span>
            <span className="sr">nothing cheaper passes more</span>
          </span>
        )}
        {!isNarrow && (
          <button
            type="button"
            className={classNames('cut', styles.name)}
            aria-pressed={isChosen}
            title={`${run.run_name}: choose for Compare`}
            onClick={() => onChoose(run.run_id)}
          >
            {run.run_name}
          </button>
        )}
      </span>
      {!isNarrow && hasParams && <ParamChips runs={variants ?? []} at={at} />}
      <Figures figures={figures} run={run} at={at} isNarrow={isNarrow} />
    </span>
  );
}

function Figures({
  figures,
  run,
  at,
  isNarrow,
}: {
  figures: VariantHead | undefined;
  run: MatrixRun;
  at: number;
  isNarrow: boolean;
}) {
  const rate = figures?.pass_rate.rate;
  const { pass_rate, cost, p50 } = figures ?? {};
  return (
    <>
      <span title={[passRateTitle(pass_rate ?? null), ...partsText(run)].join('; ')}>
        <b>{pass_rate && (rate ? percentText(rate.estimate) : 'no verdict')}</b>
        {rate && !isNarrow && (
          <small>
            <span className="sr">95 % interval </span>
            {boundsText(rate)}
          </small>
        )}
      </span>
      {!isNarrow && (
        <span className={styles.bar}>
          {rate && <ShareBar share={rate.estimate} interval={rate} />}
        </span>
      )}
      <span>{figures && <Difference figures={figures} at={at} />}</span>
      {!isNarrow && (
        <>
          <span>
            {cost === undefined ? '' : cost === null ? 'no calls' : (costText(cost) ?? 'unknown')}
          </span>
          <span>{p50 === undefined ? '' : p50 === null ? '–' : duration(p50)}</span>
        </>
      )}
    </>
  );
}

function Difference({ figures: { difference }, at }: { figures: VariantHead; at: number }) {
  if (at === 0 || difference === undefined) return <span className="faint">base</span>;
  if (difference.difference === null) return <span className="faint">no pairs</span>;
  return (
    <span className={verdictOf(difference) ?? 'quiet'} title={wholeText(difference, 'ratio')}>
      {changeText(difference, 'ratio')}
    </span>
  );
}

/** What a run lacks: `2 cases not in this run`, `still running`. */
function partsText({ absent_cases, unfinished_cases, state }: MatrixRun): string[] {
  return [
    ...(absent_cases > 0 ? [`${counted(absent_cases, 'case')} not in this run`] : []),
    ...(unfinished_cases > 0 ? [`${counted(unfinished_cases, 'case')} without a result`] : []),
    ...(state === 'running' || state === 'paused' ? [`still ${state}`] : []),
  ];
}

/** The letter of a run, which opens a menu for its place among the runs. */
function HeadMenu({
  run,
  at,
  count,
  isChosen,
  onChoose,
}: {
  run: MatrixRun;
  at: number;
  count: number;
  isChosen: boolean;
  onChoose: (run: string) => void;
}) {
  const [, setView] = useMatrixView();
  const [, navigate] = useLocation();
  const move = (to: number) => setView((view) => ({ ...view, runs: moveRun(view.runs, at, to) }));
  const remove = () =>
    setView((view) => ({ ...view, runs: view.runs.filter((id) => id !== run.run_id) }));
  return (
    <Menu
      label={`Run ${letterOf(at)}`}
      portal
      button={{
        className: styles.letter,
        'aria-label': `Run ${letterOf(at)}, ${run.run_name}: open, choose, move or remove`,
        title: `${run.run_name}: open, choose, move or remove`,
        children: <VariantTag run={at} />,
      }}
    >
      <MenuItem onClick={() => navigate(`/?run=${encodeURIComponent(run.run_id)}`)}>
        Open {run.run_name}
      </MenuItem>
      <MenuItem onClick={() => onChoose(run.run_id)}>
        {isChosen ? 'Do not compare' : 'Choose for Compare'}
      </MenuItem>
      <MenuLine />
      <MenuItem disabled={at === 0} note="The others are compared with it" onClick={() => move(0)}>
        Make it the base
      </MenuItem>
      <MenuItem disabled={at === 0} onClick={() => move(at - 1)}>
        Move left
      </MenuItem>
      <MenuItem disabled={at === count - 1} onClick={() => move(at + 1)}>
        Move right
      </MenuItem>
      <MenuLine />
      <MenuItem disabled={count <= 2} onClick={remove}>
        Remove
      </MenuItem>
    </Menu>
  );
}
