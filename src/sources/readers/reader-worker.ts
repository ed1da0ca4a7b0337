/** Worker thread for formats that could block the process: reads one document at a time and responds with a reading or a fault. */
import { parentPort } from 'node:worker_threads';
import { LoreError, type ErrorCode } from '../../memory/errors.ts';
import type { FormatName, ReaderInput, Reading, ReadOptions } from './reader.ts';
import { readAs } from './readers.ts';

/** A document to read. */
export interface ReaderJob {
  readonly format: FormatName;
  readonly input: ReaderInput;
  readonly options: ReadOptions;
}

/** Result of a job; errors lose their class between threads. */
export type ReaderResult = { readonly reading: Reading } | { readonly fault: ReaderFault };

interface ReaderFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

async function answer({ format, input, options }: ReaderJob): Promise<ReaderResult> {
  try {
    return { reading: await readAs(format, input, options) };
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    return { fault: { code: error.code, message: error.message, hint: error.hint } };
  }
}

parentPort?.on('message', (job: ReaderJob) => {
  void answer(job).then((result) => parentPort?.postMessage(result, []));
});
