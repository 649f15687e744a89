import { useRestart } from '../api/actions.js';
import type { Run } from '../api/client.js';
import { Banner } from '../components/banner.js';
import { Button } from '../components/button.js';

/** What there is to know of a run before reading it: files that could not be imported. */
export function Banners({ run }: { run: Run }) {
  const restart = useRestart();
  if (run.discovery_error === undefined || run.total_evaluations === 0) return null;
  return (
    <Banner
      kind="error"
      end={
        <Button small icon="rerun" disabled={restart.isPending} onClick={() => restart.mutate()}>
          Import again
        </Button>
      }
    >
      <b>Not everything could be imported.</b> {run.discovery_error}
    </Banner>
  );
}
