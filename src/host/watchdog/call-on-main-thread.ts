/**
 * Evaluates an expression in the main thread from another thread, interrupting whatever it runs, including an
 * endless loop. Does nothing in a Node without an inspector, and waits while the main thread is in a system call.
 */
export async function callOnMainThread(expression: string): Promise<void> {
  const inspector = await import('node:inspector').catch(() => undefined);
  if (inspector === undefined) return;
  const session = new inspector.Session();
  session.connectToMainThread();
  session.once('Debugger.paused', () => {
    session.post('Runtime.evaluate', { expression }, () => {
      session.post('Debugger.resume');
      session.post('Debugger.disable', () => session.disconnect());
    });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}
