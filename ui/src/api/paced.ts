/** Does something soon after it is asked for, but not again until a while after it is done: at least `pause` milliseconds, and `rest` times what it took. */
export function paced(act: () => Promise<unknown>, pause: number, rest = 4): () => void {
  let isBusy = false;
  let isAsked = false;
  const run = async () => {
    isBusy = true;
    isAsked = false;
    const start = performance.now();
    await act().catch(() => {});
    const took = performance.now() - start;
    setTimeout(
      () => {
        isBusy = false;
        if (isAsked) void run();
      },
      Math.max(pause, took * rest),
    );
  };
  return () => {
    isAsked = true;
    if (!isBusy) void run();
  };
}
