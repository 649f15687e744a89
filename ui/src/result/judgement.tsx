import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { ReadResult } from '../api/client.js';
import type { Result } from '../api/schema.js';
import { isReport } from '../app/report-mode.js';
import { useShortcut } from '../app/shortcuts.js';
import { useMedia } from '../browser/use-media.js';
import { IconButton } from '../components/controls/button.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { Kbd } from '../components/controls/kbd.js';
import { editedText } from '../components/figures/time.js';
import { FilterLink } from '../dashboard/filters/filter-link.js';
import { UsageSection } from './calls/usage-section.js';
import { EditForm, EditorProvider, TextArea, useEditor } from './editing/edit-form.js';
import { type EditedResult, useResultEdit } from './editing/use-result-edit.js';
import { History } from './history/history.js';
import styles from './judgement.module.css';
import type { Walk } from './navigation.js';
import {
  GradeStrip,
  hasOtherOutput,
  NextLine,
  useGrading,
  useGradingKeys,
} from './scores/grading.js';
import { isManyScores, ScoreList } from './scores/score-list.js';
import { ScoreSheet, type SheetState } from './scores/score-sheet.js';
import { FoldedSection, Section } from './section.js';
import { JsonTree } from './values/json-tree.js';
import { ShownPart } from './values/shown-part.js';
import { isBranch } from './values/tree-shape.js';
import { rawText } from './values/value-kind.js';
import { visibleText } from './values/visible-text.js';

/** Annotation, scores, usage, history and metadata: beside the values, or in a sheet where there is no room. */
export function Judgement({
  page,
  rest,
  sheet,
  walk,
}: {
  page: ReadResult;
  walk: Walk;
  /** Trace data without a section of its own. */
  rest: Readonly<Record<string, unknown>>;
  sheet: SheetState;
}) {
  const isSheet = useMedia('(max-width: 900px)');
  const { run_id: run, index, revision } = page;
  const { result, counted } = page.result;
  const edited = { run, index, revision };
  const filter = useRef<HTMLInputElement>(null);
  const grading = useGrading(page);
  const [, edit] = useEditor();
  useGradingKeys(grading, (key) => {
    if (isSheet) sheet.setOpen(true);
    // An editor that is open before the sheet is does not take the focus.
    requestAnimationFrame(() => edit(`score 0 ${key}`));
  });
  const isFoldedAtFirst = isManyScores(result.scores);
  const parts = (
    <>
      <Annotation edited={edited} result={result} />
      <ScoreList
        {...edited}
        scores={result.scores}
        filter={filter}
        {...(!isReport && { grading })}
      />
      {hasOtherOutput(page.result) && (
        <EditorProvider>
          <ScoreList
            {...edited}
            title="Scores that count"
            scores={counted?.scores ?? []}
            isOfCounted
          />
        </EditorProvider>
      )}
      {!isSheet && <NextLine walk={walk} isMarked={grading.made.length > 0} />}
      <UsageSection result={result} isFoldedAtFirst={isFoldedAtFirst} />
      <History corrections={result.correction_history} isFoldedAtFirst={isFoldedAtFirst} />
      <Metadata
        title="Metadata"
        values={result.metadata}
        areFilters
        isFoldedAtFirst={isFoldedAtFirst}
      />
      <Metadata title="Trace data" values={rest} isFoldedAtFirst={isFoldedAtFirst} />
    </>
  );
  if (!isSheet) return <Panel>{parts}</Panel>;
  return (
    <>
      <ScoreSheet result={result} sheet={sheet} filter={filter}>
        {parts}
      </ScoreSheet>
      {!isReport && <GradeStrip grading={grading} walk={walk} />}
    </>
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

/** The annotation of a result. */
function Annotation({
  edited,
  result: { annotation, correction_history: history },
}: {
  edited: EditedResult;
  result: Result;
}) {
  const [editor, edit] = useEditor();
  const isEdited = editor === 'annotation';
  // Text from before is shown without the focus, which walks through results.
  const [isKept, setKept] = useState(isEdited);
  if (isKept && !isEdited) setKept(false);
  const last = history.findLast(({ field }) => field === 'annotation');
  useShortcut('annotate', () => edit('annotation'), !isEdited && !isReport);
  return (
    <Section
      title="Annotation"
      tools={
        !isEdited &&
        !isReport && (
          <IconButton
            icon="pencil"
            label="Edit annotation"
            small
            onClick={() => edit('annotation')}
          />
        )
      }
    >
      {isEdited && (
        <AnnotationEditor
          {...edited}
          annotation={annotation}
          isFocused={!isKept}
          onClose={() => edit(undefined)}
        />
      )}
      {!isEdited && annotation === '' && (
        <p className={styles.none}>
          None yet.{' '}
          {!isReport && (
            <span className={styles.hint}>
              <Kbd>a</Kbd> writes one.
            </span>
          )}
        </p>
      )}
      {!isEdited && annotation !== '' && (
        <>
          <ShownPart text={visibleText(annotation)}>
            {(part) => <p className={styles.text}>{part}</p>}
          </ShownPart>
          {last && <p className={styles.when}>edited {editedText(last.timestamp)}</p>}
        </>
      )}
    </Section>
  );
}

function AnnotationEditor({
  annotation,
  isFocused,
  onClose,
  ...result
}: EditedResult & { annotation: string; isFocused: boolean; onClose: () => void }) {
  const edit = useResultEdit(
    result,
    'annotation',
    () => annotation,
    (text) => ({ annotation: text.trim() }),
    onClose,
  );
  return (
    <EditForm edit={edit}>
      <TextArea
        isFirst={isFocused}
        aria-label="Annotation"
        rows={3}
        value={edit.draft}
        onChange={edit.change}
      />
    </EditForm>
  );
}

/** A list of names and values; nothing if it is empty. */
function Metadata({
  title,
  values,
  areFilters = false,
  isFoldedAtFirst,
}: {
  title: string;
  /** A click on a value filters by it. Default false. */
  areFilters?: boolean;
  isFoldedAtFirst: boolean;
  values: Readonly<Record<string, unknown>>;
}) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  const plain = entries.filter(([, value]) => !isBranch(value));
  const branches = entries.filter(([, value]) => isBranch(value));
  return (
    <FoldedSection
      title={title}
      isFoldedAtFirst={isFoldedAtFirst}
      foldedNote={plain.map(([key, value]) => `${key} ${rawText(value)}`.slice(0, 60)).join(', ')}
      tools={<CopyButton label={`Copy ${title.toLowerCase()}`} text={() => rawText(values)} />}
    >
      {plain.length > 0 && (
        <dl className={styles.metadata}>
          {plain.map(([key, value]) => (
            <div key={key} className={styles.entry}>
              <dt>{visibleText(key)}</dt>
              <dd>
                {value === '' ? (
                  <span className="faint">empty</span>
                ) : (
                  <ShownPart text={visibleText(rawText(value))}>
                    {(part) =>
                      areFilters ? (
                        <FilterLink by={{ metadata: key }} value={value}>
                          {part}
                        </FilterLink>
                      ) : (
                        part
                      )
                    }
                  </ShownPart>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {branches.length > 0 && <JsonTree value={Object.fromEntries(branches)} label={title} />}
    </FoldedSection>
  );
}
