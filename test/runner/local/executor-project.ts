import type { LocalExecutorOptions } from '../../../dist/runner/executor.js';
import type { Project } from '../../helpers/project.js';

/** Two evaluations whose output is the process that ran them. */
export const good = `
import { evaluation } from 'assay';
export const one = evaluation({ input: { n: 1n }, reference: 'r', metadata: { m: new Date(0) } }, (ctx) => { ctx.output = process.pid; });
export const two = evaluation({}, (ctx) => { ctx.output = process.pid; });
`;

/** Options of an executor for a project, whose processes the project finds. */
export function optionsOf(
  project: Project,
  more: Partial<LocalExecutorOptions>,
): LocalExecutorOptions {
  const { PATH, HOME } = process.env;
  return {
    cwd: project.folder,
    env: { PATH, HOME, PROJECT_UNDER_TEST: project.folder },
    addedEnv: {},
    concurrency: 4,
    workers: 1,
    streamLogs: false,
    calls: { capture: 'full' },
    redact: (text) => text,
    onPrint: () => undefined,
    onWarning: () => undefined,
    ...more,
  };
}

export function filesOf(project: Project, ...names: readonly string[]) {
  return names.map((name) => ({ name, path: project.path(name) }));
}
