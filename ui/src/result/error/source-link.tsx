import type { ReactNode } from 'react';
import { editorAddress } from '../../../../src/text/editor-address.js';
import { isLoopbackName } from '../../../../src/text/loopback.js';
import { useSettingsFile } from '../../api/queries.js';

/** A place in a file. */
interface SourcePlace {
  /** Absolute, or relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Makes the address that opens a file in the editor; `undefined` without one, and on pages of other machines. */
export function useEditor(): ((place: SourcePlace) => string) | undefined {
  const { data } = useSettingsFile();
  const editor = data?.editor;
  if (data === undefined || !editor || !isLoopbackName(location.hostname)) return undefined;
  return ({ file, ...at }) => {
    const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(file);
    return editorAddress(editor, { ...at, file: isAbsolute ? file : `${data.folder}/${file}` });
  };
}

/** A link that opens a file in the editor; plain text without an editor. */
export function SourceLink({ place, children }: { place: SourcePlace; children: ReactNode }) {
  const editor = useEditor();
  if (editor === undefined) return children;
  return (
    <a href={editor(place)} title="Open in the editor">
      {children}
    </a>
  );
}
