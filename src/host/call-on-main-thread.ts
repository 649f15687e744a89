/**
 * Evaluates an expression in the main thread, on top of whatever keeps that busy: an endless loop is paused for it. For
 * other threads. Does nothing in a Node without an inspector, and waits while the main thread is inside a system call.
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
