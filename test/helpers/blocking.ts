/** Statements that block their thread forever, as an endless loop does, but use no processor. */
export const blockForever = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
