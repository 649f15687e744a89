import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The yardstick of the other rows: 200,000 records, written as JSON lines and read again, in 4,000 turns of 50.
const path = join(tmpdir(), `assay-yard-${process.pid}.jsonl`);
const file = openSync(path, 'w');
let read = 0;
for (let turn = 0; turn < 4_000; turn += 1) {
  const records = Array.from({ length: 50 }, (_, n) => {
    const id = `case ${turn * 50 + n}`;
    return { id, output: id.padEnd(48, '.'), scores: [{ key: 'exact', passed: n % 2 === 0 }] };
  });
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeSync(file, text);
  for (const line of text.split('\n')) if (line !== '' && JSON.parse(line).id) read += 1;
}
closeSync(file);
rmSync(path);
if (read !== 200_000) throw new Error(`Read ${read} records, not 200,000`);
