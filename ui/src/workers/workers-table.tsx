import type { ListedWorkers } from '../api/client.js';
import { count } from '../components/figures/figures.js';
import { RelativeTime } from '../components/figures/time.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import styles from './workers-table.module.css';

type Worker = ListedWorkers['workers'][number];

/** One row per worker. */
export function WorkersTable({ workers }: { workers: readonly Worker[] }) {
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
