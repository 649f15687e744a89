import { isObject } from '../model/json.js';
import { didYouMean } from '../text/near-names.js';
import type { Fault, ValuePath } from './settings-error.js';

/** A view of the dashboard, saved under a name. */
export interface SavedView {
  readonly name: string;
  /** Filters, search, sorting and grouping, as in the address of the dashboard. */
  readonly query: string;
  /** The visible columns in order; absent: as the browser has them. */
  readonly columns?: readonly string[];
}

/** A view in a checked settings file. */
export interface ViewDocument {
  readonly query?: string | null | undefined;
  readonly columns?: readonly string[] | null | undefined;
}

/** The views of a checked settings file. */
interface ViewsDocument {
  readonly views?: Readonly<Record<string, ViewDocument | null>> | null | undefined;
}

/** The parts of a view. */
export const viewFields = ['query', 'columns'] as const satisfies readonly (keyof ViewDocument)[];

/** Maximum characters of a query. */
export const longestViewQuery = 8000;
/** Maximum columns of a view. */
export const mostViewColumns = 200;

/** What the name of a view has to be, for errors. */
export const viewNameRule = '1 to 100 printable characters without " and without spaces around it';

/** True for a valid name of a view. `.` and `..` cannot be part of an address. */
export function isViewName(name: string): boolean {
  if (['__proto__', 'constructor', 'prototype', '.', '..'].includes(name)) return false;
  return name.trim() === name && /^[^\p{C}"]{1,100}$/u.test(name);
}

/** Faults of the view `name`. */
export function viewFaults(name: string, view: unknown, path: ValuePath): Fault[] {
  if (!isViewName(name)) return [{ path, text: `needs a name of ${viewNameRule}` }];
  if (view === null) return [];
  if (!isObject(view)) {
    return [{ path, text: 'must be a list of key: value, such as query: status=failed' }];
  }
  return Object.entries(view).flatMap(([field, value]): Fault[] => {
    const at = [...path, field];
    if (field === 'query') return queryFaults(value, at);
    if (field === 'columns') return columnsFaults(value, at);
    const hint = didYouMean(field, viewFields) ?? `It has ${viewFields.join(' and ')}.`;
    return [{ path: at, text: `is not part of a view. ${hint}`, isAboutKey: true }];
  });
}

function queryFaults(value: unknown, path: ValuePath): Fault[] {
  const isFine = value === null || (typeof value === 'string' && value.length <= longestViewQuery);
  const text = `must be text of at most ${longestViewQuery} characters, such as status=failed`;
  return isFine ? [] : [{ path, text }];
}

function columnsFaults(value: unknown, path: ValuePath): Fault[] {
  const isFine =
    value === null ||
    (Array.isArray(value) &&
      value.length <= mostViewColumns &&
      value.every((column) => typeof column === 'string'));
  return isFine ? [] : [{ path, text: 'must be a list of columns, such as [output, scores]' }];
}

/** The views of a checked settings file, in order. */
export function readViews({ views }: ViewsDocument): SavedView[] {
  return Object.entries(views ?? {}).map(([name, view]) => ({
    name,
    query: view?.query ?? '',
    ...(view?.columns && { columns: view.columns }),
  }));
}
