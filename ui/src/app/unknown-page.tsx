import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useRun } from '../api/queries.js';
import { Bar } from '../components/controls/bar.js';
import { Button, buttonClass } from '../components/controls/button.js';
import { Kbd } from '../components/controls/kbd.js';
import { Empty } from '../components/messages/empty.js';
import { useShortcut } from './shortcuts.js';

/** The page of an address that has none. */
export function UnknownPage() {
  const [path] = useLocation();
  const [, run] = /^\/runs\/([^/]+)/.exec(path) ?? [];
  const back = () => history.back();
  useShortcut('back', back);
  useEffect(() => {
    document.title = 'No such page · assay';
  }, []);
  return (
    <>
      <Bar>{null}</Bar>
      <main>
        <Empty
          isPage
          title={
            <span>
              No page at <code>{path}</code>
            </span>
          }
          actions={
            <>
              {run === undefined ? <Dashboard /> : <RunOfPath run={run} />}
              <Button look="ghost" onClick={back}>
                Back <Kbd>esc</Kbd>
              </Button>
            </>
          }
        >
          <p>
            The pages are the dashboard, results and reviews of its runs, comparisons, matrices, and
            workers.
          </p>
        </Empty>
      </main>
    </>
  );
}

function Dashboard() {
  return (
    <Link href="/" className={buttonClass({ look: 'primary' })}>
      Open the dashboard
    </Link>
  );
}

/** The run in an address, if it exists. `run`: as in the address. */
function RunOfPath({ run }: { run: string }) {
  const { data, isPending } = useRun(run);
  if (isPending) return null;
  if (data === undefined) return <Dashboard />;
  return (
    <Link
      href={`/?run=${encodeURIComponent(data.run_id)}`}
      className={buttonClass({ look: 'primary' })}
    >
      Open {data.run_name}
    </Link>
  );
}
