import { useEditResult } from '../api/actions.js';
import { messageOf } from '../api/problem.js';
import type { Result } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { Button, IconButton } from '../components/button.js';
import { Kbd } from '../components/kbd.js';
import styles from './annotation.module.css';
import { editedText } from './history/moment.js';
import { EditFault } from './scores/edit-fault.js';
import { editKeys } from './scores/edit-keys.js';
import { useEditor } from './scores/editors.js';
import { TextArea } from './scores/text-area.js';
import { useDraft } from './scores/use-draft.js';
import { Section } from './section.js';
import { ShownPart } from './values/shown-part.js';
import { visibleText } from './values/visible-text.js';

/** What somebody has to say about a result. */
export function Annotation({
  run,
  index,
  result: { annotation, correction_history: history },
}: {
  run: string;
  index: number;
  result: Result;
}) {
  const [editor, edit] = useEditor();
  const isEdited = editor === 'annotation';
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
          annotation={annotation}
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
  run,
  index,
  annotation,
  onClose,
}: {
  run: string;
  index: number;
  annotation: string;
  onClose: () => void;
}) {
  const {
    draft,
    change: setText,
    forget,
  } = useDraft(`${run} ${index} annotation`, () => annotation);
  const close = () => {
    forget();
    onClose();
  };
  const change = useEditResult(run, index);
  const save = () => {
    if (!change.isPending) change.mutate({ annotation: draft.trim() }, { onSuccess: close });
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={editKeys({ save, cancel: close })}
    >
      <TextArea isFirst aria-label="Annotation" rows={3} value={draft} onChange={setText} />
      <EditFault text={change.error === null ? undefined : messageOf(change.error)} />
      <div className={styles.end}>
        <Button look="primary" type="submit" disabled={change.isPending}>
          Save <Kbd>ctrl ↵</Kbd>
        </Button>
        <Button look="ghost" onClick={close}>
          Cancel <Kbd>esc</Kbd>
        </Button>
      </div>
    </form>
  );
}
