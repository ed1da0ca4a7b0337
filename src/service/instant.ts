/** Epoch milliseconds of an ISO 8601 text; one without a zone is UTC. */
export function instant(text: string): number {
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T');
  return Date.parse(zoned ? text : `${text}Z`);
}
