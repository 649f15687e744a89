import type { RowSummary } from '../../api/schema.js';
import { count, counted, rateText } from '../../components/figures/figures.js';

type Trials = NonNullable<RowSummary['trials']>;
type AtK = Trials['trial_statistics']['by_k'][number];

/** pass@k and pass^k of the cases in the view. */
export function TrialFigures({ trials, isGraded }: { trials: Trials; isGraded: boolean }) {
  const { flaky, by_k } = trials.trial_statistics;
  const most = by_k.at(-1);
  if (!isGraded || most === undefined) {
    return (
      <>
        <b>pass@{trials.trials}</b> – no verdict
      </>
    );
  }
  return (
    <>
      <span title={by_k.map(hintOf).join('\n')}>
        <b>pass@{most.k}</b> {rateText(most.pass_at.estimate)}, <b>pass^{most.k}</b>{' '}
        {rateText(most.pass_all.estimate)}
        {ofText(most)}
      </span>
      , <b>{count(flaky)}</b> flaky
    </>
  );
}

/** Number of cases with at least k judged trials, which both figures cover. */
function ofText({ n }: AtK): string {
  return ` of ${counted(n, 'case')}`;
}

/** `pass@3 67 % (9 cases), pass^3 33 %`, for a hint. */
function hintOf(at: AtK): string {
  const { k, pass_at, pass_all } = at;
  return `pass@${k} ${rateText(pass_at.estimate)}, pass^${k} ${rateText(pass_all.estimate)}${ofText(at)}`;
}
