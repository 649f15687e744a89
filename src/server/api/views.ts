import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { RenamedKey } from '../../settings/edit-yaml.js';
import { keyPathText } from '../../settings/key-path.js';
import {
  isViewName,
  longestViewQuery,
  mostViewColumns,
  readViews,
  type SavedView,
  type ViewDocument,
  viewFields,
  viewNameRule,
} from '../../settings/views.js';
import { ProblemError } from '../http/problem.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { Workspace } from '../workspace/workspace.js';
import { done } from './sessions.js';
import { ok } from './values.js';

const tag = 'Settings';

/** Reads and writes the saved views of the dashboard, which are in the settings file. */
export function viewRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/views',
      operation: 'listViews',
      tag,
      summary: 'The saved views of the dashboard, in the order of the settings file.',
      answer: {
        description: 'The views.',
        schema: z.object({ views: z.array(view) }).meta({ id: 'ViewList' }),
      },
      problems: [400],
      handle: async () => json({ views: (await workspace.readSettings()).views }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/views/{name}',
      operation: 'saveView',
      tag,
      summary: 'Saves a view in the settings file, in place of one with the same name.',
      description:
        'Comments, order, other views and other keys of the file stay. An invalid name: 400. `replaces` keeps what somebody else saved under the name: 409.',
      params: viewParams,
      body: viewBody,
      answer: { description: 'The view as it is now.', schema: savedView },
      problems: [409, 507],
      handle: async ({ params: { name }, body }) => {
        if (!isViewName(name)) throw new ProblemError(400, `The name must be ${viewNameRule}.`);
        const { replaces, ...view } = body;
        const settings = await workspace.saveSettings((current) => {
          if (replaces !== undefined) checkReplaced(name, readViews(current), replaces);
          return Object.fromEntries(
            viewFields.map((field) => [keyPathText(['views', name, field]), view[field]]),
          );
        });
        return json({ ok: true, view: viewOf(settings.views, name) });
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/views/{name}',
      operation: 'renameView',
      tag,
      summary: 'Renames a view.',
      description: 'It keeps its place and its comments. A name that another view has: 409.',
      params: viewParams,
      body: renameViewBody,
      answer: { description: 'The view as it is now.', schema: savedView },
      problems: [404, 409, 507],
      handle: async ({ params: { name }, body: { name: to } }) => {
        const settings = await workspace.saveSettings((current) => {
          const views = readViews(current);
          viewOf(views, name);
          if (to === name) return {};
          if (views.some((other) => other.name === to)) {
            throw new ProblemError(409, `There is already a view ${to}.`);
          }
          return { [keyOf(name)]: new RenamedKey(to) };
        });
        return json({ ok: true, view: viewOf(settings.views, to) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/views/{name}',
      operation: 'deleteView',
      tag,
      summary: 'Deletes a view.',
      params: viewParams,
      answer: { description: 'The view is gone.', schema: done },
      problems: [400, 404, 507],
      handle: async ({ params }) => {
        await workspace.saveSettings((current) => {
          const { name } = viewOf(readViews(current), params.name);
          return { [keyOf(name)]: undefined };
        });
        return json({ ok: true });
      },
    }),
  ];
}

function keyOf(name: string): string {
  return keyPathText(['views', name]);
}

/** Error: 404 for a view that does not exist. */
function viewOf(views: readonly SavedView[], name: string): SavedView {
  const found = views.find((view) => view.name === name);
  if (found === undefined) throw new ProblemError(404, `There is no view ${name}.`);
  return found;
}

/** Error: 409 if the view is not the one that a client wants to replace. */
function checkReplaced(
  name: string,
  views: readonly SavedView[],
  known: ViewDocument | null,
): void {
  const now = views.find((view) => view.name === name);
  if (
    isDeepStrictEqual(
      viewFields.map((field) => now?.[field]),
      viewFields.map((field) => known?.[field]),
    )
  )
    return;
  const [what, why] =
    now === undefined
      ? ['deleted', 'bring it back']
      : [known === null ? 'saved' : 'changed', 'replace it'];
  throw new ProblemError(
    409,
    `The view ${name} was ${what} elsewhere meanwhile. Nothing is saved: save again to ${why}, or choose another name.`,
  );
}

const viewName = z.string().refine(isViewName, { error: `must be ${viewNameRule}` });

/** The name of a view in a path. */
const viewParams = z.object({ name: z.string() });

const query = z.string().max(longestViewQuery).meta({
  description: 'Filters, search, sorting and grouping, as in the address of the dashboard.',
});

const columns = z.array(z.string()).max(mostViewColumns).optional().meta({
  description:
    'The visible columns in order: `input`, `output`, `score:KEY`, `field:metadata.KEY` and others. Missing: as the browser has them.',
});

const view = z.object({ name: z.string(), query, columns }).meta({ id: 'View' });

/** A view to save, under the name in the path. */
const viewBody = z
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
const renameViewBody = z.object({ name: viewName }).meta({ id: 'RenameViewRequest' });

const savedView = z.object({ ok, view }).meta({ id: 'SavedView' });
