import { Link } from 'wouter';
import { alikeTrialsText } from '../../../../src/text/chance-text.js';
import { repeatedText } from '../../../../src/text/repeats-text.js';
import { boundsText } from '../../../../src/text/share-text.js';
import type { ComparedRun, RunHead } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { Menu, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { count, counted, rateText } from '../../components/figures/figures.js';
import { Moment } from '../../components/figures/time.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { codeVersionsText } from '../../components/runs/code-versions.js';
import { ConfigName } from '../../components/runs/config-name.js';
import { letterOf } from '../letters.js';
import { RunTag } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { moveRun, withRuns } from '../view-state.js';
import styles from './run-rows.module.css';

/** The runs with their pass rates; the letter opens a menu. */
export function RunRows({
  runs,
  figures,
}: {
  runs: readonly RunHead[];
  /** Their figures, once loaded. */
  figures: readonly ComparedRun[] | undefined;
}) {
  return (
    <div className={styles.runs} role="group" aria-label="Runs">
      <div className={classNames(styles.row, styles.head)} aria-hidden="true">
        <span />
        <span>whole run</span>
        <span className={styles.right}>passed</span>
        <span className={classNames(styles.right, styles.interval)}>95 % interval</span>
        <span className={styles.right}>of</span>
        <span />
      </div>
      {runs.map((run, position) => (
        <RunRow
          key={run.run_id}
          run={run}
          figures={figures?.[position]}
          position={position}
          runs={runs}
        />
      ))}
      {runs.map((run, position) => (
        <RateNote
          key={run.run_id}
          run={run}
          isAlike={figures?.[position]?.trials_alike === true}
          position={position}
        />
      ))}
    </div>
  );
}

function RunRow({
  run,
  figures,
  position,
  runs,
}: {
  run: RunHead;
  figures: ComparedRun | undefined;
  position: number;
  runs: readonly RunHead[];
}) {
  const [, setView] = useCompareView();
  const remove = () =>
    setView((view) =>
      withRuns(
        view,
        view.runs.filter((_, n) => n !== position),
      ),
    );
  const passRate = figures?.pass_rate;
  const rate = passRate?.rate;
  const versions = codeVersionsText(run.code_versions);
  const isOther = run.session_name !== runs[0]?.session_name;
  return (
    <div className={styles.row}>
      <RunPlaceMenu run={run} position={position} count={runs.length} onRemove={remove} />
      <span className={styles.name}>
        <Link href={`/?run=${encodeURIComponent(run.run_id)}`}>
          <MiddleCut text={run.run_name} />
        </Link>
        {runs.some(({ config_name }) => config_name !== run.config_name) && (
          <ConfigName of={run} className={styles.config} />
        )}
        <span>
          {run.state !== 'finished' && <State state={run.state} />}
          {run.state !== 'not_started' && <Moment unix={run.timestamp} />}
          {isOther && `, session ${run.session_name}`}
          {position === 0 && ', base'}
          {versions && `, ${versions}`}
        </span>
      </span>
      <span className={styles.rate}>{passRate && rateText(rate?.estimate)}</span>
      <span className={classNames(styles.number, styles.interval)}>
        {rate && (
          <>
            <span className="sr">95 % interval </span>
            {boundsText(rate)}
          </>
        )}
      </span>
      <span className={styles.number}>
        {passRate && (
          <>
            <span className="sr">of </span>
            {count(passRate.total)}
          </>
        )}
      </span>
      <button
        type="button"
        className={styles.remove}
        aria-label={`Remove ${run.run_name}`}
        title="Remove"
        onClick={remove}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}

/** What the rate of a run does not say. */
function RateNote({
  run: { repeats, mixed },
  isAlike,
  position,
}: {
  run: RunHead;
  isAlike: boolean;
  position: number;
}) {
  const texts = [
    ...(repeats === undefined ? [] : [repeatedText(repeats)]),
    ...(mixed?.other_code
      ? [`${counted(mixed.other_code, 'result')} with other code, params or files`]
      : []),
    ...(mixed?.gone ? [`${counted(mixed.gone, 'result')} of evaluations that are gone`] : []),
    ...(mixed?.former_grades
      ? [`${counted(mixed.former_grades, 'result')} with former grades`]
      : []),
    ...(isAlike ? [alikeTrialsText] : []),
  ];
  if (texts.length === 0) return null;
  return (
    <p className={styles.note}>
      <RunTag run={position} small />
      <span>{texts.join('; ')}</span>
    </p>
  );
}

function State({ state }: { state: RunHead['state'] }) {
  const standing = state === 'running' ? 'running' : state === 'not_started' ? state : 'pending';
  return (
    <>
      <StatusIcon standing={standing} size="chip" label={null} className={styles.state} />
      {state.replace('_', ' ')}
      {state !== 'not_started' && ', '}
    </>
  );
}

/** The letter of a run, which opens a menu for its position among the runs. */
function RunPlaceMenu({
  run,
  position,
  count: runs,
  onRemove,
}: {
  run: RunHead;
  position: number;
  count: number;
  onRemove: () => void;
}) {
  const [, setView] = useCompareView();
  const move = (to: number) => setView((view) => withRuns(view, moveRun(view.runs, position, to)));
  return (
    <Menu
      label={`Run ${letterOf(position)}`}
      portal
      button={{
        className: styles.letter,
        'aria-label': `Run ${letterOf(position)}, ${run.run_name}: move or remove`,
        title: 'Move or remove',
        children: <RunTag run={position} />,
      }}
    >
      <MenuItem
        disabled={position === 0}
        note="The others are compared with it"
        onClick={() => move(0)}
      >
        Make it the base
      </MenuItem>
      <MenuItem disabled={position === 0} onClick={() => move(position - 1)}>
        Move up
      </MenuItem>
      <MenuItem disabled={position === runs - 1} onClick={() => move(position + 1)}>
        Move down
      </MenuItem>
      <MenuLine />
      <MenuItem onClick={onRemove}>Remove</MenuItem>
    </Menu>
  );
}
