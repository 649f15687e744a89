// Says on SIGUSR2 how much memory is in use after all garbage is collected: `node --expose-gc --require heap-size.cjs …`.
//
// HEAP_FILE  a file that gets the number of bytes, in the heap and outside of it
const { writeFileSync } = require('node:fs');

process.on('SIGUSR2', async () => {
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env.HEAP_FILE, String(heapUsed + external));
});
