import { useMemo } from 'react';
import type { ReadResult } from '../api/client.js';
import { Annotation } from './annotation.js';
import { Attempts } from './attempts.js';
import { CallsSection } from './calls/calls-section.js';
import { UsageSection } from './calls/usage-section.js';
import { EditorProvider } from './editing/edit-form.js';
import { History } from './history/history.js';
import { LogSection } from './logs.js';
import { Messages } from './messages.js';
import { Metadata } from './metadata.js';
import { OutputPair } from './output/output-pair.js';
import styles from './result-body.module.css';
import { ScoreList } from './scores/score-list.js';
import { Section } from './section.js';
import { webUrl } from './values/safe-url.js';
import { ValueSection } from './values/value-section.js';
import { visibleText } from './values/visible-text.js';

/** The content of a result: input and output on the left, scores, annotation and history on the right. */
export function ResultBody({ page, onRun }: { page: ReadResult; onRun: (() => void) | undefined }) {
  const { run_id: run, index, revision, result: entry, attempts } = page;
  const { result } = entry;
  const { trace_data: trace } = result;
  const rest = useMemo(() => otherTrace(trace), [trace]);
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <ValueSection title="Input" value={result.input} />
        <OutputPair result={result} onRun={onRun} />
        <Warnings texts={readWarnings(trace)} />
        <CallsSection
          run={run}
          index={index}
          usage={result.usage}
          hasCalls={page.has_calls === true}
          output={result.output}
          hasMessages={trace.messages !== undefined}
        />
        <Messages traced={trace.messages} output={result.output} />
        {attempts && attempts.length > 0 && <Attempts result={result} attempts={attempts} />}
        <LogSection logs={trace.logs} />
      </div>
      <EditorProvider>
        <aside className={styles.side} aria-label="Judgement">
          <ScoreList run={run} index={index} revision={revision} scores={result.scores} />
          <UsageSection usage={result.usage} />
          <Annotation run={run} index={index} revision={revision} result={result} />
          <History corrections={result.correction_history} />
          <Metadata title="Metadata" values={result.metadata} />
          <Metadata title="Trace data" values={rest} />
        </aside>
      </EditorProvider>
    </div>
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
