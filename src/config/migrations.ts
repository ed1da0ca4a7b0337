/** A change of the file format. */
export interface Migration {
  /** Target version, such as `1.2.3`. */
  readonly to: string;
  /** Converts a file to the new format; does not change its argument. */
  readonly change: (file: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** All migrations, oldest first. 0.1.0 is the first format. */
export const MIGRATIONS: readonly Migration[] = [];

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Whether a text is a version of the file format. */
export function isVersion(text: unknown): text is string {
  return typeof text === 'string' && VERSION.test(text);
}

/** Negative if `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  for (const part of [1, 2, 3]) {
    const difference = Number(left?.[part]) - Number(right?.[part]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Applies every migration after `version`, in order. */
export function migrate(
  file: Readonly<Record<string, unknown>>,
  version: string,
  migrations: readonly Migration[],
): Record<string, unknown> {
  return migrations
    .filter((migration) => compareVersions(migration.to, version) > 0)
    .reduce<Record<string, unknown>>((content, migration) => migration.change(content), { ...file });
}
