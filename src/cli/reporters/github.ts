import { appendFile } from 'node:fs/promises';
import { toOutputError } from '../output.js';
import { checkOutputFile } from '../output-file.js';
import { annotate } from './github-annotations.js';
import { renderAnnotation } from './github-command.js';
import { renderJobSummary } from './github-summary.js';
import type { Reporter, ReporterTools } from './reporter.js';

/**
 * Reports to GitHub Actions: workflow commands with an annotation at the line of each failed case, and a Markdown
 * job summary, appended to the file in `GITHUB_STEP_SUMMARY`.
 */
export function githubReporter({ cwd, env, print }: ReporterTools): Reporter {
  const { GITHUB_STEP_SUMMARY: summary = '', GITHUB_WORKSPACE: workspace } = env;
  return {
    check: async () => {
      if (summary !== '') await checkOutputFile(summary);
    },
    report: async (outcome) => {
      const folders = { cwd, root: workspace === undefined || workspace === '' ? cwd : workspace };
      print(annotate(outcome, folders).map(renderAnnotation).join(''));
      if (summary === '') {
        print('No job summary: GITHUB_STEP_SUMMARY is not set.\n');
        return;
      }
      try {
        await appendFile(summary, renderJobSummary(outcome));
      } catch (error) {
        throw toOutputError(error, summary);
      }
    },
  };
}
