import { settingsSchema } from './settings-schema.js';

/** The JSON Schema (draft 2020-12) of a settings file, for editors; kept as assay.schema.json. */
export async function settingsJsonSchema(): Promise<Readonly<Record<string, unknown>>> {
  const { z } = await import('zod');
  const { $schema, ...rest } = z.toJSONSchema(await settingsSchema(), { io: 'input' });
  return {
    $schema,
    title: 'assay.yaml',
    description: 'Settings of assay. Zero, null and false leave a setting unset.',
    ...rest,
  };
}
