import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { sharedClients } from './shared-clients.ts';

/** More by hand: `LORE_KILL_ROUNDS=50 npx vitest run --config test/vitest.config.ts test/cli/mcp-sharing.drill.ts`. */
const KILLS = Number(process.env['LORE_KILL_ROUNDS'] ?? 6);
const CLIENTS = 10;
const CONNECTION_CLOSED: number = ErrorCode.ConnectionClosed;

const shared = sharedClients();

describe('ten clients of one store', () => {
  it(
    'lose no acknowledged write, never hang, and leave no process while the one with the store is killed',
    async () => {
      const acknowledged = new Map<string, string>();
      const pids = new Set<number>();
      const over = new AbortController();
      const ends: { code: number | null; signal: NodeJS.Signals | null }[] = [];
      let killed = 0;

      /** One client: saves and recalls until the end; a process that was killed is started again, as an editor does. */
      const work = async (name: number): Promise<void> => {
        for (let life = 0; !over.signal.aborted; life += 1) {
          const mcp = await shared.start();
          pids.add(mcp.child.pid!);
          for (let n = 0; !over.signal.aborted && mcp.child.signalCode === null; n += 1) {
            const content = `walrus ${name} of life ${life} says ${n}`;
            try {
              const { id } = await mcp.call<{ id: string }>('memory_save', { content });
              acknowledged.set(content, id);
              const { results } = await mcp.call<{ results: { id: string }[] }>('memory_recall', { query: content, limit: 20 });
              expect(results.length).toBeGreaterThan(0);
              expect(await mcp.call('memory_get', { id })).toMatchObject({ content });
            } catch (error) {
              // Only the death of the process that was asked may break a call.
              if (!(error instanceof McpError) || error.code !== CONNECTION_CLOSED) throw error;
              ends.push(await mcp.end());
            }
          }
          if (mcp.child.signalCode === null) ends.push(await mcp.end());
        }
      };

      const kill = async (): Promise<void> => {
        const dead = new Set<number>();
        for (let from = 0; killed < KILLS && !over.signal.aborted;) {
          await sleep(50 + Math.random() * 250);
          if (acknowledged.size < from + CLIENTS) continue;
          const pid = shared.holderPid();
          if (pid === undefined || dead.has(pid)) continue;
          process.kill(pid, 'SIGKILL');
          dead.add(pid);
          killed += 1;
          from = acknowledged.size;
        }
        over.abort();
      };

      const stopAll = (error: unknown): never => {
        over.abort();
        throw error;
      };
      await Promise.all([kill().catch(stopAll), ...Array.from({ length: CLIENTS }, (_, name) => work(name).catch(stopAll))]);

      expect(killed).toBe(KILLS);
      const orderly = ends.filter(({ signal }) => signal !== 'SIGKILL');
      expect(ends.length - orderly.length).toBe(KILLS);
      expect(orderly.filter(({ code }) => code !== 0)).toEqual([]);
      expect([...pids].filter(isRunning)).toEqual([]);
      expect(existsSync(join(shared.store, 'lore.lock')) && shared.holderPid() !== undefined).toBe(false);
      const { stdout } = await shared.cli.run(['export'], { env: { SERVICE_STORAGE_PATH: shared.store } });
      const lines = stdout.trim().split('\n').slice(1);
      const stored = new Map(
        lines.map((line) => JSON.parse(line) as { id: string; content: string }).map(({ id, content }) => [content, id]),
      );
      expect(lines).toHaveLength(stored.size);
      const lost = [...acknowledged]
        .filter(([content, id]) => stored.get(content) !== id)
        .map(([content, id]) => ({ content, id, stored: stored.get(content) }));
      expect({ lost, of: acknowledged.size }).toEqual({ lost: [], of: acknowledged.size });
      expect(acknowledged.size).toBeGreaterThan(CLIENTS);
    },
    180_000 + KILLS * 5_000,
  );
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
