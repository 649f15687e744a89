import { keyPathText } from '../../settings/key-path.js';
import { isViewName, type SavedView, viewNameRule } from '../../settings/views.js';
import { json } from '../http/answer.js';
import { ProblemError } from '../http/problem.js';
import { defineRoute, type Route } from '../http/route.js';
import { done } from '../schemas/session.js';
import { renameViewBody, savedView, viewBody, viewList, viewParams } from '../schemas/views.js';
import type { Workspace } from '../workspace/workspace.js';

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
      answer: { description: 'The views.', schema: viewList },
      problems: [400],
      handle: async () => json({ views: (await workspace.readSettings()).views }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/views/{name}',
      operation: 'saveView',
      tag,
      summary: 'Saves a view in the settings file, in place of one with the same name.',
      description: 'Comments, order and other keys of the file stay. An invalid name: 400.',
      params: viewParams,
      body: viewBody,
      answer: { description: 'The view as it is now.', schema: savedView },
      problems: [507],
      handle: async ({ params: { name }, body }) => {
        if (!isViewName(name)) throw new ProblemError(400, `The name must be ${viewNameRule}.`);
        const { query, columns } = body;
        await workspace.saveSettings({ [keyOf(name)]: { query, ...(columns && { columns }) } });
        return json({ ok: true, view: await viewOf(workspace, name) });
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/views/{name}',
      operation: 'renameView',
      tag,
      summary: 'Renames a view.',
      description: 'It becomes the last one. A name that another view has: 409.',
      params: viewParams,
      body: renameViewBody,
      answer: { description: 'The view as it is now.', schema: savedView },
      problems: [409, 507],
      handle: async ({ params, body }) => {
        const { name, ...view } = await viewOf(workspace, params.name);
        if (body.name !== name) {
          const { views } = await workspace.readSettings();
          if (views.some((other) => other.name === body.name)) {
            throw new ProblemError(409, `There is already a view ${body.name}.`);
          }
          await workspace.saveSettings({ [keyOf(name)]: undefined, [keyOf(body.name)]: view });
        }
        return json({ ok: true, view: await viewOf(workspace, body.name) });
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
      problems: [400, 507],
      handle: async ({ params }) => {
        const { name } = await viewOf(workspace, params.name);
        await workspace.saveSettings({ [keyOf(name)]: undefined });
        return json({ ok: true });
      },
    }),
  ];
}

function keyOf(name: string): string {
  return keyPathText(['views', name]);
}

/** Error: 404 for a view that does not exist. */
async function viewOf(workspace: Workspace, name: string): Promise<SavedView> {
  const { views } = await workspace.readSettings();
  const found = views.find((view) => view.name === name);
  if (found === undefined) throw new ProblemError(404, `There is no view ${name}.`);
  return found;
}
