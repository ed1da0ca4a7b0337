import type { CallOptions } from '../memory/operations/operations.ts';
import type { Activity, ActivityRequest, Growth, GrowthRequest, StatisticsOperations } from '../memory/operations/statistics-operations.ts';
import type { Transport } from './transport.ts';

type Minutes = Activity['latency']['minutes'];
interface ActivityAnswer extends Omit<Activity, 'since' | 'latency'> {
  readonly since: string;
  readonly latency: Omit<Activity['latency'], 'minutes'> & {
    readonly minutes: readonly (Omit<Minutes[number], 'at'> & { readonly at: string })[];
  };
}

/** Growth and use of a running server's store. */
export class RemoteStatistics implements StatisticsOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async growth(request: GrowthRequest, options: CallOptions = {}): Promise<Growth> {
    const { range, step, points } = await this.#transport.json<Growth>('GET', 'stats/growth', { ...options, query: request });
    return { range, step, points };
  }

  async activity(request: ActivityRequest, options: CallOptions = {}): Promise<Activity> {
    const answer = await this.#transport.json<ActivityAnswer>('GET', 'stats/activity', { ...options, query: request });
    const { since, latency, today } = answer;
    const minutes = latency.minutes.map((minute) => ({ ...minute, at: Date.parse(minute.at) }));
    return { since: Date.parse(since), latency: { ...latency, minutes }, today };
  }
}
