import type { Memory } from '../api/responses.ts';

/** Languages of code by file extension, as highlighters name them. */
const CODE = new Set(
  'ts tsx mts cts js jsx mjs cjs py rs go java kt c h cc cpp hpp cs rb php swift scala lua pl r sh bash zsh sql css scss less json yaml yml toml ini xml vue graphql'.split(
    ' ',
  ),
);

/** The language of a passage of a code file; undefined for other memories. */
export function sourceLanguage({ metadata: { source, sourceRef } }: Memory): string | undefined {
  const file = sourceRef?.['file'];
  if (source !== 'index' || typeof file !== 'string') return undefined;
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return CODE.has(ending) ? ending : undefined;
}
