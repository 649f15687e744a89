import { useState } from 'react';
import type { Result } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { IconButton } from '../components/controls/button.js';
import { Kbd } from '../components/controls/kbd.js';
import { editedText } from '../components/figures/time.js';
import styles from './annotation.module.css';
import { EditForm, TextArea, useEditor } from './editing/edit-form.js';
import { useResultEdit } from './editing/use-result-edit.js';
import { Section } from './section.js';
import { ShownPart } from './values/shown-part.js';
import { visibleText } from './values/visible-text.js';

/** The annotation of a result. */
export function Annotation({
  run,
  index,
  revision,
  result: { annotation, correction_history: history },
}: {
  run: string;
  index: number;
  revision: string;
  result: Result;
}) {
  const [editor, edit] = useEditor();
  const isEdited = editor === 'annotation';
  // Text from before is shown without the focus, which walks through results.
  const [isKept, setKept] = useState(isEdited);
  if (isKept && !isEdited) setKept(false);
  const last = history.findLast(({ field }) => field === 'annotation');
  useShortcut('annotate', () => edit('annotation'), !isEdited);
  return (
    <Section
      title="Annotation"
      tools={
        !isEdited && (
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
          run={run}
          index={index}
          revision={revision}
          annotation={annotation}
          isFocused={!isKept}
          onClose={() => edit(undefined)}
        />
      )}
      {!isEdited && annotation === '' && (
        <p className={styles.none}>
          None yet. <Kbd>a</Kbd> writes one.
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
}: {
  run: string;
  index: number;
  revision: string;
  annotation: string;
  isFocused: boolean;
  onClose: () => void;
}) {
  const {
    draft,
    change,
    save,
    saveInstead: _,
    ...edit
  } = useResultEdit(
    { ...result, part: 'annotation' },
    () => annotation,
    (text) => ({ annotation: text.trim() }),
    onClose,
  );
  return (
    <EditForm edit={edit} onSave={save}>
      <TextArea
        isFirst={isFocused}
        aria-label="Annotation"
        rows={3}
        value={draft}
        onChange={change}
      />
    </EditForm>
  );
}
