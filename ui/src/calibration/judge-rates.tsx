import { correctedTexts, versionText } from '../../../src/text/calibration-text.js';
import { classNames } from '../components/class-names.js';
import { count, figure } from '../components/figures/figures.js';
import { Whisker } from '../components/figures/scale.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { visibleText } from '../result/values/visible-text.js';
import type { CalibrationAnswer, JudgeAnswer } from './calibration.js';
import styles from './judge-rates.module.css';
import { isNewest, rateTexts } from './words.js';

/** What people and one judge said, and its pass rate as judged and corrected. */
export function JudgeRates({ judge, of }: { judge: JudgeAnswer; of: CalibrationAnswer }) {
  const { key, judged, gives } = judge;
  const version = versionText(judge, of.judges);
  const by = version === undefined ? '' : `, ${version}`;
  return (
    <section aria-label={`Pass rate of ${key}${by}`}>
      <h2 className={styles.name}>
        {visibleText(key)}
        {by}{' '}
        <span>
          {gives === 'verdicts' ? 'pass rate' : 'values'} over all {count(judged.n)} results that it
          judged in {visibleText(of.run_name)}
        </span>
      </h2>
      <div className={styles.parts}>
        {judge.confusion && (
          <Confusion judge={judge} of={judge.confusion} areListed={isNewest(judge, of.judges)} />
        )}
        <Rates judge={judge} />
      </div>
    </section>
  );
}

function Confusion({
  judge: { key },
  of: { pass_pass, pass_fail, fail_pass, fail_fail },
  areListed,
}: {
  judge: JudgeAnswer;
  of: NonNullable<JudgeAnswer['confusion']>;
  /** Its disagreements stand in the list without a choice. */
  areListed: boolean;
}) {
  const [pass, fail] = [true, false].map((passed) => (
    <StatusIcon key={String(passed)} standing={passed ? 'passed' : 'failed'} />
  ));
  const off = (n: number) => (
    <td className={styles.off}>
      {n === 0 || !areListed ? (
        count(n)
      ) : (
        <a href={`#disagreements`} aria-label={`${n} disagreements on ${key}`}>
          {count(n)}
        </a>
      )}
    </td>
  );
  return (
    <table className={styles.confusion}>
      <caption className="sr">What people and judge said of {key}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">judge {pass}</th>
          <th scope="col">judge {fail}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">people {pass}</th>
          <td>{count(pass_pass)}</td>
          {off(pass_fail)}
        </tr>
        <tr>
          <th scope="row">people {fail}</th>
          {off(fail_pass)}
          <td>{count(fail_fail)}</td>
        </tr>
      </tbody>
    </table>
  );
}

interface Rate {
  readonly estimate: number;
  readonly low?: number | null | undefined;
  readonly high?: number | null | undefined;
}

/** As judged and corrected, on one ruler that begins at the ten below the lowest whisker. */
function Rates({ judge }: { judge: JudgeAnswer }) {
  const { judged, corrected, gives } = judge;
  const rates = [...(gives === 'verdicts' ? [judged] : []), ...(corrected ? [corrected] : [])];
  const lowest = Math.min(1, ...rates.map((rate) => rate.low ?? rate.estimate));
  const start = Math.min(9, Math.max(0, Math.floor(lowest * 10 + 1e-9))) * 10;
  // 100 needs room beside the mark before it.
  const step = start > 40 ? 10 : 20;
  const count = Math.floor((100 - start) / step) + 1;
  const marks = [...Array.from({ length: count }, (_, n) => 100 - n * step).reverse()];
  return (
    <div className={styles.rates}>
      <div className={classNames(styles.rate, styles.head)}>
        <span />
        <span className={styles.ruler} aria-hidden="true">
          {marks.map((mark) => (
            <span key={mark} style={{ left: `${(100 * (mark - start)) / (100 - start)}%` }}>
              {mark}
            </span>
          ))}
        </span>
        <span>%</span>
        <span>95 % interval</span>
      </div>
      {gives === 'verdicts' ? (
        <RateLine name="as judged" rate={judged} start={start} />
      ) : (
        <div className={styles.rate}>
          <span>as judged</span>
          <span className={styles.words}>mean value {figure(judged.estimate)}</span>
        </div>
      )}
      {corrected ? (
        <RateLine name="corrected" rate={corrected} start={start} isMain />
      ) : (
        <div className={styles.rate}>
          <span>corrected</span>
          <span className={styles.words}>{correctedTexts(judge).of}</span>
        </div>
      )}
    </div>
  );
}

function RateLine({
  name,
  rate,
  start,
  isMain = false,
}: {
  name: string;
  rate: Rate;
  /** The left end of the ruler, in percent. */
  start: number;
  isMain?: boolean;
}) {
  const [value, bounds] = rateTexts({ ...rate, low: rate.low ?? null, high: rate.high ?? null });
  const at = (share: number) => Math.max(0, Math.min(1, (share * 100 - start) / (100 - start)));
  const { low, high } = rate;
  return (
    <div className={classNames(styles.rate, isMain && styles.main)}>
      <span>{name}</span>
      <span className={styles.scale} aria-hidden="true">
        {typeof low === 'number' && typeof high === 'number' && (
          <Whisker from={at(low)} to={at(high)} top={16} cap={9} />
        )}
        <em style={{ left: `${at(rate.estimate) * 100}%` }} />
      </span>
      <b>{value}</b>
      <small>{bounds}</small>
    </div>
  );
}
