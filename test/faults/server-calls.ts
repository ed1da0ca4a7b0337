import { request } from 'node:http';
import type { Cli, Ran } from '../helpers/cli.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** However busy the machine is, an answer that takes longer never comes. */
const ANSWER_MS = 60_000;

/** Asks a server; `body` is sent as JSON. */
export async function call(url: string, method: string, path: string, body?: unknown): Promise<Answered> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(new URL(path, url), { method, ...(body !== undefined && json), signal: AbortSignal.timeout(ANSWER_MS) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

/** What was asked of a store, and what it acknowledged. */
export class Acknowledged {
  /** Contents by id. */
  readonly saved = new Map<string, string>();
  /** Contents that were refused: they may not be there. */
  readonly refused = new Set<string>();
  readonly statuses = new Map<number, number>();

  /** Gives the answer. An answer that does not come is neither. */
  async save(url: string, content: string, namespace = 'faults'): Promise<Answered> {
    const answered = await call(url, 'POST', '/api/save', { content, namespace });
    const [id] = (answered.body['ids'] ?? []) as string[];
    this.statuses.set(answered.status, (this.statuses.get(answered.status) ?? 0) + 1);
    if (answered.status === 200 && id !== undefined) this.saved.set(id, content);
    else this.refused.add(content);
    return answered;
  }

  async remove(url: string, id: string): Promise<Answered> {
    const answered = await call(url, 'DELETE', `/api/${id}`);
    if (answered.status === 200) {
      this.refused.add(this.saved.get(id) ?? '');
      this.saved.delete(id);
    }
    return answered;
  }

  /** What disagrees with these entries: acknowledged ones that are missing, refused ones that are there. */
  differences(entries: readonly { readonly id: string; readonly content: string }[]): string[] {
    const found = new Map(entries.map(({ id, content }) => [id, content]));
    const lost = [...this.saved].filter(([id, content]) => found.get(id) !== content).map(([, content]) => `lost: ${content.slice(0, 60)}`);
    const undead = entries.filter(({ content }) => this.refused.has(content)).map(({ content }) => `came back: ${content.slice(0, 60)}`);
    const twice = entries.length - found.size;
    return [...lost, ...undead, ...(twice > 0 ? [`${twice} ids twice`] : [])];
  }
}

interface Found {
  readonly id: string;
  readonly content: string;
}

/** Every entry, as a server exports them. */
export async function everything(url: string): Promise<Found[]> {
  const response = await fetch(new URL('/api/export', url));
  if (response.status !== 200) throw new Error(`The export answered ${response.status}.`);
  return entriesIn(await response.text());
}

/** The same by the command line, of a store that no server has open. */
export async function exported(cli: Cli, store: string): Promise<Found[]> {
  const ran: Ran = await cli.run(['export'], { env: { SERVICE_STORAGE_PATH: store } });
  if (ran.code !== 0) throw new Error(`The export ended with ${ran.code}: ${ran.stderr}`);
  return entriesIn(ran.stdout);
}

function entriesIn(lines: string): Found[] {
  const values = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Partial<Found>]));
  return values.flatMap(({ id, content }) => (id !== undefined && content !== undefined ? [{ id, content }] : []));
}

/** A line of a full report: what became of a line of the input, the sum of all, or what stopped it. */
export interface ReportLine {
  readonly success?: boolean;
  readonly status?: string;
  readonly id?: string;
  readonly summary?: unknown;
  readonly code?: string;
  readonly error?: string;
}

export interface OpenImport {
  /** Resolves when more may be sent; what comes after the end of the report goes nowhere. */
  send(line: unknown): Promise<void>;
  /** No more lines follow. */
  end(): void;
  /** The lines of the report that came whole, once no more of it comes. */
  readonly report: Promise<readonly ReportLine[]>;
}

/** An import whose full report is read while its lines are sent. */
export function openImport(url: string): OpenImport {
  const headers = { 'content-type': 'application/x-ndjson' };
  const sent = request(new URL('/api/import?report=full', url), { method: 'POST', headers });
  let heard = '';
  const report = new Promise<readonly ReportLine[]>((resolve) => {
    const finish = (): void => {
      const whole = heard.split('\n').slice(0, -1);
      resolve(whole.map((line) => JSON.parse(line) as ReportLine));
      sent.destroy();
    };
    sent.on('error', () => undefined);
    sent.once('response', (response) => {
      response.setEncoding('utf8').on('data', (text) => {
        heard += String(text);
      });
      response.on('error', () => undefined).once('close', finish);
    });
    // One turn later than the end of the answer, where there is one.
    sent.once('close', () => setImmediate(finish));
  });
  return {
    report,
    send: async (line) => {
      if (sent.destroyed || sent.write(`${JSON.stringify(line)}\n`)) return;
      await Promise.race([new Promise((resolve) => sent.once('drain', resolve)), report]);
    },
    end: () => void sent.end(),
  };
}

/** The ids of the lines that a report calls stored. */
export const storedIds = (report: readonly ReportLine[]): string[] =>
  report.flatMap(({ status, id }) => (status === 'stored' && id !== undefined ? [id] : []));
