/** A change of the file format. */
export interface Migration {
  /** The version it leads to, as `1.2.3`. */
  readonly to: string;
  /** The file in the new format; does not change what it is given. */
  readonly change: (file: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** Every change since the first format, oldest first. 0.1.0 is the first format. */
export const MIGRATIONS: readonly Migration[] = [];

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Whether a text names a version of the file format. */
export function isVersion(text: unknown): text is string {
  return typeof text === 'string' && VERSION.test(text);
}

/** Below 0 where `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  for (const part of [1, 2, 3]) {
    const difference = Number(left?.[part]) - Number(right?.[part]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The file in the newest format: every migration beyond the version it names, in order. */
export function migrate(
  file: Readonly<Record<string, unknown>>,
  version: string,
  migrations: readonly Migration[],
): Record<string, unknown> {
  return migrations
    .filter((migration) => compareVersions(migration.to, version) > 0)
    .reduce<Record<string, unknown>>((content, migration) => migration.change(content), { ...file });
}
