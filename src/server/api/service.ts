import { z } from 'zod';
import { readVersion } from '../../package-root.js';
import { defineRoute, json, type Route } from '../http/route.js';
import { createOpenApi, type OpenApiDocument } from '../openapi.js';
import { jsonObject, ok } from './values.js';

const tag = 'Service';

/** Describes the service itself; `routes` returns the routes to document, once they are complete. */
export function serviceRoutes(routes: () => readonly Route[]): Route[] {
  const version = readVersion();
  let document: OpenApiDocument | undefined;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/health',
      operation: 'getHealth',
      tag,
      summary: 'Says that the server is running, and its version.',
      answer: { description: 'The server is running.', schema: health },
      handle: () => json({ ok: true, version }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/openapi.json',
      operation: 'getOpenApi',
      tag,
      summary: 'This API as an OpenAPI 3.1 document.',
      answer: { description: 'The document.', schema: openApiDocument },
      handle: () => {
        document ??= createOpenApi(routes(), version);
        return json(document);
      },
    }),
  ];
}

const health = z.object({ ok, version: z.string() }).meta({ id: 'Health' });

const openApiDocument = jsonObject;
