import { isObject } from '../json.js';

/** True when a thought of a model contains something that only its provider can read. */
export function isEncrypted(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { encrypted_content, signature, thoughtSignature, data, redactedContent } = part;
  const sealed = [encrypted_content, signature, thoughtSignature, data, redactedContent];
  return (
    sealed.some((value) => typeof value === 'string' && value !== '') ||
    [part.reasoningContent, part.reasoningText].some(isEncrypted)
  );
}
