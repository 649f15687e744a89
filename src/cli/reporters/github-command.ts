/** An annotation as GitHub shows it beside the code. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the root of the repository, with `/`. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** A workflow command that makes an annotation: one line, whatever the texts in it hold. Ends with a line end. */
export function renderAnnotation({ level, message, file, line, title }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${escapeProperty(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
}

/** As the runner reads it back: a `%` and line ends must not be taken for what they are. */
function escapeData(text: string): string {
  return withoutControls(text)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Logs are read on terminals, too. */
function withoutControls(text: string): string {
  return text.replace(
    /(?![\n\r\t])[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
