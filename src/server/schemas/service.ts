import { z } from 'zod';
import { jsonObject, ok } from './json-value.js';

/** That the server is there, and its version. */
export const health = z.object({ ok, version: z.string() }).meta({ id: 'Health' });

/** This very description. */
export const openApiDocument = jsonObject;
