/** An annotation that GitHub shows beside the code. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the root of the repository, with `/`. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** Renders an annotation as a workflow command on one line, with any text escaped. Ends with a newline. */
export function renderAnnotation({ level, message, file, line, title }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${escapeProperty(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
}

/** Escapes `%` and line breaks for the runner's parser. */
function escapeData(text: string): string {
  return withoutControls(text)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Escapes control characters, because logs are also read on terminals. */
function withoutControls(text: string): string {
  return text.replace(
    /(?![\n\r\t])[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
