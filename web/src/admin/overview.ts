import type { CaptureStats, SettingsAnswer } from '../api/administration.ts';
import type { HealthAnswer, Stats } from '../api/forms.ts';

/** What the key of this tab may do: everything, only read, or only within one namespace. */
export type Rights = 'full' | 'read' | 'bound';

/** What several sections are made of. What the key may not see is absent. */
export interface Overview {
  readonly health: HealthAnswer;
  readonly stats: Stats | undefined;
  readonly settings: SettingsAnswer | undefined;
  readonly capture: CaptureStats | undefined;
  readonly rights: Rights;
}
