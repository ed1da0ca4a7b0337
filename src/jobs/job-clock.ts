/** The clock that jobs use. */
export interface JobClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls once after so many milliseconds, at most 2^31 - 1, unless the returned function is called before. Keeps no process alive. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: JobClock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};
