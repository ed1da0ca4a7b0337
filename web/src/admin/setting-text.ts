/** The value of a setting as one writes it. */
export function settingText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value ?? '');
}
