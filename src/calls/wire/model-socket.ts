import { providerOfHost } from './provider-of-host.js';
import { pathOf } from './wire-format.js';

/** True for the address of a WebSocket to a model: of a provider, or of a gateway by the path of a known API. */
export function isModelSocket(url: string): boolean {
  if (/\/realtime(\/|$)|\.BidiGenerateContent/.test(pathOf(url))) return true;
  const provider = providerOfHost(url);
  return provider === 'aws.bedrock' ? /bedrock/.test(url) : provider !== undefined;
}
