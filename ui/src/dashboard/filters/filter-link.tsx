import { createContext, type ReactNode, useContext } from 'react';
import { Link, useLocation } from 'wouter';
import { resultFieldText } from '../../../../src/model/result-field.js';
import { useView } from '../use-view.js';
import { defaultView, renderView, type View, withChoice, withCondition } from '../view-state.js';
import styles from './filter-link.module.css';

/** A field of results; `tool` and `model`: what their calls have used. */
type Field = 'dataset' | 'label' | 'tool' | 'model' | { readonly metadata: string };

/** The run whose results the links of values below filter; without one, values are no links. */
export const FilteredRun = createContext<string | undefined>(undefined);

/** A value of a result; a click filters the table by it, beside what it is filtered by. */
export function FilterLink({
  by,
  value,
  children,
}: {
  by: Field;
  value: unknown;
  children: ReactNode;
}) {
  const [view] = useView();
  const [path] = useLocation();
  const run = useContext(FilteredRun);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (run === undefined) return children;
  // Other pages have queries of their own.
  const hasView = path === '/' || path.includes('/results/');
  const next = filteredBy({ ...(hasView ? view : defaultView), run }, by, text);
  if (next === undefined) return children;
  return (
    <Link href={`/${renderView(next)}`} className={styles.link} title="Filter by it">
      {children}
    </Link>
  );
}

/** The view with this filter; longer values, and those with space around them, cannot be asked for. */
function filteredBy(view: View, by: Field, text: string): View | undefined {
  if (by === 'dataset' || by === 'label') {
    return withChoice(view, by, { include: [text], exclude: [] });
  }
  if (text.length > 200 || text.trim() !== text) return undefined;
  if (by === 'tool' || by === 'model') return withCondition(view, `${by}=${text}`);
  const field = resultFieldText({ of: 'metadata', path: [by.metadata] });
  return withCondition(view, `${field}=${text === 'null' ? '' : text}`);
}
