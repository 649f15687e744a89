import { z } from 'zod';
import {
  isViewName,
  longestViewQuery,
  mostViewColumns,
  viewNameRule,
} from '../../settings/views.js';
import { ok } from './basic-values.js';

const viewName = z.string().refine(isViewName, { error: `must be ${viewNameRule}` });

/** The name of a view in a path. */
export const viewParams = z.object({ name: z.string() });

const query = z.string().max(longestViewQuery).meta({
  description: 'Filters, search, sorting and grouping, as in the address of the dashboard.',
});

const columns = z.array(z.string()).max(mostViewColumns).optional().meta({
  description:
    'The visible columns in order: `input`, `output`, `score:KEY`, `field:metadata.KEY` and others. Missing: as the browser has them.',
});

const view = z.object({ name: z.string(), query, columns }).meta({ id: 'View' });

/** All views of the settings file. */
export const viewList = z.object({ views: z.array(view) }).meta({ id: 'ViewList' });

/** A view to save, under the name in the path. */
export const viewBody = z
  .object({
    query,
    columns,
    replaces: z.object({ query, columns }).nullable().optional().meta({
      description:
        'The view of this name as you know it, `null` if you know none. If it is another one by now, nothing is saved (409). Missing: replaces any.',
    }),
  })
  .meta({ id: 'ViewRequest' });

/** The new name of a view. */
export const renameViewBody = z.object({ name: viewName }).meta({ id: 'RenameViewRequest' });

/** Answer of saving or renaming a view. */
export const savedView = z.object({ ok, view }).meta({ id: 'SavedView' });
