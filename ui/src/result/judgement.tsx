import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { ReadResult } from '../api/client.js';
import { useMedia } from '../browser/use-media.js';
import { Annotation } from './annotation.js';
import { UsageSection } from './calls/usage-section.js';
import { hasOtherOutput } from './counted-output.js';
import { EditorProvider } from './editing/edit-form.js';
import { History } from './history/history.js';
import styles from './judgement.module.css';
import { Metadata } from './metadata.js';
import { ScoreList } from './scores/score-list.js';
import { isManyScores } from './scores/score-order.js';
import { ScoreSheet, type SheetState } from './scores/score-sheet.js';

/** Annotation, scores, usage, history and metadata: beside the values, or in a sheet where there is no room. */
export function Judgement({
  page,
  rest,
  sheet,
}: {
  page: ReadResult;
  /** Trace data without a section of its own. */
  rest: Readonly<Record<string, unknown>>;
  sheet: SheetState;
}) {
  const isSheet = useMedia('(max-width: 900px)');
  const { run_id: run, index, revision } = page;
  const { result } = page.result;
  const filter = useRef<HTMLInputElement>(null);
  const isFoldedAtFirst = isManyScores(result.scores);
  const parts = (
    <>
      <Annotation run={run} index={index} revision={revision} result={result} />
      <ScoreList
        run={run}
        index={index}
        revision={revision}
        scores={result.scores}
        filter={filter}
      />
      {hasOtherOutput(page.result) && (
        <EditorProvider run={run} index={index} isOfCounted>
          <ScoreList
            run={run}
            index={index}
            revision={revision}
            title="Scores that count"
            scores={page.result.counted?.scores ?? []}
            isOfCounted
          />
        </EditorProvider>
      )}
      <UsageSection result={result} isFoldedAtFirst={isFoldedAtFirst} />
      <History corrections={result.correction_history} isFoldedAtFirst={isFoldedAtFirst} />
      <Metadata title="Metadata" values={result.metadata} isFoldedAtFirst={isFoldedAtFirst} />
      <Metadata title="Trace data" values={rest} isFoldedAtFirst={isFoldedAtFirst} />
    </>
  );
  if (!isSheet) return <Panel>{parts}</Panel>;
  return (
    <ScoreSheet result={result} sheet={sheet} filter={filter}>
      {parts}
    </ScoreSheet>
  );
}

/** The panel beside the values; it scrolls by itself. */
function Panel({ children }: { children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  useRestOfWindow(panel);
  return (
    <aside ref={panel} className={styles.panel} aria-label="Judgement">
      {children}
    </aside>
  );
}

/** Makes an element as high as the window below its top, which moves while the page scrolls. */
function useRestOfWindow(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      const top = element.current?.getBoundingClientRect().top ?? 0;
      element.current?.style.setProperty('--top', `${Math.max(0, Math.round(top))}px`);
    };
    const later = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    addEventListener('scroll', later, { passive: true });
    addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', later);
      removeEventListener('resize', later);
    };
  }, [element]);
}
