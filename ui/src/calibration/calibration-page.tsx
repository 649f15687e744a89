import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { keys } from '../api/keys.js';
import { isNotFound } from '../api/problem.js';
import { call } from '../api/request.js';
import { isReport } from '../app/report-mode.js';
import { useShortcut } from '../app/shortcuts.js';
import { flipTheme } from '../app/theme.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { buttonClass, IconButton } from '../components/controls/button.js';
import { Icon } from '../components/icons/icon.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { LoadingShapes } from '../components/messages/loading-shapes.js';
import { NoSuchRun } from '../components/runs/no-such-run.js';
import { calibrationAddress } from '../result/addresses.js';
import { visibleText } from '../result/values/visible-text.js';
import type { CalibrationAnswer } from './calibration.js';
import styles from './calibration-page.module.css';
import { Disagreements } from './disagreements.js';
import { JudgeRates } from './judge-rates.js';
import { JudgeTable } from './judge-table.js';
import { ReviewLink } from './review-link.js';
import { leadOf } from './words.js';

/** The calibration of the judges of a run, by the labels of people. */
export function CalibrationPage({ runId }: { runId: string }) {
  const [, navigate] = useLocation();
  const back = `/?run=${encodeURIComponent(runId)}`;
  useShortcut('back', () => navigate(back));
  const { data, error, refetch } = useQuery({
    queryKey: keys.calibration(runId),
    queryFn: ({ signal }) =>
      call('get', '/api/runs/{run_id}/calibration', { path: { run_id: runId }, signal }),
    // Labels that were given meanwhile, here or elsewhere, count.
    refetchOnMount: 'always',
  });
  const name = data?.run_name;
  useEffect(() => {
    document.title = name === undefined ? 'Calibration · assay' : `Calibration · ${name} · assay`;
  }, [name]);
  return (
    <>
      <CalibrationBar run={runId} name={name} back={back} />
      <main className={styles.page}>
        {data ? (
          <Calibrated of={data} />
        ) : error === null ? (
          <LoadingShapes what="the calibration">
            <div className={styles.shapes} />
          </LoadingShapes>
        ) : isNotFound(error) ? (
          <NoSuchRun
            names={[runId]}
            actions={
              <Link href="/" className={buttonClass({ look: 'primary' })}>
                Open the dashboard
              </Link>
            }
            onPick={(id) => navigate(calibrationAddress(id))}
          />
        ) : (
          <Unreadable
            isPage
            title="The calibration cannot be read"
            error={error}
            onRetry={() => void refetch()}
          />
        )}
      </main>
    </>
  );
}

function CalibrationBar({
  run,
  name,
  back,
}: {
  run: string;
  name: string | undefined;
  back: string;
}) {
  return (
    <Bar>
      <BackLink href={back} />
      {name !== undefined && (
        <>
          <Slash className={styles.wide} />
          <span className={`quiet cut ${styles.wide}`}>{visibleText(name)}</span>
        </>
      )}
      <Slash className={styles.wide} />
      <span>calibration</span>
      <BarSpace />
      <BarTools>
        {!isReport && (
          <a
            href={`/api/runs/${encodeURIComponent(run)}/labels?format=csv`}
            download
            className={buttonClass({ look: 'ghost' }, true)}
            aria-label="Export labels"
            title="Export labels"
          >
            <Icon name="export" />
          </a>
        )}
        <IconButton icon="theme" label="Theme" className={styles.wide} onClick={flipTheme} />
      </BarTools>
      <ReviewLink run={run} isButton>
        Review more
      </ReviewLink>
    </Bar>
  );
}

function Calibrated({ of }: { of: CalibrationAnswer }) {
  const { judges, run_id: run, disagreements } = of;
  if (judges.length === 0) {
    return (
      <Empty
        isPage
        title="Nobody has labelled results yet"
        actions={
          <ReviewLink run={run} isButton>
            Review results
          </ReviewLink>
        }
      >
        <p>Labels of results drawn at random tell how far the judges can be trusted.</p>
      </Empty>
    );
  }
  return (
    <>
      <h1>How far the judges can be trusted</h1>
      <p className={styles.lead}>{judges.map((judge, n) => withSpace(leadOf(judge, judges), n))}</p>
      <JudgeTable of={of} />
      <div className={styles.rates}>
        {judges.map((judge) => (
          <JudgeRates key={`${judge.key} ${judge.rubric_version}`} judge={judge} of={of} />
        ))}
      </div>
      <p className={styles.how}>
        Corrected: what people said where they labelled, and the judge’s verdicts elsewhere with its
        mistakes taken out (prediction-powered inference). Only labels of results drawn at random
        count, by version of the rubric; with fewer than 20 passes or 20 fails nothing is told.
      </p>
      {disagreements.length > 0 && <Disagreements run={run} all={disagreements} judges={judges} />}
    </>
  );
}

const withSpace = (text: ReactNode, n: number) => <span key={n}>{text} </span>;
