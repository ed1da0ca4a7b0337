import { LoreError } from '../../memory/errors.ts';
import type { MoveReport, NamespaceOperations } from '../../memory/operations/namespace-operations.ts';

/** Entries that leave one namespace come to another: a key that may not change both is refused. */
export class NoMoves implements NamespaceOperations {
  rename(): Promise<MoveReport> {
    return refuse();
  }

  merge(): Promise<MoveReport> {
    return refuse();
  }

  move(): Promise<MoveReport> {
    return refuse();
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new LoreError('forbidden', 'Renaming, merging and moving need a key with full access to every namespace.'));
}
