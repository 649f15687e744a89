import { Fragment } from 'react';

/** Splits a name into the evaluation and the case with its brackets, which have different font weights. */
export function nameParts(name: string): readonly [evaluation: string, testCase: string] {
  const start = name.endsWith(']') ? name.indexOf('[') : -1;
  return start > 0 ? [name.slice(0, start), name.slice(start)] : [name, ''];
}

/** The name of an evaluation, with its case, that wraps. */
export function EvaluationName({ name }: { name: string }) {
  const [evaluation, testCase] = nameParts(name);
  return (
    <>
      <Wrapping text={evaluation} />
      {testCase !== '' && (
        <i>
          <Wrapping text={testCase} />
        </i>
      )}
    </>
  );
}

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
