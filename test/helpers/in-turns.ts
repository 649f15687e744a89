/** Works through items, so many at a time. */
export async function inTurns<T>(
  items: readonly T[],
  atATime: number,
  each: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const turn = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await each(item);
  };
  await Promise.all(Array.from({ length: atATime }, turn));
}
