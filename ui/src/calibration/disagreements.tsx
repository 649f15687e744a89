import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { versionText } from '../../../src/text/calibration-text.js';
import { useShortcut } from '../app/shortcuts.js';
import { classNames } from '../components/class-names.js';
import { Switch } from '../components/controls/switch.js';
import { count } from '../components/figures/figures.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { defaultView } from '../dashboard/view-state.js';
import { resultAddress } from '../result/addresses.js';
import { Segments } from '../result/section.js';
import { ShowAll } from '../result/values/shown-part.js';
import { visibleText } from '../result/values/visible-text.js';
import type { CalibrationAnswer } from './calibration.js';
import styles from './disagreements.module.css';
import { isNewest } from './words.js';

type Disagreement = CalibrationAnswer['disagreements'][number];

/** Listed at first. */
const shownAtFirst = 200;

/** The results on which people and judge disagree, each with both reasons; `j`, `k` and Enter walk and open. */
export function Disagreements({
  run,
  all,
  judges,
}: {
  run: string;
  all: readonly Disagreement[];
  judges: CalibrationAnswer['judges'];
}) {
  const [, navigate] = useLocation();
  const [key, setKey] = useState('');
  const [current, setCurrent] = useState(0);
  const [isAll, setAll] = useState(false);
  const [isOlderShown, setOlderShown] = useState(false);
  const older = all.filter((one) => !isNewest(one, judges)).length;
  const ofRubrics = isOlderShown ? all : all.filter((one) => isNewest(one, judges));
  const listed = ofRubrics.filter((one) => key === '' || one.key === key);
  const shown = isAll ? listed : listed.slice(0, shownAtFirst);
  const at = Math.min(current, shown.length - 1);
  const hrefOf = ({ index }: Disagreement) => resultAddress(defaultView, run, index);
  const go = (to: number) => {
    setCurrent(to);
    document.getElementById(rowId(to))?.scrollIntoView({ block: 'nearest' });
  };
  useShortcut('walk', ({ key: pressed }) => {
    const by = pressed === 'k' || pressed === 'ArrowUp' ? -1 : 1;
    go(Math.max(0, Math.min(shown.length - 1, at + by)));
  });
  useShortcut('open', () => {
    const one = shown[at];
    if (one) navigate(hrefOf(one));
  });
  const countOf = (of: string) => ofRubrics.filter((one) => one.key === of).length;
  const names = Object.fromEntries([
    ['', 'all'],
    ...[...new Set(all.map((one) => one.key))].map((of) => [
      of,
      `${visibleText(of)} ${count(countOf(of))}`,
    ]),
  ]);
  return (
    <section
      id="disagreements"
      aria-labelledby="disagreements-title"
      className={classNames(styles.part, isOlderShown && styles.versions)}
    >
      <header>
        <h2 id="disagreements-title">Disagreements</h2>
        <span className="small faint">{count(ofRubrics.length)} to read</span>
        <span className="fill" />
        {older > 0 && (
          <Switch isOn={isOlderShown} onChange={setOlderShown}>
            {count(older)} by older rubrics
          </Switch>
        )}
        {Object.keys(names).length > 2 && (
          <Segments label="Judge" names={names} value={key} onChange={setKey} />
        )}
      </header>
      <div className={classNames(styles.row, styles.head)} aria-hidden="true">
        <span>judge</span>
        <span>result</span>
        <span>people</span>
        <span>their note</span>
        <span>judge</span>
        <span>its reason</span>
      </div>
      <ol>
        {shown.map((one, n) => (
          <Row
            key={`${one.index} ${one.key} ${one.rubric_version}`}
            id={rowId(n)}
            of={one}
            version={isOlderShown ? versionText(one, judges) : undefined}
            href={hrefOf(one)}
            isCurrent={n === at}
          />
        ))}
      </ol>
      {shown.length < listed.length && (
        <ShowAll count={listed.length} noun="disagreements" onClick={() => setAll(true)} />
      )}
    </section>
  );
}

const rowId = (n: number) => `disagreement-${n}`;

function Row({
  id,
  version,
  of: { key, name, verdict, notes, judge },
  href,
  isCurrent,
}: {
  id: string;
  /** `rubric 1a2b3c` where the score has several. */
  version: string | undefined;
  of: Disagreement;
  href: string;
  isCurrent: boolean;
}) {
  const note = notes.map((one) => one.note).join(' / ');
  const icon = (passed: boolean, who: string) => (
    <StatusIcon
      standing={passed ? 'passed' : 'failed'}
      label={`${who}: ${passed ? 'passed' : 'failed'}`}
    />
  );
  return (
    <li
      id={id}
      aria-current={isCurrent || undefined}
      className={classNames(styles.row, isCurrent && styles.current)}
    >
      <span
        className="mono faint cut"
        title={version === undefined ? undefined : `${visibleText(key)}, ${version}`}
      >
        {visibleText(key)}
        {version !== undefined && <small> {version.replace('rubric ', '')}</small>}
      </span>
      <Link href={href} className={classNames('mono', 'cut', styles.name)}>
        {visibleText(name)}
      </Link>
      <span>{icon(verdict === 'pass', 'people')}</span>
      <span className={styles.text} title={visibleText(note)}>
        {visibleText(note)}
      </span>
      <span>{icon(judge.passed, 'judge')}</span>
      <span className={classNames('quiet', styles.text)} title={visibleText(judge.notes ?? '')}>
        {visibleText(judge.notes ?? '')}
      </span>
    </li>
  );
}
