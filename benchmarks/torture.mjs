#!/usr/bin/env node
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Ledger } from './torture/ledger.mjs';
import { Project } from './torture/project.mjs';
import { oneOf, randomNumbers } from './torture/random.mjs';
import { failFiles, killCommand, killServer } from './torture/rounds.mjs';

// Kills commands and servers at random while they work and clients edit, and reads everything again after each
// time: npm run torture -- --minutes 10 [--seed 1]
// Needs a built dist. Exits with 1 when anything that was acknowledged is lost, or anything cannot be read.

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Give --minutes a number above 0, and --seed a whole number.');
  process.exit(2);
}

const random = randomNumbers(seed);
const ledger = new Ledger();
const odd = [];
const rounds = [killServer, killCommand, failFiles];
const end = performance.now() + minutes * 60_000;
let project = new Project();
let told = performance.now();
let checks = 0;

console.error(`seed ${seed}, ${minutes} minutes`);
try {
  for (let count = 1; performance.now() < end && isFine(); count += 1) {
    // Every check reads all runs: now and then a new folder keeps that quick.
    if (count % 40 === 0) {
      project.remove();
      project = new Project();
      ledger.forget();
    }
    const round = { project, ledger, random, note: (text) => odd.push(text) };
    await oneOf(rounds, random)(round);
    await ledger.check(project.results);
    checks += 1;
    if (performance.now() - told < 10_000) continue;
    told = performance.now();
    console.error(`${ledger.kills} kills, ${ledger.edits} edits acknowledged …`);
  }
} finally {
  if (isFine()) project.remove();
  else console.error(`What is left to look at: ${project.folder}`);
}

console.log(`
| what | |
|---|--:|
| kills survived | ${ledger.kills} |
| writes, syncs and renames that failed or were the last | ${ledger.faults} |
| edits acknowledged | ${ledger.edits} |
| times that everything was read again | ${checks} |
| lost | ${ledger.lost.length} |
| unreadable files | ${ledger.unreadable.length} |
| other surprises | ${odd.length} |
| seed | ${seed} |`);
for (const text of [...ledger.lost, ...ledger.unreadable, ...odd].slice(0, 20)) console.error(text);
process.exitCode = isFine() ? 0 : 1;

function isFine() {
  return ledger.lost.length + ledger.unreadable.length + odd.length === 0;
}
