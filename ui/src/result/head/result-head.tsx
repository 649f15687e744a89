import { hasCalls, runUsageOf } from '../../../../src/model/calls/run-usage.js';
import { hasReplayedLatency, waitedOf } from '../../../../src/model/calls/usage.js';
import {
  callsText,
  partTexts,
  renderResultCost,
  resultBesideTaken,
} from '../../../../src/text/usage-text.js';
import { useCalls } from '../../api/queries.js';
import type { ResultPage } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { duration } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { EvaluationName, Wrapping } from '../../components/names/evaluation-name.js';
import { originVerb, reasonMeaning } from '../../components/runs/origin-text.js';
import { standingText } from '../../components/scores/standing.js';
import type { View } from '../../dashboard/view-state.js';
import { standingFrom } from '../attempts.js';
import type { WayBack } from '../navigation/way-back.js';
import { visibleText } from '../values/visible-text.js';
import styles from './result-head.module.css';
import { Trials } from './trials.js';

/** The head of a result: status, name, dataset and labels, and the other trials. */
export function ResultHead({
  page,
  view,
  wayBack,
}: {
  page: ResultPage;
  view: View;
  wayBack: WayBack;
}) {
  const { result: entry, attempts } = page;
  const { id, function: name, trial, dataset, labels, result } = entry;
  const standing = standingFrom(result);
  const usage = runUsageOf(result);
  const { data: calls } = useCalls(page.run_id, page.index, page.has_calls === true);
  const waited = calls === undefined ? 0 : waitedOf(calls.calls);
  const tries = (attempts?.length ?? 0) + 1;
  return (
    <div className={styles.head}>
      <StatusIcon standing={standing} size="title" className={styles.status} />
      <h1>
        <EvaluationName name={visibleText(name)} />
        {trial !== undefined && <i>~{trial}</i>}
      </h1>
      {trial !== undefined && <Trials page={page} trial={trial} view={view} wayBack={wayBack} />}
      <p className={styles.facts}>
        {standing !== 'passed' && standing !== 'failed' && standing !== 'error' && (
          <span>{standingText(standing)}</span>
        )}
        <span>{visibleText(dataset)}</span>
        {labels.map((label) => (
          <span key={label}>#{visibleText(label)}</span>
        ))}
        {hasReplayedLatency(result) && <span className="num">replayed</span>}
        {result.latency !== null && (
          <span className="num">
            {duration(result.latency)}
            {waited > 0 && ` · waited ${duration(waited)}`}
          </span>
        )}
        {hasCalls(usage) && (
          <>
            <span className="num">{resultBesideTaken(usage, renderResultCost)}</span>
            <span className="num">{resultBesideTaken(usage, callsText)}</span>
            {partTexts(usage).map((text) => (
              <span key={text} className="num">
                {text}
              </span>
            ))}
          </>
        )}
        {result.origin && (
          <span title="Nothing that its output depends on had changed since">
            {originVerb(result.origin.kind)}{' '}
            <a href={`/?run=${result.origin.run_id}`}>{visibleText(result.origin.run_name)}</a>
          </span>
        )}
        {result.reason !== undefined && (
          <span title={reasonMeaning}>reason: {visibleText(result.reason)}</span>
        )}
        {tries > 1 && (
          <span>
            attempt {tries} of {tries}
          </span>
        )}
        <span className={classNames('mono', styles.id)}>
          <Wrapping text={visibleText(id)} />
          <CopyButton label="Copy id" className={styles.copy} text={() => id} />
        </span>
      </p>
    </div>
  );
}
