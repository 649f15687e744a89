import { Fragment } from 'react';

/** After a joining sign, before a bracket, and between `camel` and `Case`. */
const seam = /(?<=[/_.:~-])(?=\w)|(?=\[)|(?<=\p{Ll})(?=\p{Lu})/u;

/** A name that wraps between its words, and anywhere if that is not enough. */
export function Wrapping({ text }: { text: string }) {
  return text.split(seam).map((word, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words of a name stay where they are.
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}
