import { parsedUrl } from '../../text/parsed-url.js';

/** Providers by the end of their hosts' names. */
const providers: readonly (readonly [host: string, provider: string])[] = [
  ['ai.azure.com', 'azure'],
  ['ai21.com', 'ai21'],
  ['aiplatform.googleapis.com', 'google'],
  ['aliyuncs.com', 'alibaba'],
  ['amazonaws.com', 'aws.bedrock'],
  ['anthropic.com', 'anthropic'],
  ['arcee.ai', 'arcee'],
  ['baseten.co', 'baseten'],
  ['cerebras.ai', 'cerebras'],
  ['cloudflare.com', 'cloudflare'],
  ['cognitiveservices.azure.com', 'azure'],
  ['cohere.ai', 'cohere'],
  ['cohere.com', 'cohere'],
  ['deepinfra.com', 'deepinfra'],
  ['deepseek.com', 'deepseek'],
  ['fireworks.ai', 'fireworks'],
  ['generativelanguage.googleapis.com', 'google'],
  ['githubcopilot.com', 'github'],
  ['groq.com', 'groq'],
  ['huggingface.co', 'huggingface'],
  ['hyperbolic.xyz', 'hyperbolic'],
  ['inference.ai.azure.com', 'azure'],
  ['jina.ai', 'jina'],
  ['minimax.io', 'minimax'],
  ['minimaxi.com', 'minimax'],
  ['mistral.ai', 'mistral'],
  ['models.github.ai', 'github'],
  ['moonshot.ai', 'moonshot'],
  ['moonshot.cn', 'moonshot'],
  ['nebius.com', 'nebius'],
  ['novita.ai', 'novita'],
  ['nvidia.com', 'nvidia'],
  ['ollama.com', 'ollama'],
  ['openai.azure.com', 'azure'],
  ['openai.com', 'openai'],
  ['openrouter.ai', 'openrouter'],
  ['perplexity.ai', 'perplexity'],
  ['sambanova.ai', 'sambanova'],
  ['together.ai', 'together'],
  ['together.xyz', 'together'],
  ['vercel.sh', 'vercel'],
  ['voyageai.com', 'voyage'],
  ['x.ai', 'xai'],
  ['z.ai', 'zai'],
];

const known = new Map<string, string | undefined>();

/** The provider whose own host an address has; absent for proxies and loopback. */
export function providerOfHost(url: string): string | undefined {
  const host = parsedUrl(url)?.hostname ?? '';
  if (!known.has(host)) {
    const found = providers.find(([end]) => host === end || host.endsWith(`.${end}`));
    known.set(host, found?.[1]);
  }
  return known.get(host);
}
