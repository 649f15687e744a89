import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { resultFieldText } from '../../../../src/model/result-field.js';
import { useView } from '../use-view.js';
import { renderView, withChoice, withCondition } from '../view-state.js';
import styles from './filter-link.module.css';

/** A value of a result of a run; a click filters the table by it, beside what it is filtered by. */
export function FilterLink({
  run,
  by,
  value,
  children,
}: {
  run: string;
  by: 'dataset' | 'label' | { readonly metadata: string };
  value: unknown;
  children: ReactNode;
}) {
  const [view] = useView();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const condition = typeof by === 'string' ? text : conditionFor(by.metadata, text);
  if (condition === undefined) return children;
  const now = { ...view, run };
  const next =
    typeof by === 'string'
      ? withChoice(now, by, { include: [condition], exclude: [] })
      : withCondition(now, condition);
  return (
    <Link href={`/${renderView(next)}`} className={styles.link} title="Filter by it">
      {children}
    </Link>
  );
}

/** Longer values, and those with space around them, cannot be asked for. */
function conditionFor(key: string, text: string): string | undefined {
  if (text.length > 200 || text.trim() !== text) return undefined;
  return `${resultFieldText({ of: 'metadata', path: [key] })}=${text === 'null' ? '' : text}`;
}
