/** Waits so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until something is so; the test's own deadline ends it otherwise. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}
