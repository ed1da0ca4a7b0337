/** The status of a store in one word, from its problems. */
export const statusOf = (degraded: readonly string[]): 'healthy' | 'degraded' => (degraded.length === 0 ? 'healthy' : 'degraded');
