import { Link } from 'wouter';
import { useSessionRuns } from '../api/queries.js';
import { buttonClass } from '../components/controls/button.js';
import { promptsHref } from './prompts-view.js';

/** Leads to what of the requests differs from the run before, of the same config; nothing without one. */
export function PromptsBefore({ run, session }: { run: string; session: string }) {
  const { data: runs = [] } = useSessionRuns(session);
  const at = runs.findIndex(({ run_id }) => run_id === run);
  const config = runs[at]?.config_name;
  const before = runs.slice(at + 1).find(({ config_name }) => at >= 0 && config_name === config);
  if (before === undefined) return null;
  return (
    <Link
      href={promptsHref([before.run_id, run])}
      className={buttonClass({ look: 'ghost', small: true })}
      title={`What of the requests differs from ${before.run_name}`}
    >
      Compare prompts
    </Link>
  );
}
