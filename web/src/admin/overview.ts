import type { CaptureStats, SettingsAnswer } from '../api/administration.ts';
import type { HealthAnswer, Stats } from '../api/forms.ts';

/** Data that several sections share. Parts that the key may not see are absent. */
export interface Overview {
  readonly health: HealthAnswer;
  readonly stats: Stats | undefined;
  readonly settings: SettingsAnswer | undefined;
  readonly capture: CaptureStats | undefined;
  /** Whether the key of this tab may also make changes. */
  readonly mayWrite: boolean;
  /** The namespace that the key is bound to, if any. */
  readonly boundTo: string | undefined;
  /** Whether the key has full access to every namespace. */
  readonly mayAdminister: boolean;
}
