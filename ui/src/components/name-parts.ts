/** The name of an evaluation, and of its case with the brackets: both are shown, in two weights. */
export function nameParts(name: string): readonly [evaluation: string, testCase: string] {
  const start = name.endsWith(']') ? name.indexOf('[') : -1;
  return start > 0 ? [name.slice(0, start), name.slice(start)] : [name, ''];
}
