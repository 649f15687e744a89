import { hundredthsText, missingText, nextLabels } from '../../../src/text/calibration-text.js';
import { classNames } from '../components/class-names.js';
import { count } from '../components/figures/figures.js';
import { visibleText } from '../result/values/visible-text.js';
import type { CalibrationAnswer, JudgeAnswer } from './calibration.js';
import styles from './judge-table.module.css';
import { ReviewLink } from './review-link.js';
import { isWeak, nextText } from './words.js';

/** Agreement by judge. */
export function JudgeTable({ of }: { of: CalibrationAnswer }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with keys
    <div className={styles.scroll} role="region" aria-label="Agreement by judge" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">judge</th>
            <Head name="TPR" means="passes their passes" />
            <Head name="TNR" means="fails their fails" />
            <Head name="kappa" means="beyond chance" />
            <Head name="AC1" means="holds for rare fails" />
            <Head name="people pass" />
            <Head name="n" means="unsure, skipped" />
          </tr>
        </thead>
        <tbody>
          {of.judges.map((judge) => (
            <JudgeRow key={`${judge.key} ${judge.rubric_version}`} judge={judge} of={of} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ name, means }: { name: string; means?: string }) {
  return (
    <th scope="col">
      {name} {means !== undefined && <span>{means}</span>}
    </th>
  );
}

function JudgeRow({ judge, of }: { judge: JudgeAnswer; of: CalibrationAnswer }) {
  const { key, rubric_version, judge_versions, figures, prevalence, n, labels } = judge;
  const { unsure, skipped } = labels;
  const next = nextLabels(judge, of.left_to_draw);
  return (
    <tr>
      <th scope="row">
        <b className="mono">{visibleText(key)}</b>
        <small>
          {[
            ...(rubric_version === null ? [] : [`rubric ${rubric_version.slice(0, 6)}`]),
            ...judge_versions.map((version) => `judge ${version.slice(0, 6)}`),
            ...(judge.rubric_changed ? ['an older rubric'] : []),
          ].join(', ')}
        </small>
      </th>
      {figures ? (
        <>
          <Figure label="TPR" of={figures.tpr} isWeak={isWeak(figures.tpr)} />
          <Figure label="TNR" of={figures.tnr} isWeak={isWeak(figures.tnr)} />
          <Figure label="kappa" of={figures.kappa} />
          <Figure label="AC1" of={figures.ac1} />
        </>
      ) : (
        <td colSpan={4} className={styles.missing}>
          {judge.missing ? missingText(judge.missing) : 'gives values, so there are no rates'}{' '}
          {next && <ReviewLink run={of.run_id}>{nextText(next)}</ReviewLink>}
        </td>
      )}
      <Figure label="pass" of={prevalence} />
      <td data-label="n">
        <b>{count(n)}</b>
        <small>
          {count(unsure)}, {count(skipped)}
        </small>
      </td>
    </tr>
  );
}

function Figure({
  label,
  of,
  isWeak: isMarked = false,
}: {
  label: string;
  of: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  isWeak?: boolean;
}) {
  return (
    <td data-label={label} className={classNames(isMarked && styles.weak)}>
      {of === null ? (
        '–'
      ) : (
        <>
          <b>{hundredthsText(of.estimate)}</b>
          <small>
            {hundredthsText(of.low)}–{hundredthsText(of.high)}
          </small>
        </>
      )}
    </td>
  );
}
