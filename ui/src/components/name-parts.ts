/** Splits a name into the evaluation and the case with its brackets, which have different font weights. */
export function nameParts(name: string): readonly [evaluation: string, testCase: string] {
  const start = name.endsWith(']') ? name.indexOf('[') : -1;
  return start > 0 ? [name.slice(0, start), name.slice(start)] : [name, ''];
}
