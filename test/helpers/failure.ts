/** The error that a promise rejects with. Handles the rejection at once, so that a test can do other things first. Fails if the promise resolves. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a failure, got ${String(value)}.`);
}
