import { useRestart } from '../../api/actions.js';
import type { FailedImport } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { Button, type ButtonLook } from '../../components/controls/button.js';
import { copyText } from '../../components/controls/copy-button.js';
import { counted } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { Empty } from '../../components/messages/empty.js';
import styles from './messages.module.css';

/** The files that could not be imported: location and error. `listed`: the number of results that exist anyway. */
export function FailedImports({
  failures,
  listed,
}: {
  failures: readonly FailedImport[];
  listed: number;
}) {
  const isOne = failures.length === 1;
  return (
    <Empty
      title={
        <>
          <StatusIcon standing="error" size="title" label={null} />
          {isOne ? 'One file' : `${failures.length} files`} could not be imported
        </>
      }
      actions={
        <>
          <ImportAgain look="primary" />
          <Button
            look="ghost"
            icon="copy"
            onClick={() => void copyText(failures.map(placeOf).join('\n'), 'The path')}
          >
            Copy {isOne ? 'path' : 'paths'}
          </Button>
        </>
      }
    >
      <p>
        {listed > 0
          ? `The others are listed and can be run: ${counted(listed, 'result')}. ${isOne ? 'This one is' : 'These are'} left out until ${isOne ? 'it imports' : 'they import'}.`
          : `There is nothing to run until ${isOne ? 'it imports' : 'they import'}.`}
      </p>
      <ImportErrors failures={failures} />
    </Empty>
  );
}

/** The error of each file that could not be imported. */
export function ImportErrors({ failures }: { failures: readonly FailedImport[] }) {
  return failures.map((failure) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached.
    <pre key={failure.file} className={classNames(styles.code, styles.message)} tabIndex={0}>
      <span className={styles.file}>
        {failure.file}
        {failure.line !== undefined && `, line ${failure.line}`}
      </span>
      <Message text={failure.message} />
    </pre>
  ));
}

/** Imports the files of the evaluations again. */
export function ImportAgain(look: ButtonLook) {
  const restart = useRestart();
  return (
    <Button
      needsServer
      {...look}
      icon="rerun"
      disabled={restart.isPending}
      onClick={() => restart.mutate()}
    >
      {restart.isPending ? 'Importing…' : 'Import again'}
    </Button>
  );
}

/** A message with its kind, or its first words, in bold. */
function Message({ text }: { text: string }) {
  const [, kind, rest = text] =
    /^((?:[A-Z]\w*)?(?:Error|Exception)\b|Cannot find \w+)(.*)$/s.exec(text) ?? [];
  return (
    <>
      {kind && <b className="c-error">{kind}</b>}
      {rest}
    </>
  );
}

/** A location in the format of editors: `evals/orders.eval.ts:3`. */
export function placeOf({ file, line }: FailedImport): string {
  return line === undefined ? file : `${file}:${line}`;
}
