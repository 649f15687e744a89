import { useQuery } from '@tanstack/react-query';
import { getRowPage } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { messageOf } from '../../api/problem.js';
import { useViews } from '../../api/queries.js';
import { MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { count } from '../../components/figures/figures.js';
import { filterText } from '../filters/filter-text.js';
import { useColumns } from '../table/columns/column-store.js';
import { useView } from '../use-view.js';
import { filterKinds, parseView, renderRowQuery, type View } from '../view-state.js';
import { isEdited, type ListedView, openedView, plainView, type ViewDialog } from './saved-view.js';
import { useOpenView } from './use-open-view.js';
import styles from './view-items.module.css';

/** The menu of views: opens one, and saves, renames or deletes the open one. */
export function ViewItems({ run, onAsk }: { run: string; onAsk: (dialog: ViewDialog) => void }) {
  const { data: views, error } = useViews();
  const [view, setView] = useView();
  const columns = useColumns();
  const open = useOpenView(run);
  const current = views?.find(({ name }) => name === view.saved);
  const edited = current !== undefined && isEdited(current, view, columns);
  return (
    <>
      {error && <MenuCaption>{messageOf(error)}</MenuCaption>}
      {views?.length === 0 && <MenuCaption>No view is saved yet</MenuCaption>}
      {views?.map((saved) => (
        <MenuItem
          key={saved.name}
          current={saved === current}
          note={wordsOf(parseView(saved.query))}
          onClick={() => void open(saved)}
        >
          <span className={styles.line}>
            <span className="cut">{saved.name}</span>
            <Matches run={run} saved={saved} />
          </span>
        </MenuItem>
      ))}
      <MenuLine />
      {edited && (
        <MenuItem needsServer keys="v" onClick={() => onAsk('save')}>
          Save changes to “{current.name}”
        </MenuItem>
      )}
      {edited && <MenuItem onClick={() => void open(current)}>Discard changes</MenuItem>}
      <MenuItem needsServer {...(current ? {} : { keys: 'v' })} onClick={() => onAsk('save as')}>
        Save as new view…
      </MenuItem>
      {current && (
        <>
          <MenuItem needsServer onClick={() => onAsk('rename')}>
            Rename “{current.name}”…
          </MenuItem>
          <MenuItem needsServer danger onClick={() => onAsk('delete')}>
            Delete “{current.name}”…
          </MenuItem>
          <MenuLine />
          <MenuItem onClick={() => setView((now) => plainView(now.run))}>All results</MenuItem>
        </>
      )}
    </>
  );
}

/** The number of results that a view matches now. */
function Matches({ run, saved }: { run: string; saved: ListedView }) {
  const query = renderRowQuery({ ...openedView(saved, undefined), by: undefined });
  const { data } = useQuery({
    queryKey: [...keys.rows(run), query, 'matches'],
    queryFn: ({ signal }) => {
      const params = new URLSearchParams(query);
      params.set('limit', '0');
      return getRowPage(run, params, signal);
    },
  });
  return <span className={styles.matches}>{data && count(data.filtered)}</span>;
}

/** A view in words: `failed, tone, by dataset`. */
function wordsOf(view: View): string {
  const { filters, search, by, sort } = view;
  const words = filterKinds.flatMap((kind) => [
    ...filters[kind].include.map((value) => filterText(kind, value)),
    ...filters[kind].exclude.map((value) => `not ${filterText(kind, value)}`),
  ]);
  if (search !== '') words.push(`“${search}”`);
  if (by !== undefined) words.push(`by ${by}`);
  if (sort !== 'index') words.push(`sorted by ${sort.replace(/^\w+:/, '')}`);
  const shown = words.slice(0, mostWords);
  if (words.length > mostWords) shown.push(`${words.length - mostWords} more`);
  return shown.length === 0 ? 'everything' : shown.join(', ');
}

/** Parts of a view in its description. */
const mostWords = 5;
