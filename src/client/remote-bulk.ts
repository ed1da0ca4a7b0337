import type { BulkOperations, TagReport, TagRequest, Timeline, TimelineRequest } from '../memory/operations/bulk-operations.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import type { Transport } from './transport.ts';

/** What is asked of many entries of a running server, or done to them, over its /api routes. */
export class RemoteBulk implements BulkOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async timeline(request: TimelineRequest, options: CallOptions = {}): Promise<Timeline> {
    const { tags, ...rest } = request;
    // Exactly as they are: a tag may hold a comma.
    const query = { ...rest, tags: tags && JSON.stringify(tags) };
    const { timeZone, total, days } = await this.#transport.json<Timeline>('GET', 'timeline', { ...options, query });
    return { timeZone, total, days };
  }

  async tag(request: TagRequest, options: CallOptions = {}): Promise<TagReport> {
    const answer = await this.#transport.json<TagReport>('POST', 'tags', { ...options, body: request, unlimited: true });
    const { dryRun, matches, changed, left } = answer;
    return { dryRun, matches, changed, left };
  }
}
