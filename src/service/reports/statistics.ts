import type {
  Activity,
  ActivityRequest,
  Growth,
  GrowthRequest,
  StatisticsOperations,
} from '../../memory/operations/statistics-operations.ts';
import { DEFAULT_TIME_ZONE } from '../../memory/time-zone.ts';
import type { Store } from '../../store/store.ts';
import { growthOf } from './growth.ts';
import { RecallActivity } from '../lifecycle/recall-activity.ts';

/** Growth and use of the store. */
export class Statistics implements StatisticsOperations {
  readonly recalls = new RecallActivity();
  readonly #store: Pick<Store, 'catalog'>;

  constructor(store: Pick<Store, 'catalog'>) {
    this.#store = store;
  }

  growth({ range, namespace, timeZone = DEFAULT_TIME_ZONE }: GrowthRequest): Promise<Growth> {
    return Promise.resolve(growthOf(this.#store.catalog.entries(namespace), { range, timeZone, now: Date.now() }));
  }

  activity({ namespace, timeZone = DEFAULT_TIME_ZONE }: ActivityRequest): Promise<Activity> {
    return Promise.resolve(this.recalls.report({ namespace, timeZone }));
  }
}
