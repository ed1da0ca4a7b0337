/** The clock that jobs use. */
export interface JobClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls once after `ms` milliseconds, at most 2^31 - 1. The returned function cancels it. Does not keep the process alive. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: JobClock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};
