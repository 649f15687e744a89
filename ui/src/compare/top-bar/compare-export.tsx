import { download } from '../../components/download.js';
import { ExportMenu } from '../../components/export-menu.js';
import { MenuItem } from '../../components/menu.js';
import type { RunComparison } from '../comparison.js';
import { renderComparison } from '../summary/render-comparison.js';

/** Ways to take the figures of the comparison away. */
export function CompareExport({ comparison }: { comparison: RunComparison }) {
  const save = (text: string, type: string, ending: string) => {
    const names = comparison.runs.map(({ run_name }) => run_name.replace(/[^\p{L}\p{N}-]+/gu, '-'));
    download(new Blob([text], { type }), `compare-${names.join('-')}.${ending}`);
  };
  return (
    <ExportMenu>
      <MenuItem
        note="Pass rate, scores, latency and changes as tables"
        onClick={() => save(renderComparison(comparison), 'text/markdown', 'md')}
      >
        Markdown
      </MenuItem>
      <MenuItem
        note="All figures, as the API answers"
        onClick={() => save(`${JSON.stringify(comparison, null, 2)}\n`, 'application/json', 'json')}
      >
        JSON
      </MenuItem>
    </ExportMenu>
  );
}
