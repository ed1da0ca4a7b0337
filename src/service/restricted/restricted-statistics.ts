import type { CallOptions } from '../../memory/operations/operations.ts';
import type {
  Activity,
  ActivityRequest,
  Growth,
  GrowthRequest,
  StatisticsOperations,
} from '../../memory/operations/statistics-operations.ts';
import type { Limits } from './limited.ts';

/** The same figures of what an API key may see. */
export class RestrictedStatistics implements StatisticsOperations {
  readonly #statistics: StatisticsOperations;
  readonly #limits: Limits;

  constructor(statistics: StatisticsOperations, limits: Limits) {
    this.#statistics = statistics;
    this.#limits = limits;
  }

  async growth(request: GrowthRequest, options?: CallOptions): Promise<Growth> {
    return await this.#statistics.growth(this.#limits.within(request), options);
  }

  async activity(request: ActivityRequest, options?: CallOptions): Promise<Activity> {
    return await this.#statistics.activity(this.#limits.within(request), options);
  }
}
