/** The state of a store in one word, by what is not as it should be. */
export const statusOf = (degraded: readonly string[]): 'healthy' | 'degraded' => (degraded.length === 0 ? 'healthy' : 'degraded');
