import { useQuery } from '@tanstack/react-query';
import { getRowGroups } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import type { RowGroups } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { changeText, verdictOf, wholeText } from '../../components/figures/difference-text.js';
import styles from './group-line.module.css';

interface GroupChangeProps {
  readonly run: string;
  /** The id of the run before. */
  readonly base: string;
  /** What rows are grouped by. */
  readonly by: string;
  /** The key of the group. */
  readonly of: string;
}

/** The difference of the pass rate of a group from the run before: `▼ −9.6`, grey if it may be chance. */
export function GroupChange({ run, base, by, of }: GroupChangeProps) {
  const { data: groups } = useQuery({
    queryKey: keys.groupChanges(run, base, by),
    queryFn: ({ signal }) =>
      getRowGroups(run, new URLSearchParams({ by, sort: 'results', order: 'desc' }), signal),
  });
  if (!groups?.previous) return null;
  const { text, hint, verdict } = changeOf(groups, groups.previous, of);
  return (
    <span className={classNames(styles.change, verdict && styles[verdict])} title={hint}>
      {text}
      <span className="sr"> since {groups.previous.run_name}</span>
    </span>
  );
}

interface Change {
  readonly text: string;
  readonly hint: string;
  readonly verdict: 'better' | 'worse' | undefined;
}

function changeOf(
  { groups }: RowGroups,
  { run_name, not_compared: why }: NonNullable<RowGroups['previous']>,
  of: string,
): Change {
  const none = (reason: string): Change => ({
    text: '–',
    hint: `Not compared with ${run_name}: ${reason}`,
    verdict: undefined,
  });
  if (why !== undefined) return none(why);
  const difference = groups.find(({ key }) => key === of)?.difference;
  if (difference === undefined) return none('the group is not among the largest ones');
  if (difference.difference === null) return none('no case of it has a verdict in both runs');
  const untested = difference.p === null ? ', too few pairs for a test' : '';
  return {
    text: changeText(difference, 'ratio'),
    hint: `Since ${run_name}, all results: ${wholeText(difference, 'ratio')}${untested}`,
    verdict: verdictOf(difference),
  };
}
