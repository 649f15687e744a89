import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { settingsJsonSchema } from '../../src/settings/json-schema.js';
import { settingKeys } from '../../src/settings/setting-table.js';

describe('settingsJsonSchema', () => {
  it('is what assay.schema.json holds', () => {
    const file = new URL('../../assay.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal(
      JSON.parse(JSON.stringify(settingsJsonSchema())),
    );
  });

  it('describes every setting and leaves room for other keys', () => {
    const schema = settingsJsonSchema();
    const properties = schema.properties as Record<string, { description?: string }>;
    expect(Object.keys(properties)).to.deep.equal([
      ...settingKeys,
      'configs',
      'scores',
      'rubrics',
      'views',
      'prices',
      'rates',
    ]);
    for (const key of Object.keys(properties))
      expect(properties[key]?.description, key).to.be.a('string');
    expect(schema.additionalProperties).to.deep.equal({});
    expect(schema).to.not.have.property('required');
  });
});
