import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { importFile, type ImportReport } from '../api/transfer.ts';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { linesOf } from './import-file.ts';

/** Where an import is: nothing chosen, on its way (only looking, or for good), looked at, done, or come to nothing. */
export type ImportStep =
  | { readonly at: 'start' }
  | { readonly at: 'sending'; readonly name: string; readonly dryRun: boolean; readonly share: number }
  | { readonly at: 'found'; readonly name: string; readonly report: ImportReport }
  | { readonly at: 'done'; readonly name: string; readonly report: ImportReport }
  | { readonly at: 'other'; readonly name: string }
  | { readonly at: 'failed'; readonly message: string };

interface Chosen {
  readonly name: string;
  readonly lines: Blob;
}

/** Brings a file in, in two steps: what is in it, and then what was found. */
export function useImport() {
  const { changed } = useServer();
  const [step, setStep] = useState<ImportStep>({ at: 'start' });
  const [namespace, setNamespace] = useState('');
  const chosen = useRef<Chosen | undefined>(undefined);
  const stopping = useRef<AbortController>(undefined);

  const send = async (dryRun: boolean, into: string): Promise<void> => {
    if (chosen.current === undefined) return;
    const { name, lines } = chosen.current;
    const { signal } = (stopping.current = new AbortController());
    const onProgress = (share: number): void => setStep({ at: 'sending', name, dryRun, share });
    onProgress(0);
    try {
      const report = await importFile({ file: lines, dryRun, namespace: into, onProgress, signal });
      setStep({ at: dryRun ? 'found' : 'done', name, report });
    } catch (error) {
      const failed = error instanceof ApiError ? texts.admin.import.failed(error.message) : texts.admin.import.stopped;
      setStep(signal.aborted && dryRun ? { at: 'start' } : { at: 'failed', message: failed });
    }
    if (!dryRun) changed();
  };
  const take = async (file: File): Promise<void> => {
    const lines = await linesOf(file);
    chosen.current = lines && { name: file.name, lines };
    if (lines === undefined) setStep({ at: 'other', name: file.name });
    else await send(true, namespace);
  };
  const into = (other: string): void => {
    setNamespace(other);
    void send(true, other);
  };
  return {
    step,
    namespace,
    into,
    take: (file: File) => void take(file),
    store: () => void send(false, namespace),
    stop: () => stopping.current?.abort(),
    leave: () => {
      chosen.current = undefined;
      setStep({ at: 'start' });
    },
  };
}
