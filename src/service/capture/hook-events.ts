import { MAX_EVENT_CHARS, type CaptureRequest } from '../../memory/operations/capture-operations.ts';
import type { Secrets } from '../secrets.ts';

/** The event with its secrets replaced. */
export function withoutSecrets(event: CaptureRequest, secrets: Secrets): CaptureRequest {
  const { text = '', input = '', output = '' } = event;
  // A placeholder may be longer than the secret that it replaces.
  const clean = (content: string): string => secrets.redacted({ content }).texts.content.slice(0, MAX_EVENT_CHARS).toWellFormed();
  return {
    ...event,
    ...(text !== '' && { text: clean(text) }),
    ...(input !== '' && { input: clean(input) }),
    ...(output !== '' && { output: clean(output) }),
  };
}

/** Reports only a missed context; another event reports what happened. */
export function isBare({ missed, text, input, output, oversized }: CaptureRequest): boolean {
  return missed !== undefined && oversized !== true && [text, input, output].every((part) => part === undefined);
}
