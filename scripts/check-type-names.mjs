/** Fails when two files export types of the same name: a name means one thing in the whole project. */
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const files = globSync(['src/**/*.ts', 'ui/src/**/*.{ts,tsx}']).filter(
  // Made from the OpenAPI document, and imported by its keys only.
  (file) => !file.endsWith('schema.d.ts'),
);

/** @type {Map<string, string[]>} */
const places = new Map();
for (const file of files.sort()) {
  const text = readFileSync(file, 'utf8');
  const exported = /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)/gm;
  for (const [, name] of text.matchAll(exported)) {
    places.set(name, [...(places.get(name) ?? []), file]);
  }
}

const repeated = [...places].filter(([, of]) => of.length > 1);
for (const [name, of] of repeated) console.error(`${name} is exported by ${of.join(' and ')}.`);
if (repeated.length > 0) {
  console.error('Use one of them, or give them names that say how they differ.');
  process.exitCode = 1;
}
