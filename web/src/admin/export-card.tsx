import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { openExport } from '../api/transfer.ts';
import { Command } from '../parts/command.tsx';
import { size } from '../parts/formats.ts';
import { namespaceOptions, Select } from '../parts/select.tsx';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { dataTexts } from './data-texts.ts';
import { Check } from '../parts/check.tsx';
import { Button } from '../parts/button.tsx';
import type { Overview } from './use-overview.ts';

const words = dataTexts.export;
/** The page holds the whole file in memory before it is saved. Larger exports should be written directly to disk. */
const MANY = 200_000;

/** Exports the memories of the store or of one namespace to a file. */
export function ExportCard({ overview: { health, boundTo } }: { overview: Overview }) {
  const { namespaces } = useServer();
  const [namespace, setNamespace] = useState('');
  const [all, setAll] = useState(true);
  const number = namespaces.find((one) => one.namespace === namespace)?.entries ?? health.stats.totalEntries;
  return (
    <section class="card" aria-labelledby="export-title">
      <header class="row row--wrap card-h">
        <h3 id="export-title">{words.title}</h3>
      </header>
      <p class="ink2 small">{words.lead}</p>
      <div class="stack small-gap">
        <Select
          aria-label={words.namespace}
          value={namespace}
          options={[{ value: '', label: boundTo ?? words.everything }, ...(boundTo === undefined ? namespaceOptions(namespaces) : [])]}
          onChoose={setNamespace}
        />
        <Check label={words.beside} checked={all} onChange={setAll} />
      </div>
      {number > MANY ? <ByCommand namespace={namespace} all={all} /> : <Download namespace={namespace} all={all} number={number} />}
    </section>
  );
}

function ByCommand({ namespace, all }: { namespace: string; all: boolean }) {
  const which = namespace === '' ? '' : ` --namespace '${namespace.replaceAll("'", String.raw`'\''`)}'`;
  return (
    <div class="stack small-gap">
      <p class="small">{words.large}</p>
      <Command text={`lore export lore.jsonl.gz${which}${all ? ' --all' : ''}`} />
    </div>
  );
}

function Download({ namespace, all, number }: { namespace: string; all: boolean; number: number }) {
  const { received, start, stop } = useDownload();
  return (
    <div class="row row--wrap">
      {received === undefined ? (
        <Button icon="download" label={words.start(number)} disabled={number === 0 && !all} onClick={() => start({ namespace, all })} />
      ) : (
        <Button icon="x" label={words.stop} onClick={stop} />
      )}
      <span class="dim small num" role="status">
        {received !== undefined && words.running(size(received))}
      </span>
    </div>
  );
}

function useDownload() {
  const [received, setReceived] = useState<number>();
  const stopping = useRef<AbortController>(undefined);
  const run = async (scope: { namespace: string; all: boolean }): Promise<void> => {
    const controller = new AbortController();
    stopping.current = controller;
    setReceived(0);
    try {
      const { name, body } = await openExport(scope, controller.signal);
      toast(words.done(size(await keepStream(name, body, setReceived))), { icon: 'download' });
    } catch (error) {
      if (controller.signal.aborted) return;
      toast(words.failed(error instanceof ApiError ? error.message : texts.errors.network), { bad: true });
    } finally {
      setReceived(undefined);
    }
  };
  return {
    received,
    start: (scope: { namespace: string; all: boolean }) => void run(scope),
    stop: () => stopping.current?.abort(),
  };
}

/** Saves a stream as a file download when it is complete. Resolves with the number of bytes; calls `onBytes` on the way. */
async function keepStream(name: string, body: ReadableStream<Uint8Array<ArrayBuffer>>, onBytes: (bytes: number) => void): Promise<number> {
  let bytes = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  // A blob, which the browser may store on disk; buffers of our own would fill the memory.
  const blob = await new Response(body.pipeThrough(counting)).blob();
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser may first ask where to save the file, and reads the blob only then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return bytes;
}
