import { follow } from '../../../src/client/event-stream.ts';
import type { StoreEvent } from '../../../src/memory/operations/event-operations.ts';
import { failureOf, quiet } from './request.ts';

export type { StoreEvent };

interface FollowOptions {
  /** Id of the last received event; later events are sent first. */
  readonly after: string | undefined;
  readonly onEvent: (event: StoreEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows the changes of the store over one connection. Resolves when the server ends it; rejects with ApiError if the server refuses or is
 * silent. Never asks for a key.
 */
export async function followEvents({ after, onEvent, signal }: FollowOptions): Promise<void> {
  try {
    // Not EventSource, which cannot send a key.
    for await (const event of follow(quiet, { after }, { signal })) onEvent(event);
  } catch (error) {
    throw failureOf(error);
  }
}
