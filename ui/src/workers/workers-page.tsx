import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { getWorkers, type ListedWorkers } from '../api/client.js';
import { keys } from '../api/keys.js';
import { useShortcut } from '../app/shortcuts.js';
import { flipTheme } from '../app/theme.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { IconButton } from '../components/controls/button.js';
import { count, counted } from '../components/figures/figures.js';
import { RelativeTime } from '../components/figures/time.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import styles from './workers-page.module.css';

/** Milliseconds between two looks at the workers, of which the server has no events. */
const lookEveryMs = 2_000;

/** The machines that run evaluations, and the runs in their queues. */
export function WorkersPage() {
  const [, navigate] = useLocation();
  useShortcut('back', () => navigate('/'));
  useEffect(() => {
    document.title = 'Workers · assay';
  }, []);
  const { data, error, refetch } = useQuery({
    queryKey: keys.workers,
    queryFn: ({ signal }) => getWorkers(signal),
    refetchInterval: lookEveryMs,
    staleTime: 0,
  });
  return (
    <>
      <Bar>
        <BackLink href="/" />
        <Slash />
        <span>workers</span>
        <BarSpace />
        {data?.redis && <code className={`quiet cut ${styles.redis}`}>{data.redis}</code>}
        <BarTools>
          <IconButton icon="theme" label="Theme" onClick={flipTheme} />
        </BarTools>
      </Bar>
      <main>
        {error ? (
          <Unreadable
            isPage
            title="The workers cannot be read"
            error={error}
            onRetry={() => void refetch()}
          />
        ) : (
          data && <Content list={data} />
        )}
      </main>
    </>
  );
}

function Content({ list }: { list: ListedWorkers }) {
  const { redis, workers, runs } = list;
  if (redis === null) {
    return (
      <Empty isPage title="No workers: evaluations run on this machine">
        <p>
          To run them on others, start the server with <code>assay serve --redis URL</code>.
        </p>
      </Empty>
    );
  }
  if (workers.length === 0) {
    return (
      <Empty isPage title="No worker is there yet">
        <p>
          Runs wait until one comes. Start one in a checkout of this code:{' '}
          <code>assay worker --redis {redis}</code>
        </p>
      </Empty>
    );
  }
  const here = workers.filter((one) => !one.is_lost);
  const lost = workers.length - here.length;
  const slots = here.reduce((sum, one) => sum + one.slots, 0);
  const busy = here.reduce((sum, one) => sum + one.busy, 0);
  return (
    <>
      <div className={styles.summary}>
        <h1>{counted(here.length, 'worker')}</h1>
        <span className="quiet">
          {count(busy)} of {counted(slots, 'slot')} busy
        </span>
        {lost > 0 && <span className="quiet">{count(lost)} lost</span>}
      </div>
      {runs.length > 0 && <Runs runs={runs} />}
      <WorkersTable workers={workers} />
    </>
  );
}

function Runs({ runs }: { runs: ListedWorkers['runs'] }) {
  return (
    <ul className={styles.runs} aria-label="Runs">
      {runs.map((run) => (
        <li key={run.run_id}>
          <Link href={`/?run=${encodeURIComponent(run.run_id)}`} className="cut">
            {run.run_name}
          </Link>
          <span className="quiet">
            {counted(run.jobs_waiting, 'job')} waiting, {count(run.jobs_active)} running
            {run.is_paused && ', paused'}
            {run.is_silent && ', its coordinator is silent'}
            {run.not_offered.map((name) => `, no worker offers ${name}`)}
          </span>
        </li>
      ))}
    </ul>
  );
}

type Worker = ListedWorkers['workers'][number];

/** One row per worker. */
function WorkersTable({ workers }: { workers: readonly Worker[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>Worker</th>
          <th>Slots</th>
          <th>Running</th>
          <th className={styles.wide}>Offers</th>
          <th>Code</th>
          <th className={`${styles.number} ${styles.wide}`}>Done</th>
          <th className={styles.seen}>Last seen</th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <Row key={worker.name} worker={worker} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ worker }: { worker: Worker }) {
  const { name, host, pid, offers, code, assay, finished, is_lost, busy, last_seen } = worker;
  return (
    <tr data-lost={is_lost}>
      <th scope="row" title={`${name}: process ${pid} on ${host}`}>
        <span className={styles.name}>
          <StatusIcon
            standing={is_lost ? 'cancelled' : busy > 0 ? 'running' : 'not_started'}
            label={null}
          />
          <span className="cut">{name}</span>
        </span>
      </th>
      <td>
        <Slots worker={worker} />
      </td>
      <td className={styles.running}>
        <Running worker={worker} />
      </td>
      <td className={`${styles.wide} cut`}>{offers.join(', ')}</td>
      <td className="mono" title={`assay ${assay}`}>
        {code ?? '–'}
      </td>
      <td className={`${styles.number} ${styles.wide}`}>{count(finished)}</td>
      <td className={styles.seen}>
        <RelativeTime at={last_seen} />
      </td>
    </tr>
  );
}

function Slots({ worker: { busy, slots, is_lost } }: { worker: Worker }) {
  if (is_lost) return <>lost</>;
  return (
    <span className={styles.slots}>
      <span className={styles.of}>
        {count(busy)} of {count(slots)}
      </span>
      <meter className={styles.meter} value={busy} max={slots} aria-hidden="true" />
    </span>
  );
}

/** What runs, or why nothing does. */
function Running({ worker }: { worker: Worker }) {
  const { running, busy, refused, runs, is_lost } = worker;
  if (is_lost) return busy > 0 && <span className="quiet">others take its evaluations</span>;
  const [first] = running;
  const [refusal] = refused;
  if (first !== undefined) {
    return (
      <span className={styles.ids} title={running.join('\n')}>
        <span className="mono cut">{first}</span>
        {busy > 1 && <span className="quiet">{count(busy - 1)} more</span>}
      </span>
    );
  }
  if (refusal !== undefined && runs.length === 0) {
    return (
      <>
        refuses {refusal.run}: {refusal.reason}
      </>
    );
  }
  return null;
}
