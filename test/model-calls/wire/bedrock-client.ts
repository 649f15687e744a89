import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';

/** A client of Bedrock that does not repeat calls. */
export function bedrockClient(endpoint: string): BedrockRuntimeClient {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  return new BedrockRuntimeClient({ region: 'us-east-1', endpoint, credentials, maxAttempts: 1 });
}
