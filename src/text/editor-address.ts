/** Addresses of editors that open a file; `{path}` begins with a slash. */
const templates: Readonly<Record<string, string>> = {
  vscode: 'vscode://file{path}:{line}:{column}',
  cursor: 'cursor://file{path}:{line}:{column}',
  webstorm: 'webstorm://open?file={path}&line={line}&column={column}',
  zed: 'zed://file{path}:{line}:{column}',
};

/** Names of editors that need no template. */
export const editorNames = Object.keys(templates);

/** An address with `{path}`, of a scheme that runs nothing in a browser. */
export const editorTemplate =
  /^(?!(?:javascript|vbscript|data|blob):)[a-z][a-z0-9+.-]*:\/\/\S*\{path\}\S*$/i;

/** The address that opens a file at a line. `editor`: a name of {@link editorNames} or a template; `file`: absolute. */
export function editorAddress(
  editor: string,
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
): string {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return (templates[editor] ?? editor)
    .replace('{path}', () => (path.startsWith('/') ? path : `/${path}`))
    .replace('{line}', String(line))
    .replace('{column}', String(column));
}
