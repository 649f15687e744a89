// Sorts the commands of oclif.manifest.json: oclif writes them in the order in which it happens to find their files.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../oclif.manifest.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const commands = Object.entries(manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1));
const sorted = { ...manifest, commands: Object.fromEntries(commands) };
writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
