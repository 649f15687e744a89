import { z } from 'zod';
import { jsonObject, ok } from './basic-values.js';

/** The health of the server, and its version. */
export const health = z.object({ ok, version: z.string() }).meta({ id: 'Health' });

/** The OpenAPI document. */
export const openApiDocument = jsonObject;
