import { createContext, type ReactNode, useContext, useState } from 'react';

/** What is being edited: a score by its name in the list, a new one, or the annotation. */
export type Editor = `score ${string}` | 'new score' | 'annotation' | undefined;

const Context = createContext<readonly [Editor, (editor: Editor) => void]>([undefined, () => {}]);

/** Sees to it that only one editor of a result is open at a time; give it the result as `key`. */
export function EditorProvider({ children }: { children: ReactNode }) {
  const state = useState<Editor>(undefined);
  return <Context value={state}>{children}</Context>;
}

/** Which editor is open, and how to open another one. */
export function useEditor(): readonly [Editor, (editor: Editor) => void] {
  return useContext(Context);
}
