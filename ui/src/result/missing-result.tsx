import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { getResult, getRun } from '../api/client.js';
import { keys } from '../api/keys.js';
import { isNotFound } from '../api/problem.js';
import { buttonClass } from '../components/controls/button.js';
import { Empty } from '../components/messages/empty.js';
import { NoSuchRun } from '../components/runs/no-such-run.js';
import { defaultView, type View } from '../dashboard/view-state.js';
import { tableAddress } from './navigation/addresses.js';

/** Says that the result, or its run, does not exist. */
export function MissingResult({ run, index, view }: { run: string; index: string; view: View }) {
  const [, navigate] = useLocation();
  const { data: facts, isPending } = useQuery({
    queryKey: [...keys.results(run), 'whether there are any'],
    queryFn: ({ signal }) => readFacts(run, signal),
  });
  if (isPending) return null;
  if (!facts) {
    return (
      <NoSuchRun
        names={[run]}
        actions={
          <Link href="/" className={buttonClass({ look: 'primary' })}>
            Open the dashboard
          </Link>
        }
        onPick={(id) => navigate(tableAddress({ ...defaultView, run: id }))}
      />
    );
  }
  const { name, total } = facts;
  return (
    <Empty
      isPage
      title={
        <span>
          No result <code>{index}</code> in {name}
        </span>
      }
      actions={
        <>
          <Link href={tableAddress(view)} className={buttonClass({ look: 'primary' })}>
            Open {name}
          </Link>
          <Link href="/" className={buttonClass({ look: 'ghost' })}>
            Open the dashboard
          </Link>
        </>
      }
    >
      <p>
        {total === 0
          ? 'The run has no results.'
          : total === 1
            ? 'The run has one result, 0.'
            : `The run has results 0 to ${total - 1}.`}{' '}
        It may be the link of another run.
      </p>
    </Empty>
  );
}

/** Name and size of a run; `null` if it does not exist. Reads its first result, and the run only if there is none. */
async function readFacts(run: string, signal: AbortSignal) {
  try {
    const { run_name: name, total } = await getResult(run, 0, signal);
    return { name, total };
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  try {
    const { run_name: name, total_evaluations: total } = await getRun(run, signal);
    return { name, total };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
