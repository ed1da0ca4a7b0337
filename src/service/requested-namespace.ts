import { GLOBAL_NAMESPACE } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';

/** The namespace that a save goes to. Throws `invalid_input` if the request names another one together with `global`. */
export function namespaceOfSave(
  { namespace, global }: { namespace?: string | undefined; global?: boolean | undefined },
  own: string,
): string {
  if (global !== true) return namespace ?? own;
  if (namespace === undefined || namespace === GLOBAL_NAMESPACE) return GLOBAL_NAMESPACE;
  throw new LoreError('invalid_input', 'Give either `namespace` or `global: true`, not both.');
}

/** The namespaces that a request reads. */
export interface NamespaceChoice {
  readonly namespace?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
}

/** The namespace that a request names, undefined for all. Throws `invalid_input` if it names both one and all. */
export function requestedNamespace({ namespace, allNamespaces }: NamespaceChoice, own: string): string | undefined {
  if (allNamespaces !== true) return namespace ?? own;
  if (namespace === undefined) return undefined;
  throw new LoreError('invalid_input', 'Give either `namespace` or `allNamespaces`, not both.');
}
