import { type RefObject, useMemo } from 'react';
import type { ReadResult } from '../api/client.js';
import { useResult } from '../api/queries.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { count } from '../components/figures/figures.js';
import { Attempts, standingFrom } from './attempts.js';
import { CallsSection } from './calls/calls-section.js';
import { caseText } from './case-text.js';
import { readTraced } from './conversation/read-messages.js';
import { EditorProvider } from './editing/edit-form.js';
import { ErrorBlock } from './error/error-block.js';
import { Judgement } from './judgement.js';
import { LogSection } from './logs.js';
import type { Walk } from './navigation.js';
import { OutlinePart } from './outline/outline.js';
import { OutputPair } from './output/output-pair.js';
import styles from './result-body.module.css';
import { hasOtherOutput } from './scores/grading.js';
import type { SheetState } from './scores/score-sheet.js';
import { Section } from './section.js';
import { webUrl } from './values/safe-url.js';
import { isShortValue, seen } from './values/value-kind.js';
import { ValueSection } from './values/value-section.js';
import { visibleText } from './values/visible-text.js';

/** The content of a result: its values on the left, the judgement on the right. */
export function ResultBody({
  page,
  values,
  walk,
  sheet,
  onRun,
}: {
  page: ReadResult;
  /** Will hold the values. */
  values: RefObject<HTMLDivElement | null>;
  walk: Walk;
  sheet: SheetState;
  onRun: (() => void) | undefined;
}) {
  const { run_id: run, index, result: entry, attempts } = page;
  const { base } = walk;
  const { result } = entry;
  const { trace_data: trace } = result;
  const rest = useMemo(() => otherTrace(trace), [trace]);
  const found = useMemo(() => seen(result.input), [result.input]);
  const input = (
    <ValueSection
      title="Input"
      value={result.input}
      found={found}
      end={
        <CopyButton
          icon="file"
          label="Copy case as TypeScript"
          text={() => caseText(entry.function, result)}
        />
      }
    />
  );
  const isShort = isShortValue(found);
  const { data: beside } = useResult(base?.run ?? run, base?.index ?? index);
  const isBeside = base !== undefined && beside?.index === base.index && beside.run_id === base.run;
  return (
    <EditorProvider begun={{ run, index }}>
      <div className={styles.columns}>
        <OutlinePart values={values} />
        <div ref={values} className={styles.main}>
          <ErrorSection error={result.error} />
          {isShort && input}
          <OutputPair
            result={result}
            base={
              isBeside ? { run: beside.run_name, output: beside.result.result.output } : undefined
            }
            onRun={onRun}
            isFailing={['failed', 'error'].includes(standingFrom(result))}
          />
          <CountedOutput entry={entry} />
          <Warnings texts={readWarnings(trace)} />
          {!isShort && input}
          <CallsSection
            run={run}
            index={index}
            session={page.session_name}
            usage={result.usage}
            origin={result.origin}
            hasCalls={page.has_calls === true}
            output={result.output}
            hasMessages={trace.messages !== undefined}
          />
          <Messages traced={trace.messages} output={result.output} />
          {attempts && attempts.length > 0 && <Attempts result={result} attempts={attempts} />}
          <LogSection logs={trace.logs} />
        </div>
        <Judgement page={page} rest={rest} sheet={sheet} walk={walk} />
      </div>
    </EditorProvider>
  );
}

/** The error of a result, if there is one. */
function ErrorSection({ error }: { error: string | null }) {
  if (error === null) return null;
  return (
    <Section title="Error" tools={<CopyButton label="Copy error" text={() => error} />}>
      <ErrorBlock text={error} label="Error" />
    </Section>
  );
}

/** The output of the attempt that counts, where that is another one. */
function CountedOutput({ entry }: { entry: ReadResult['result'] }) {
  const { counted } = entry;
  if (counted === undefined || !hasOtherOutput(entry)) return null;
  const { output, error } = counted;
  const note = 'of the last full pass';
  return (
    <>
      {error !== null && (
        <Section title="Error that counts" note={note}>
          <ErrorBlock text={error} label="Error that counts" />
        </Section>
      )}
      {output !== null && <ValueSection title="Output that counts" value={output} note={note} />}
    </>
  );
}

/** Warnings about the output, such as that it was cut. */
function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Section title="Warnings">
      <ul>
        {texts.map((text) => (
          <li key={text}>{visibleText(text)}</li>
        ))}
      </ul>
    </Section>
  );
}

/** The warnings of assay; empty for any other value that an evaluation has set. */
function readWarnings({ warnings }: Readonly<Record<string, unknown>>): readonly string[] {
  const isList = Array.isArray(warnings) && warnings.every((one) => typeof one === 'string');
  return isList ? [...new Set<string>(warnings)] : [];
}

/** The trace data without the parts that have their own section. */
function otherTrace(trace: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { logs: _logs, messages, trace_url: link, warnings, ...rest } = trace;
  return {
    ...rest,
    ...(warnings !== undefined && readWarnings(trace).length === 0 && { warnings }),
    ...(messages !== undefined && !Array.isArray(messages) && { messages }),
    // An invalid URL is shown as a value.
    ...(link !== undefined && webUrl(link) === undefined && { trace_url: link }),
  };
}

/** The traced messages. */
function Messages({ traced, output }: { traced: unknown; output: unknown }) {
  const messages = useMemo(() => readTraced(traced), [traced]);
  if (messages === undefined || !Array.isArray(traced)) return null;
  return (
    <ValueSection
      title="Messages"
      value={traced}
      found={{ kind: 'conversation', messages, count: traced.length }}
      note={`${count(traced.length)}, from the trace`}
      output={output}
    />
  );
}
