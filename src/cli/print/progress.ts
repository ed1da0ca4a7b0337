import cliProgress from 'cli-progress';
import { fit } from './text-width.ts';

/** Counts towards a total that may be unknown. */
export interface Progress {
  add(amount: number): void;
  /** Clears the line. Safe to repeat. */
  stop(): void;
}

const silent: Progress = { add: () => {}, stop: () => {} };

/** A progress bar on stderr if that is a terminal, else nothing. `total` in the unit that `add` counts, undefined if unknown. */
export function progressBar(label: string, total: number | undefined): Progress {
  if (!process.stderr.isTTY || process.env['TERM'] === 'dumb') return silent;
  if (total === undefined) return counter(label);
  if (total <= 0) return silent;
  const bar = new cliProgress.SingleBar(
    {
      format: `${label} {bar} {percentage} %`,
      barsize: 30,
      clearOnComplete: true,
      hideCursor: null,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0);
  return { add: (amount) => bar.increment(amount), stop: () => bar.stop() };
}

function counter(label: string): Progress {
  const status = statusLine();
  let count = 0;
  let shown = 0;
  return {
    add: (amount) => {
      count += amount;
      if (Date.now() - shown < 100) return;
      shown = Date.now();
      status.show(`${label} ${count.toLocaleString('en-US')}`);
    },
    stop: () => status.clear(),
  };
}

/** One line on stderr that is overwritten; nothing if that is no terminal. */
export function statusLine(): { show(text: string): void; clear(): void } {
  if (!process.stderr.isTTY) return { show: () => {}, clear: () => {} };
  let isShown = false;
  const write = (text: string) => {
    process.stderr.write(`\r${text}\u001b[K`);
    isShown = text !== '';
  };
  return {
    show: (text) => write(fit(text, (process.stderr.columns ?? 80) - 1)),
    clear: () => {
      if (isShown) write('');
    },
  };
}
