import type { OpenApiDocument } from '../src/server/openapi.js';

/** Renders docs/rest-api.md from the OpenAPI document. */
export function renderRestDocs(document: OpenApiDocument): string;
