import { Fragment } from 'react';

/** After a sign that joins words, before a bracket, and between `camel` and `Case`. */
const seam = /(?<=[/_.:~-])(?=\w)|(?=\[)|(?<=\p{Ll})(?=\p{Lu})/u;

/** A name that may go on in a new line between its words; where that does not help, anywhere. */
export function Wrapping({ text }: { text: string }) {
  return text.split(seam).map((word, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words of a name stay where they are.
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}
