/**
 * The child process that runs the model. Separate from the server because the runtime blocks the event loop, cannot release its memory, and
 * installs handlers that end its process.
 */
import type { ModelFault, ModelReply, ModelRequest } from './local-protocol.ts';
import { scaleToUnit } from './unit-length.ts';

/** The parts of the library that are used. Its own pooling is some fifty times slower than ours. */
interface Loaded {
  readonly tokenizer: (texts: readonly string[], options: { padding: boolean; truncation: boolean }) => { attention_mask: Tensor };
  readonly model: (inputs: unknown) => Promise<{ last_hidden_state?: Tensor }>;
}
interface Tensor {
  readonly data: ArrayLike<number | bigint>;
  readonly dims: readonly number[];
}
/** Progress event of the library, for network and disk alike. */
interface FileEvent {
  readonly status: string;
  readonly file?: string;
  readonly loaded?: number;
  readonly total?: number;
}

/** Maximum interval of progress messages while the percentage does not change. */
const PROGRESS_INTERVAL_MS = 1_000;

let loaded: Loaded | undefined;

function reply(message: ModelReply): void {
  process.send?.(message);
}

async function handle(request: ModelRequest): Promise<void> {
  try {
    if (request.type === 'load') await load(request);
    else reply({ type: 'vectors', values: (await embed(request.texts)).values });
  } catch (error) {
    reply({ type: 'failed', fault: faultOf(error) });
  }
}

async function load(request: Extract<ModelRequest, { type: 'load' }>): Promise<void> {
  const { env, pipeline } = await import('@xenova/transformers');
  env.cacheDir = request.cacheDir;
  env.localModelPath = request.localModelPath;
  env.allowRemoteModels = request.allowDownload;
  if (request.remoteHost !== undefined) env.remoteHost = request.remoteHost;
  reply({ type: 'started' });
  const pipe: unknown = await pipeline('feature-extraction', request.model, { quantized: true, progress_callback: progressReporter() });
  loaded = pipe as Loaded;
  // The first run shows the vector length, which the model's configuration may not state.
  const { dimensions } = await embed(['ready']);
  reply({ type: 'loaded', dimensions });
}

function progressReporter(): (event: FileEvent) => void {
  let reportedAt = 0;
  let reportedPercent = -1;
  // The other files are 3 % of the download and come first: counting them would show it as finished before it begins.
  let bytes = 0;
  let total = 0;
  return (event) => {
    if (event.status !== 'progress') return;
    if (event.file?.endsWith('.onnx')) {
      bytes = event.loaded ?? 0;
      total = event.total ?? 0;
    }
    const percent = total > 0 ? Math.floor((100 * bytes) / total) : 0;
    if (percent === reportedPercent && Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedPercent = percent;
    reportedAt = Date.now();
    reply({ type: 'progress', loaded: bytes, total });
  };
}

async function embed(texts: readonly string[]): Promise<{ values: Float32Array; dimensions: number }> {
  if (!loaded) throw new Error('No model is loaded.');
  const inputs = loaded.tokenizer(texts, { padding: true, truncation: true });
  const { last_hidden_state: hidden } = await loaded.model(inputs);
  const [rows = 0, length = 0, dimensions = 0] = hidden?.dims ?? [];
  if (!hidden || rows !== texts.length) throw new Error('The model has no output last_hidden_state, which sentence vectors require.');
  const values = new Float32Array(rows * dimensions);
  // Read once: library tensors are proxies, and reading each number takes longer than all the sums.
  const states = hidden.data as Float32Array;
  const mask = inputs.attention_mask.data;
  for (let row = 0; row < rows; row++) {
    const vector = values.subarray(row * dimensions, (row + 1) * dimensions);
    for (let nth = 0; nth < length; nth++) {
      if (Number(mask[row * length + nth]) === 0) continue;
      const start = (row * length + nth) * dimensions;
      for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] as number) + (states[start + at] as number);
    }
    // Sum and mean have the same direction, and only the direction is kept.
    if (!scaleToUnit(vector)) throw new Error('The model returned a zero vector.');
  }
  return { values, dimensions };
}

function faultOf(error: unknown): ModelFault {
  const { name, message, code, cause } = error as Partial<Error> & { code?: unknown };
  const inner = (cause as { code?: unknown } | undefined)?.code;
  return {
    name: String(name),
    message: String(message ?? error),
    code: [code, inner].find((one): one is string => typeof one === 'string'),
  };
}

process.on('message', (request: ModelRequest) => void handle(request));
process.on('unhandledRejection', (error) => {
  reply({ type: 'failed', fault: faultOf(error) });
  process.disconnect();
});
// The parent ended or no longer needs the process.
process.on('disconnect', () => process.exit(0));
// Terminals and service managers signal the whole process group; the parent decides when the last text is embedded.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
