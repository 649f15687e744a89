import { createHash } from 'node:crypto';
import type { ExportOptions } from '../../exporters/exporter.js';
import { type ExportFormat, findExporter } from '../../exporters/index.js';
import { renderRunJson } from '../../exporters/json.js';
import type { StoredRun } from '../../store/stored-run.js';
import { leftOutText } from '../../text/usage-text.js';
import type { TextAnswer } from '../http/answer.js';
import type { Workspace } from '../workspace/workspace.js';

/** Run JSON with the additional fields of the API. */
export function runDataAnswer(workspace: Workspace, run: StoredRun): TextAnswer {
  const snapshot = run.snapshot();
  const extra = {
    score_chips: snapshot.scoreChips,
    eval_path: snapshot.head.path,
    ...(run.runId === workspace.activeId ? activeFields(workspace, run) : {}),
  };
  return {
    kind: 'text',
    contentType: findExporter('json').contentType,
    pieces: renderRunJson(snapshot, { extra }),
    version: versionWith(run, [snapshot.head.state, extra]),
  };
}

/** A run as a download, byte for byte the same as from the command line. */
export function exportAnswer(
  run: StoredRun,
  format: ExportFormat,
  options: Pick<ExportOptions, 'raw' | 'calls'> = {},
): TextAnswer {
  const { contentType, extension, render, leftOut } = findExporter(format);
  const snapshot = run.snapshot();
  return {
    kind: 'text',
    contentType,
    pieces: render(snapshot, options),
    fileName: `${run.runId}.${extension}`,
    leftOut: leftOutText(leftOut?.(snapshot, options) ?? {}),
    version: versionWith(run, [snapshot.head.state, options]),
  };
}

function activeFields(workspace: Workspace, run: StoredRun) {
  return {
    is_paused: workspace.isPaused(run),
    selected_total: run.selectedTotal,
    discovery_error: workspace.discoveryProblem(run)?.message,
  };
}

/** The version of an answer that contains more than the log of the run. */
function versionWith(run: StoredRun, more: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(more)).digest('hex');
  return `${run.version}-${digest.slice(0, 12)}`;
}
