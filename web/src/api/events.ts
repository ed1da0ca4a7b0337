import { follow } from '../../../src/client/event-stream.ts';
import type { StoreEvent } from '../../../src/memory/operations/event-operations.ts';
import { failureOf, quiet } from './request.ts';

export type { StoreEvent };

interface FollowOptions {
  /** The id of the last event that was seen; what came after it is told first. */
  readonly after: string | undefined;
  readonly onEvent: (event: StoreEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Tells what changes in the store, over one connection: resolves when the server ends it. Rejects with ApiError where it refuses or goes
 * silent. Never asks for a key.
 */
export async function followEvents({ after, onEvent, signal }: FollowOptions): Promise<void> {
  try {
    // Not an EventSource, which can send no key.
    for await (const event of follow(quiet, { after }, { signal })) onEvent(event);
  } catch (error) {
    throw failureOf(error);
  }
}
