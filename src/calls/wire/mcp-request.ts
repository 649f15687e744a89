import type { McpRequest } from '../../model/calls/model-call.js';
import type { Json } from '../../model/result.js';
import { nameOf, objectOf } from './json.js';

const methods =
  /^(initialize|ping)$|^(tools|resources|prompts|completion|logging|sampling|roots|elicitation|notifications)\//;

/** A request of the Model Context Protocol over HTTP; `undefined` for any other. Of a batch, the first. */
export function mcpRequest(body: Json | undefined): McpRequest | undefined {
  const request = objectOf(Array.isArray(body) ? (body as readonly Json[])[0] : body);
  const method = nameOf(request?.method);
  if (request?.jsonrpc !== '2.0' || method === undefined || !methods.test(method)) return undefined;
  const params = objectOf(request.params);
  const name = nameOf(params?.name) ?? nameOf(params?.uri);
  return { method, ...(name !== undefined && { name }) };
}
