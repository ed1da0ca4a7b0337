/** Kinds of secrets. If two overlap, the one listed first names the result. */
export const SECRET_KINDS = [
  'private-key',
  'aws-key',
  'github-token',
  'gitlab-token',
  'slack-token',
  'stripe-key',
  'anthropic-key',
  'openai-key',
  'google-key',
  'npm-token',
  'service-token',
  'jwt',
  'bearer-token',
  'url-password',
  'password',
  'token',
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/** A secret in a text: `text.slice(start, end)`, in UTF-16 units. */
export interface Secret {
  readonly kind: SecretKind;
  readonly start: number;
  readonly end: number;
}
