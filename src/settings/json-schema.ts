import { callMapKeys, callMapSchema, callMaps } from './prices-and-rates.js';
import {
  runConfigSettingKeys,
  type SettingKey,
  settingKeys,
  settingSchema,
} from './setting-table.js';
import { longestViewQuery, mostViewColumns } from './views.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema (draft 2020-12) of a settings file, for editors; stored as assay.schema.json. */
export function settingsJsonSchema(): JsonSchema {
  const scoreRule = {
    type: 'object',
    properties: {
      threshold: {
        description: 'A value at or above it has passed; with better: lower, one at or below it.',
        type: ['number', 'null'],
      },
      better: {
        description: 'Which values are better. Default: higher.',
        enum: ['higher', 'lower', null],
      },
      scale: {
        description: 'The least and the greatest value: [0, 100]. Another value is an error.',
        type: ['array', 'null'],
        items: { type: 'number' },
        minItems: 2,
        maxItems: 2,
      },
    },
    additionalProperties: false,
  };
  const runConfig = {
    type: 'object',
    properties: {
      ...settingSchemas(runConfigSettingKeys),
      params: {
        description: 'Free values that evaluations read as ctx.params.',
        type: ['object', 'null'],
      },
    },
  };
  const view = {
    type: 'object',
    properties: {
      query: {
        description: 'Filters, search, sorting and grouping, as in the address of the dashboard.',
        type: ['string', 'null'],
        maxLength: longestViewQuery,
      },
      columns: {
        description: 'The visible columns, in order. Default: as the browser has them.',
        type: ['array', 'null'],
        maxItems: mostViewColumns,
        items: { type: 'string' },
      },
    },
    additionalProperties: false,
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'assay.yaml',
    description: 'Settings of assay. Zero, null and false leave a setting unset.',
    type: 'object',
    properties: {
      ...settingSchemas(settingKeys),
      configs: mapOf(runConfig, 'Run configs by name: settings and params for one way to run.'),
      scores: mapOf(
        scoreRule,
        'Rules for values of scores, by score key; evaluations can override them.',
      ),
      rubrics: mapOf(
        { type: 'string', minLength: 1 },
        'Texts by which people label, by score key; evaluations can override them.',
      ),
      views: mapOf(view, 'Saved views of the dashboard, by name.'),
      ...Object.fromEntries(
        callMapKeys.map((key) => [
          key,
          {
            description: callMaps[key].description,
            type: ['object', 'null'],
            additionalProperties: callMapSchema(key),
          },
        ]),
      ),
    },
    additionalProperties: {},
  };
}

function settingSchemas(keys: readonly SettingKey[]): JsonSchema {
  return Object.fromEntries(keys.map((key) => [key, settingSchema(key)]));
}

/** A map that may be empty, or have empty entries. */
function mapOf(entry: JsonSchema, description: string): JsonSchema {
  return {
    description,
    type: ['object', 'null'],
    additionalProperties: { anyOf: [entry, { type: 'null' }] },
  };
}
