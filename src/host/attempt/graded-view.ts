import type { EvalContext } from '../../authoring/context.js';
import { shortHash } from '../../files/path-state.js';
import { exactText } from '../../values/exact-text.js';
import { isEmptyPlain } from '../../values/inspect-value.js';

/** Tells whether grading the stored values again would see what grading saw after the target. */
export class GradedView {
  readonly #context: EvalContext;
  readonly #fields: readonly unknown[] | undefined;
  #output: unknown;
  #text: string | undefined;
  readonly #paramsText: string | undefined;

  /** Made before the target runs. */
  constructor(context: EvalContext) {
    this.#context = context;
    this.#fields = fieldsOf(context);
    this.#paramsText = textOf(context.params);
  }

  /** Call this when the target has finished: grading begins. */
  begin(): void {
    // What a target keeps on its context is not stored.
    const now = fieldsOf(this.#context);
    const isKept = this.#fields?.every((one, i) => Object.is(one, now?.[i]));
    if (isKept !== true || now?.length !== this.#fields?.length) return;
    if (this.#paramsText !== textOf(this.#context.params)) return;
    this.#output = this.#context.output;
    this.#text = this.#values();
  }

  /** True if what is there now, and will be stored, is what grading began with. */
  isUnchanged(): boolean {
    if (this.#text === undefined) return false;
    return this.#values() === this.#text && this.#hasOutput(this.#output);
  }

  #hasOutput(before: unknown): boolean {
    const { output } = this.#context;
    return typeof output === 'object' || Object.is(output, before);
  }

  /** `undefined` if they cannot be told apart from others. */
  #values(): string | undefined {
    try {
      const { output, metadata, traceData } = this.#context;
      // Texts are compared as they are: they may be large.
      const texts = [typeof output === 'object' ? output : 0, metadata, traceData].map(textOf);
      return texts.includes(undefined) ? undefined : texts.join('\n');
    } catch {
      // The context may have got a getter that throws.
      return undefined;
    }
  }
}

const longText = 1000;

function textOf(value: unknown): string | undefined {
  const text = isEmptyPlain(value) ? '{}' : exactText(value);
  return text !== undefined && text.length > longText ? shortHash(text) : text;
}

/** The names and values of own properties, without the output; `undefined` if they cannot be read. */
function fieldsOf(context: EvalContext): unknown[] | undefined {
  try {
    const fields: unknown[] = [];
    for (const key of Reflect.ownKeys(context)) {
      if (key !== 'output') fields.push(key, context[key as keyof EvalContext]);
    }
    return fields;
  } catch {
    return undefined;
  }
}
