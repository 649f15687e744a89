import {
  type ComponentPropsWithRef,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../components/button.js';
import { StatusIcon } from '../../components/status-icon.js';
import styles from './score-editor.module.css';
import type { EditConflict } from './use-result-edit.js';

/** An error message: of validation, or from the server. */
export function EditFault({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className={styles.fault} role="alert">
      <StatusIcon standing="failed" label={null} />
      {text}
    </p>
  );
}

/** Says that the result was changed elsewhere, and asks what to do with the input. */
export function EditConflictChoice({ conflict }: { conflict: EditConflict | undefined }) {
  if (conflict === undefined) return null;
  const { load, overwrite, isPending } = conflict;
  return (
    <div className={styles.conflict}>
      <EditFault text="This result was changed elsewhere since you began. Your text is not saved." />
      <Button small disabled={isPending} onClick={load}>
        Load the newer version
      </Button>
      <Button small disabled={isPending} onClick={overwrite}>
        Overwrite it
      </Button>
    </div>
  );
}

/** Keys of an editor: Ctrl or Cmd with Enter saves, Esc cancels. */
export function editKeys({ save, cancel }: { save: () => void; cancel: () => void }) {
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    else if (event.key === 'Escape') cancel();
    else return;
    // Prevents the page from going back to the table.
    event.preventDefault();
    event.stopPropagation();
  };
}

/** A text area that grows with its content. With `isFirst`, it has the focus, with the cursor at the end. */
export function TextArea({
  value,
  isFirst = false,
  onChange,
  ...rest
}: {
  value: string;
  isFirst?: boolean;
  onChange: (value: string) => void;
} & Omit<ComponentPropsWithRef<'textarea'>, 'onChange' | 'value' | 'ref'>) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isFirst || area.current === null) return;
    area.current.focus();
    const { length } = area.current.value;
    area.current.setSelectionRange(length, length);
  }, [isFirst]);
  return (
    <textarea
      ref={area}
      className={styles.area}
      rows={2}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  );
}

/** What is being edited: a score by its name in the list, a new one, or the annotation. */
type Editor = `score ${string}` | 'new score' | 'annotation' | undefined;

const Context = createContext<readonly [Editor, (editor: Editor) => void]>([undefined, () => {}]);

/** Allows one open editor per result; use the result as `key`. */
export function EditorProvider({ children }: { children: ReactNode }) {
  const state = useState<Editor>(undefined);
  return <Context value={state}>{children}</Context>;
}

/** Which editor is open, and how to open another one. */
export function useEditor(): readonly [Editor, (editor: Editor) => void] {
  return useContext(Context);
}
