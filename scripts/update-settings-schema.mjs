// Writes assay.schema.json, the JSON schema of assay.yaml, from the schema that validates it.
import { writeFileSync } from 'node:fs';
import { settingsJsonSchema } from '../dist/settings/json-schema.js';

const schema = JSON.stringify(settingsJsonSchema(), null, 2);
writeFileSync(new URL('../assay.schema.json', import.meta.url), `${schema}\n`);
