import type {
  MergeNamespacesRequest,
  MoveReport,
  MoveRequest,
  NamespaceOperations,
  RenameNamespaceRequest,
} from '../memory/operations/namespace-operations.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import type { Transport } from './transport.ts';

/** Renaming, merging and moving in a running server's store. They may take as long as they need. */
export class RemoteMoves implements NamespaceOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  rename(request: RenameNamespaceRequest, options: CallOptions = {}): Promise<MoveReport> {
    return this.#send('rename', request, options);
  }

  merge(request: MergeNamespacesRequest, options: CallOptions = {}): Promise<MoveReport> {
    return this.#send('merge', request, options);
  }

  move(request: MoveRequest, options: CallOptions = {}): Promise<MoveReport> {
    return this.#send('move', request, options);
  }

  async #send(verb: 'rename' | 'merge' | 'move', request: object, options: CallOptions): Promise<MoveReport> {
    type Answer = MoveReport & { readonly success?: true };
    const answer = await this.#transport.json<Answer>('POST', `namespaces/${verb}`, { ...options, body: request, unlimited: true });
    const { success: _success, ...report } = answer;
    return report;
  }
}
