import { useRestart } from '../api/actions.js';
import type { Run } from '../api/client.js';
import { notify } from '../app/notices.js';
import { Button } from '../components/button.js';
import { classNames } from '../components/class-names.js';
import { Empty } from '../components/empty.js';
import styles from './nothing-found.module.css';

const example = `import { evaluation } from 'assay';
import { supportAgent } from '../src/agent.js';

export const refund = evaluation({
  cases: [
    { id: 'day_29', input: 'Bought 29 days ago, still boxed.', reference: 'refund' },
  ],
  target: (ctx) => supportAgent(ctx.input, { signal: ctx.signal }),
  evaluators: [({ output, reference }) => output.includes(reference)],
});
`;

/** There is nothing to run: how to write an evaluation, or what kept them from being imported. */
export function NothingFound({ run }: { run: Run }) {
  const restart = useRestart();
  const again = (
    <Button icon="rerun" disabled={restart.isPending} onClick={() => restart.mutate()}>
      Look again
    </Button>
  );
  return (
    <Empty
      title={run.eval_path ? `No evaluations in ${run.eval_path}` : 'No evaluations'}
      actions={
        <>
          <Button look="primary" icon="copy" onClick={() => void copy()}>
            Copy example
          </Button>
          {again}
          <span className="faint">
            or open another folder: <span className="mono">assay serve PATH</span>
          </span>
        </>
      }
    >
      {run.discovery_error && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached.
        <pre className={classNames(styles.code, styles.error)} tabIndex={0}>
          {run.discovery_error}
        </pre>
      )}
      <p>
        assay looks for exported evaluations in files named *.eval.ts (also .js, .mts, .tsx). Write
        one, save it, and look again.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached. */}
      <pre className={styles.code} tabIndex={0}>
        <span className={styles.file}>evals/refund.eval.ts</span>
        {example}
      </pre>
    </Empty>
  );
}

async function copy(): Promise<void> {
  try {
    await navigator.clipboard.writeText(example);
    notify({ kind: 'info', text: 'The example is in the clipboard.' });
  } catch {
    notify({
      kind: 'error',
      text: 'The browser does not let this page copy. Mark it and copy by hand.',
    });
  }
}
