/** Whether a variable that switches something on, such as `CI`, does so. */
export function isSet(variable: string | undefined): boolean {
  return !['', '0', 'false', undefined].includes(variable);
}
