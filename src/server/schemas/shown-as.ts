const documentation = ['description', 'example', 'examples', 'default'];

/**
 * For `.meta({ override })`: the documentation shows this JSON Schema, which is what clients send or get, where the
 * schema's own would show how it is parsed.
 */
export function shownAs(schema: Readonly<Record<string, unknown>>) {
  return ({ jsonSchema }: { readonly jsonSchema: object }): void => {
    for (const key of Object.keys(jsonSchema)) {
      if (!documentation.includes(key)) Reflect.deleteProperty(jsonSchema, key);
    }
    Object.assign(jsonSchema, schema);
  };
}
