/** Throttles an async action: after each call it rests for `pause` milliseconds, or `rest` times the duration of the call if that is longer. */
export function throttle(act: () => Promise<unknown>, pause: number, rest = 4): () => void {
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
