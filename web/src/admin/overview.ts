import type { CaptureStats, SettingsAnswer } from '../api/administration.ts';
import type { HealthAnswer, Stats } from '../api/forms.ts';

/** What several sections are made of. What the key may not see is absent. */
export interface Overview {
  readonly health: HealthAnswer;
  readonly stats: Stats | undefined;
  readonly settings: SettingsAnswer | undefined;
  readonly capture: CaptureStats | undefined;
  /** Whether the key of this tab may also change what it sees. */
  readonly mayWrite: boolean;
  /** The namespace that it is bound to, where it is bound to one. */
  readonly boundTo: string | undefined;
  /** Whether it may do everything, in every namespace. */
  readonly mayAdminister: boolean;
}
