/** Cleanup that must finish before the process ends; a command registers its open store here. */
type Release = () => Promise<void>;

const RELEASE_LIMIT_MS = 10_000;
const releases = new Set<Release>();
let running: Promise<never> | undefined;

/** Registers cleanup for an early end of the process. Returns a function that unregisters it. */
export function onShutdown(release: Release): () => void {
  releases.add(release);
  return () => releases.delete(release);
}

/** The promise of a running shutdown, or undefined; code that finds it prints nothing and waits for it. */
export function runningShutdown(): Promise<never> | undefined {
  return running;
}

/** Runs the registered cleanup (10 seconds at most), then ends the process. A second call ends it at once. */
export function shutDown(exitCode: number): void {
  if (running) process.exit(exitCode);
  setTimeout(() => process.exit(exitCode), RELEASE_LIMIT_MS).unref();
  running = Promise.allSettled([...releases].map((release) => release())).then(() => process.exit(exitCode));
}

/** Ends quietly when the reader of the output has gone (`lore list | head`), which is not a failure. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!running) shutDown(0);
  });
  // Nobody can read an error about a lost stderr.
  process.stderr.on('error', () => {});
}

/** Ctrl-C ends with 130 and SIGTERM with 143, after the store is closed; the second signal ends at once. */
export function endOnSignals(): void {
  process.on('SIGINT', () => shutDown(130));
  process.on('SIGTERM', () => shutDown(143));
}
