import { useRef, useState } from 'preact/hooks';
import { LoreError } from '../../../src/memory/errors.ts';
import { ApiError } from '../api/client.ts';
import { importFile, type ImportReport } from '../api/transfer.ts';
import { useServer } from '../shell/server.tsx';
import { dataTexts } from './data-texts.ts';
import { isTable, type ChosenFiles } from './chosen-files.ts';
import { linesOf } from './import-file.ts';
import type { ConvertedLines } from './notes.ts';

/** State of an import: no file, running (preview or import), previewed, done, or failed. */
export type ImportStep =
  | { readonly at: 'start' }
  | { readonly at: 'sending'; readonly name: string; readonly dryRun: boolean; readonly share: number }
  | { readonly at: 'found' | 'done'; readonly name: string; readonly report: ImportReport; readonly made: ConvertedLines | undefined }
  | { readonly at: 'other'; readonly name: string }
  | { readonly at: 'failed'; readonly message: string };

const words = dataTexts.import;

interface Chosen {
  readonly name: string;
  readonly lines: Blob;
  /** If the lines were made of files of another kind. */
  readonly made?: ConvertedLines | undefined;
}

/** The lines of one file of JSON, of one table, or of Markdown files; undefined if there is none of them. */
async function linesIn({ files }: ChosenFiles, name: string, signal: AbortSignal): Promise<Chosen | undefined> {
  const all = await files;
  const [first] = all;
  // Loaded late: it has the reader of front matter.
  const { isNote, notesOf } = await import('./notes.ts');
  if (all.some(isNote)) {
    const made = await notesOf(all, signal);
    return { name, lines: made.lines, made };
  }
  if (first === undefined || all.length > 1) return undefined;
  if (isTable(first)) {
    const { tableLines } = await import('./tables.ts');
    const made = await tableLines(first);
    return { name, lines: made.lines, made };
  }
  const lines = await linesOf(first.file);
  return lines && { name, lines };
}

/** Rejects once the signal is aborted. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Stopped')), { once: true }));
}

/** Imports a file in two steps: preview, then import. */
export function useImport() {
  const { changed } = useServer();
  const [step, setStep] = useState<ImportStep>({ at: 'start' });
  const [namespace, setNamespace] = useState('');
  const chosen = useRef<Chosen | undefined>(undefined);
  const stopping = useRef<AbortController>(undefined);

  /** A new run cancels the current one, so only the latest reports. */
  const begin = (): { readonly signal: AbortSignal; readonly tell: (step: ImportStep) => void } => {
    stopping.current?.abort();
    const own = (stopping.current = new AbortController());
    return { signal: own.signal, tell: (next) => stopping.current === own && setStep(next) };
  };
  const send = async (dryRun: boolean, into: string): Promise<void> => {
    if (chosen.current === undefined) return;
    const { name, lines, made } = chosen.current;
    const { signal, tell } = begin();
    const onProgress = (share: number): void => tell({ at: 'sending', name, dryRun, share });
    onProgress(0);
    try {
      const report = await importFile({ file: lines, dryRun, namespace: into, onProgress, signal });
      tell({ at: dryRun ? 'found' : 'done', name, report, made });
    } catch (error) {
      const failed = error instanceof ApiError ? words.failed(error.message) : words.stopped;
      tell(signal.aborted && dryRun ? { at: 'start' } : { at: 'failed', message: failed });
    }
    if (!dryRun) changed();
  };
  const take = async (given: ChosenFiles): Promise<void> => {
    const name = given.more === 0 ? given.name : words.several(given.name, given.more);
    const { signal, tell } = begin();
    tell({ at: 'sending', name, dryRun: true, share: 0 });
    try {
      const found = await Promise.race([linesIn(given, name, signal), stopped(signal)]);
      signal.throwIfAborted();
      chosen.current = found;
    } catch (error) {
      // Else a file that no longer exists, or that the browser may not read.
      const message = error instanceof LoreError ? words.failed([error.message, error.hint].join(' ')) : words.unreadable(name);
      return tell(signal.aborted ? { at: 'start' } : { at: 'failed', message });
    }
    if (chosen.current === undefined) tell({ at: 'other', name });
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
    take: (given: ChosenFiles) => void take(given),
    store: () => void send(false, namespace),
    stop: () => stopping.current?.abort(),
    leave: () => {
      chosen.current = undefined;
      setStep({ at: 'start' });
    },
  };
}
