/** True when a switch variable such as `CI` is on. */
export function isSet(variable: string | undefined): boolean {
  return !['', '0', 'false', undefined].includes(variable);
}
