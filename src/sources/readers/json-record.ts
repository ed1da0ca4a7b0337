/** A parsed JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object and not a list. */
export const isRecord = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null && !Array.isArray(value);
