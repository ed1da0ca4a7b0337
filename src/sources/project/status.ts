import { planProject, type PlanOptions } from './plan.ts';

export interface IndexStatus {
  readonly namespace: string;
  readonly root: string;
  /** Path relative to the root; empty for the whole project. */
  readonly scope: string;
  /** Number of stored files, and of their entries. */
  readonly files: number;
  readonly entries: number;
  /** Time of the last change, ISO 8601; absent if nothing is stored. */
  readonly updatedAt?: string;
  /** Changes that a run would make now. */
  readonly pending: {
    readonly new: number;
    readonly changed: number;
    readonly renamed: number;
    readonly removed: number;
    readonly left: number;
  };
  readonly upToDate: boolean;
}

/** Summary of what is stored of a project, and whether it is up to date. Changes nothing. */
export async function projectStatus(options: PlanOptions): Promise<IndexStatus> {
  const { project } = options;
  const { files, removed, unchanged, left, replaced } = await planProject(options);
  const stored = [...unchanged, ...removed, ...replaced];
  const of = (change: string): number => files.filter((file) => file.change === change).length;
  const latest = stored.reduce((newest, { updatedAt }) => Math.max(newest, updatedAt), 0);
  const pending = { new: of('new'), changed: of('changed'), renamed: of('renamed'), removed: removed.length, left };
  return {
    namespace: project.namespace,
    root: project.root,
    scope: project.scope,
    files: stored.length,
    entries: stored.reduce((sum, { entries }) => sum + entries, 0),
    ...(latest > 0 ? { updatedAt: new Date(latest).toISOString() } : {}),
    pending,
    upToDate: Object.values(pending).every((count) => count === 0),
  };
}
