const deadlySignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `clean` when a signal ends the process, which then ends by that signal as it would have; answers with a
 * function that lets signals be.
 */
export function onDeadlySignal(clean: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    clean();
    stop();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of deadlySignals) process.off(signal, onSignal);
  };
  for (const signal of deadlySignals) process.on(signal, onSignal);
  return stop;
}
