/** An error message on one line, its kind in bold, without the stack. */
export function ErrorText({ text }: { text: string | null }) {
  if (text === null) return null;
  const [, kind, message = text] = /^([A-Z][\w.$]*):\s(.*)$/s.exec(text) ?? [];
  const rest = message.replace(/\s+at (?:async )?[^\s(]+ ?\(?(?:file:|node:|\/|[A-Z]:\\).*$/s, '');
  return (
    <>
      {kind && <b>{kind} </b>}
      {rest}
    </>
  );
}
