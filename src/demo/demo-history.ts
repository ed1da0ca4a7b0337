import type { ArchiveReason } from '../memory/lifecycle.ts';

/** Earlier versions of memories by their key, oldest first. `until`: how many days ago the version was replaced. */
export const EARLIER_VERSIONS: Readonly<
  Record<string, readonly { readonly until: number; readonly content: string; readonly tags: readonly string[] }[]>
> = {
  'retry-8': [
    {
      until: 249,
      content: 'Webhook deliveries retry 8 times over 24 h, then the event goes to `dead_letters`.',
      tags: ['decision', 'webhooks'],
    },
    {
      until: 238,
      content: 'Webhook deliveries retry 8 times over 24 h with jittered backoff, then the event goes to `dead_letters`. Nobody is paged.',
      tags: ['decision', 'webhooks'],
    },
  ],
  'load-test': [
    {
      until: 53,
      content: 'Load test before the season: `npm run load -- --scenario easter --rps 250 --minutes 10`. Green means p95 below 150 ms.',
      tags: ['command', 'performance'],
    },
  ],
  'deploy-cmd': [
    {
      until: 313,
      content: 'Deploy: `make ship ENV=staging`, look at the canary for ten minutes, then `make ship ENV=prod`.',
      tags: ['command', 'deploy'],
    },
  ],
  'sourdough-winter': [{ until: 290, content: 'In winter the kitchen has 16 °C: twelve hours are not enough.', tags: ['recipe'] }],
  'bundle-budget': [
    {
      until: 120,
      content: 'Budget: 100 KB gzip of script until the pay button works. CI prints the table on each pull request.',
      tags: ['decision', 'performance'],
    },
  ],
  'release-train': [{ until: 180, content: 'A release of the gate app every Tuesday.', tags: ['decision', 'release'] }],
};

interface ArchivedMemory {
  readonly namespace: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly savedDaysAgo: number;
  readonly daysAgo: number;
  readonly reason: ArchiveReason;
  /** Key of the memory that was kept, if this one is a near duplicate of it. */
  readonly survivor?: string;
  readonly similarity?: number;
}

/** The archive of the demo. */
export const ARCHIVED: readonly ArchivedMemory[] = [
  {
    namespace: 'kelpwright/api',
    content: 'Webhook deliveries retry eight times over 24 hours with backoff and jitter, then go to dead_letters.',
    tags: ['webhooks'],
    savedDaysAgo: 244,
    daysAgo: 22,
    reason: 'near duplicate',
    survivor: 'retry-8',
    similarity: 0.97,
  },
  {
    namespace: 'global',
    content: 'Always prefer idempotency keys over dedupe tables for anything that gets retried.',
    tags: ['preference'],
    savedDaysAgo: 232,
    daysAgo: 22,
    reason: 'near duplicate',
    survivor: 'idempotency-keys',
    similarity: 0.96,
  },
  {
    namespace: 'kelpwright/infra',
    content: 'Staging is down until Thursday because of the network move, use `preview-3` meanwhile.',
    tags: ['staging'],
    savedDaysAgo: 301,
    daysAgo: 22,
    reason: 'expired',
  },
  {
    namespace: 'kelpwright/gate',
    content: 'Handheld 14 is with the repair shop, spare is number 22.',
    tags: ['crew'],
    savedDaysAgo: 288,
    daysAgo: 22,
    reason: 'expired',
  },
  {
    namespace: 'kelpwright/web',
    content: 'TODO ask Yuki whether the pier photos may be cropped.',
    tags: ['design'],
    savedDaysAgo: 108,
    daysAgo: 6,
    reason: 'forgotten',
  },
  {
    namespace: 'home',
    content: 'Bread: 450 g flour, 350 g water, 90 g starter. Too wet, stuck to everything.',
    tags: ['recipe'],
    savedDaysAgo: 349,
    daysAgo: 13,
    reason: 'forgotten',
  },
];
