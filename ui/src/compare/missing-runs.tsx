import { isNotFound, messageOf } from '../api/problem.js';
import { Button } from '../components/button.js';
import { Empty } from '../components/empty.js';
import { useCompareView } from './use-compare-view.js';
import { withRuns } from './view-state.js';

/** Says which runs of the address cannot be read, and goes on without them. */
export function MissingRuns({
  runs,
  errors,
}: {
  runs: readonly string[];
  /** Why each of them cannot be read, if so. */
  errors: readonly (Error | null)[];
}) {
  const [, setView] = useCompareView();
  const bad = runs.filter((_, n) => errors[n]);
  const first = errors.find((error) => error !== null);
  const rest = runs.filter((run) => !bad.includes(run));
  const isGone = errors.every((error) => error === null || isNotFound(error));
  const names = bad.join(', ');
  return (
    <Empty
      title={
        isGone
          ? bad.length === 1
            ? 'There is no such run'
            : 'There are no such runs'
          : 'A run cannot be read'
      }
      actions={
        <Button look="primary" onClick={() => setView((view) => withRuns(view, rest))}>
          {rest.length === 0 ? 'Choose runs' : 'Go on without'}
        </Button>
      }
    >
      <p>
        {isGone
          ? `The address names ${names}. It may have been deleted, or lie in another folder.`
          : `${names}: ${messageOf(first)}`}
      </p>
    </Empty>
  );
}
