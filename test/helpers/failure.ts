/** What a promise fails with. Watches it from now on, so that a test may do other things first; fails where it succeeds. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a failure, got ${String(value)}.`);
}
