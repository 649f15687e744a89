const documentation = ['description', 'example', 'examples', 'default'];

/**
 * For `.meta({ override })`: documents this JSON Schema, which clients send or receive, instead of the schema's
 * own, which describes the parsed value.
 */
export function shownAs(schema: Readonly<Record<string, unknown>>) {
  return ({ jsonSchema }: { readonly jsonSchema: object }): void => {
    for (const key of Object.keys(jsonSchema)) {
      if (!documentation.includes(key)) Reflect.deleteProperty(jsonSchema, key);
    }
    Object.assign(jsonSchema, schema);
  };
}
