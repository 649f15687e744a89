import { isNotFound, messageOf } from '../../api/problem.js';
import { Button } from '../../components/button.js';
import { Empty } from '../../components/empty.js';
import { useView } from '../use-view.js';

/** The run of the address is not there, or cannot be read. */
export function RunMissing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const [view, setView] = useView();
  return isNotFound(error) ? (
    <Empty
      isPage
      title="There is no such run"
      actions={
        <Button onClick={() => setView({ ...view, run: undefined })}>Open the active run</Button>
      }
    >
      <p>The address names {view.run}. That run may have been deleted, or lie in another folder.</p>
    </Empty>
  ) : (
    <Empty
      isPage
      title="This run cannot be read"
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      <p>{messageOf(error)}</p>
    </Empty>
  );
}
