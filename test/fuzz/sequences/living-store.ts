import { openApp, VERSION, type App } from '../../../src/app.ts';
import { openKeyRing } from '../../../src/config/api-keys.ts';
import { createServer, type LoreServer } from '../../../src/http/server.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { spaceOf } from '../../../src/service/recall/vector-leg.ts';
import { testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore } from '../../helpers/store.ts';

interface Life {
  readonly app: App;
  readonly http: LoreServer;
  readonly url: string;
}
export interface Reply {
  readonly status: number;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly body: Record<string, unknown>;
}

/** One store on one folder, served over HTTP, through as many lives as a test wants. Removes everything when disposed. */
export class LivingStore implements AsyncDisposable {
  readonly #folder: AsyncDisposable & { readonly path: string };
  #life: Life;

  private constructor(folder: AsyncDisposable & { readonly path: string }, life: Life) {
    this.#folder = folder;
    this.#life = life;
  }

  static async open(): Promise<LivingStore> {
    const folder = await temporaryFolder();
    return new LivingStore(folder, await begin(folder.path, true));
  }

  /** Closes everything and opens it again; `merged`: with everything written into the tables in between. */
  async restart({ merged, background }: { readonly merged: boolean; readonly background: boolean }): Promise<void> {
    const { app } = this.#life;
    const space = spaceOf(app.choice.active);
    await this.#end();
    if (merged) {
      const store = await openTestStore(app.storePath, space);
      await store.optimize();
      await store.close();
    }
    this.#life = await begin(this.#folder.path, background);
  }

  /** A JSON body, or lines of an import. */
  async call(method: string, target: string, body?: unknown): Promise<Reply> {
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    const response = await fetch(`${this.#life.url}${target}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': type }, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, text, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.#folder[Symbol.asyncDispose]();
  }

  async #end(): Promise<void> {
    await this.#life.http.close();
    await this.#life.app.close();
  }
}

async function begin(folder: string, background: boolean): Promise<Life> {
  const { config } = testConfig(folder, { 'server.port': 0 });
  const app = await openApp({ config }, { log: silentLog, cwd: folder, background });
  const http = createServer({
    memories: app.memories,
    answers: app.answers,
    keys: openKeyRing({ config, file: `${folder}/keys.json`, log: silentLog }),
    settings: config.server,
    storageType: config.storage.type,
    log: silentLog,
    version: VERSION,
  });
  const { url } = await http.listen();
  return { app, http, url };
}
