import { useRestart } from '../../api/actions.js';
import type { EmptyFile, FailedImport } from '../../api/schema.js';
import { Button, type ButtonLook } from '../../components/controls/button.js';
import { copyText } from '../../components/controls/copy-button.js';
import { counted } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { Empty } from '../../components/messages/empty.js';
import { useShown } from '../dashboard-state.js';
import { FailedImports, ImportErrors } from './failed-imports.js';
import styles from './messages.module.css';

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

/** The page without evaluations: how to write one, or why none could be imported. */
export function NothingFound() {
  const restart = useRestart();
  const { discovery, path } = useShown().run;
  const { failures = [], empty = [] } = discovery ?? {};
  if (failures.length > 0 && empty.length === 0) {
    return <FailedImports failures={failures} listed={0} />;
  }
  const place = path && path !== '.' ? ` in ${path}` : '';
  const copy = (look: NonNullable<ButtonLook['look']>) => (
    <Button look={look} icon="copy" onClick={() => void copyText(example, 'The example')}>
      Copy example
    </Button>
  );
  const lookAgain = (look: NonNullable<ButtonLook['look']>) => (
    <Button
      needsServer
      look={look}
      icon="rerun"
      disabled={restart.isPending}
      onClick={() => restart.mutate()}
    >
      {restart.isPending ? 'Looking…' : 'Look again'}
    </Button>
  );
  if (empty.length > 0) {
    const count = empty.length + failures.length;
    return (
      <Empty
        title={`${counted(count, 'file')}${place}, no evaluation in ${count === 1 ? 'it' : 'them'}`}
        actions={
          <>
            {lookAgain('primary')}
            {copy('plain')}
          </>
        }
      >
        <p>An evaluation is an export of a file named *.eval.ts. These were read:</p>
        <FileReasons failures={failures} empty={empty} />
        <ImportErrors failures={failures} />
      </Empty>
    );
  }
  return (
    <Empty
      title={`No evaluations${place}`}
      actions={
        <>
          {copy('primary')}
          {lookAgain('plain')}
          <span className="faint">
            or open another folder: <span className="mono">assay serve PATH</span>
          </span>
        </>
      }
    >
      <p>
        {discovery && `${discovery.message} `}assay looks for exported evaluations in files named
        *.eval.ts (also .js, .mts, .tsx). Write one, save it, and look again.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached. */}
      <pre className={styles.code} tabIndex={0}>
        <span className={styles.file}>evals/refund.eval.ts</span>
        <Code text={example} />
      </pre>
    </Empty>
  );
}

/** Code with the words that open a line in bold: data is never coloured, and neither is this. */
function Code({ text }: { text: string }) {
  return text.split(/\b(import|from|export const)\b(?=[ {])/).map((part, n) =>
    // Every second part is a separator.
    // biome-ignore lint/suspicious/noArrayIndexKey: the text stays as it is.
    n % 2 === 1 ? <b key={n}>{part}</b> : part,
  );
}

const mostListed = 20;

/** The files that were read, each with the reason why it has no evaluations. */
function FileReasons({
  failures,
  empty,
}: {
  failures: readonly FailedImport[];
  empty: readonly EmptyFile[];
}) {
  const files = [
    ...empty.map((one) => ({ ...one, isBroken: false })),
    ...failures.map(({ file, line }) => ({
      file,
      reason: `${line === undefined ? '' : `line ${line}, `}cannot be imported`,
      isBroken: true,
    })),
  ].sort((a, b) => (a.file < b.file ? -1 : 1));
  const left = files.length - mostListed;
  return (
    <>
      <ul className={styles.files} aria-label="Files without evaluations">
        {files.slice(0, mostListed).map(({ file, reason, isBroken }) => (
          <li key={file}>
            <StatusIcon standing={isBroken ? 'error' : 'no_verdict'} label={null} />
            <span className={`mono ${styles.name}`}>{file}</span>
            <span className={styles.reason}>{reason}</span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className={styles.more}>and {counted(left, 'more file')}</p>}
    </>
  );
}
