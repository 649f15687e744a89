import { useQueries } from '@tanstack/react-query';
import { getRowPage, type Run } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { Button } from '../../components/controls/button.js';
import { count, counted } from '../../components/figures/figures.js';
import { Empty } from '../../components/messages/empty.js';
import { filterText } from '../filters/filter-text.js';
import { useView } from '../use-view.js';
import {
  type FilterKind,
  filterKinds,
  isChosen,
  noChoice,
  renderRowQuery,
  type View,
  withChoice,
  withoutFilters,
} from '../view-state.js';

/** A part of the filter, and the view without it. */
interface Part {
  readonly kind: FilterKind | 'search';
  readonly text: string;
  readonly without: View;
}

/** The empty table: says which part of the filter has no matches. */
export function NoMatch({ run, total }: { run: Run; total: number }) {
  const [view, setView] = useView();
  const parts = partsOf(view);
  const answers = useQueries({
    queries: parts.map(({ without }) => {
      const query = renderRowQuery(without);
      return {
        queryKey: [...keys.rows(run.run_id), query, 'matches'],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
          const params = new URLSearchParams(query);
          params.set('limit', '0');
          return getRowPage(run.run_id, params, signal);
        },
      };
    }),
  });
  const useful = parts
    .map((part, n) => ({ ...part, matches: answers[n]?.data?.filtered ?? 0 }))
    .filter(({ matches }) => matches > 0);
  return (
    <div role="rowgroup">
      <div role="row">
        <div role="gridcell">
          <Empty
            title="No result matches"
            actions={
              <>
                {parts.length > 1 &&
                  useful.map(({ kind, text, without }) => (
                    <Button key={kind} onClick={() => setView(without)}>
                      Drop “{text}”
                    </Button>
                  ))}
                <Button
                  look={parts.length > 1 ? 'ghost' : 'plain'}
                  onClick={() => setView(withoutFilters)}
                >
                  Clear all filters
                </Button>
              </>
            }
          >
            <p>
              {parts.length === 1
                ? `None of ${counted(total, 'result')} matches “${parts[0]?.text}”.`
                : `No result is ${inOne(parts.map(({ text }) => `“${text}”`))}. ${useful
                    .map(({ text, matches }) => `Without “${text}” ${matching(matches)}.`)
                    .join(' ')}`}
            </p>
          </Empty>
        </div>
      </div>
    </div>
  );
}

/** `a and b`, `a, b and c` */
function inOne(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].join(' and ');
}

function matching(results: number): string {
  return results === 1 ? 'one matches' : `${count(results)} match`;
}

function partsOf(view: View): Part[] {
  const parts = filterKinds
    .filter((kind) => isChosen(view.filters[kind]))
    .map((kind): Part => {
      const { include, exclude } = view.filters[kind];
      const text = [
        include.map((value) => filterText(kind, value)).join(' or '),
        ...exclude.map((value) => `not ${filterText(kind, value)}`),
      ]
        .filter((words) => words !== '')
        .join(', ');
      return { kind, text, without: withChoice(view, kind, noChoice) };
    });
  const search: Part[] =
    view.search === ''
      ? []
      : [{ kind: 'search', text: view.search, without: { ...view, search: '' } }];
  return [...parts, ...search];
}
