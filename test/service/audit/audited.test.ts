import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../../src/memory/audit.ts';
import { AuditFile } from '../../../src/service/audit/audit-file.ts';
import { auditedBy } from '../../../src/service/audit/audited.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { recordedLog } from '../../helpers/recorded-log.ts';

const CALLER = { key: 'laptop', access: 'full', remote: '127.0.0.1', requestId: 'r-1' } as const;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

function record(fields: Partial<AuditRecord> = {}): AuditRecord {
  return { time: '2026-01-31T12:00:00.000Z', key: 'laptop', action: 'read', operation: 'get', result: 'ok', ...fields };
}

async function linesOf(folder: string, name = 'audit.jsonl'): Promise<Record<string, unknown>[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('audited operations', () => {
  it('record who did what to which entries with what result, without texts', async () => {
    await using app = await openTestApp();
    const records: AuditRecord[] = [];
    const memories = auditedBy(app.memories, CALLER, { write: (one) => records.push(one) });
    const { ids } = await memories.save({ content: 'walrus of the secretsauce', namespace: 'zoo', tags: ['tagsauce'] }, { source: 'cli' });
    const [id] = ids as [string];
    const other = (await memories.save({ content: 'another secretsauce', namespace: 'zoo' })).ids[0]!;
    await memories.recall({ query: 'secretsauce walrus', namespace: 'zoo' }, { source: 'mcp' });
    await memories.list({ namespace: 'zoo', source: 'cli' });
    await memories.get(id);
    await memories.relations.relate({ sourceId: id, targetId: other, type: 'references' });
    const { token } = await memories.lifecycle.forgetMany({ ids: [other] });
    await memories.lifecycle.forgetMany({ ids: [other], confirm: token! });
    await memories.moves.rename({ from: 'zoo', to: 'park', dryRun: true });
    for await (const line of memories.export({})) void line;
    await memories.forget(id);
    await expect(memories.get(UNKNOWN)).rejects.toMatchObject({ code: 'not_found' });
    const short = records.map(({ action, operation, namespaces, ids: about = [], count, dryRun, source, result }) => [
      action,
      operation,
      namespaces?.join() ?? '',
      about.map((one) => (one === id ? 'a' : one === other ? 'b' : 'x')).join(''),
      count,
      dryRun === true ? 'dry' : '',
      source ?? '',
      result,
    ]);
    expect(short).toEqual([
      ['write', 'save', 'zoo', 'a', 1, '', 'cli', 'ok'],
      ['write', 'save', 'zoo', 'b', 1, '', '', 'ok'],
      ['read', 'recall', 'zoo', 'ab', 2, '', 'mcp', 'ok'],
      ['read', 'list', 'zoo', 'a', 1, '', '', 'ok'],
      ['read', 'get', '', 'a', 1, '', '', 'ok'],
      ['write', 'relations.relate', '', 'ab', undefined, '', '', 'ok'],
      ['delete', 'lifecycle.forgetMany', '', 'b', 1, 'dry', '', 'ok'],
      ['delete', 'lifecycle.forgetMany', '', 'b', 1, '', '', 'ok'],
      ['write', 'moves.rename', 'zoo,park', '', 1, 'dry', '', 'ok'],
      ['export', 'export', '', '', 1, '', '', 'ok'],
      ['delete', 'forget', '', 'a', undefined, '', '', 'ok'],
      ['read', 'get', '', 'x', undefined, '', '', 'not_found'],
    ]);
    expect(records[0]).toMatchObject({ ...CALLER, time: expect.stringMatching(/^\d{4}-.+Z$/) as unknown });
    expect(JSON.stringify(records)).not.toMatch(/sauce|walrus/);
  });

  it('record refusals too, immediate or later', async () => {
    await using app = await openTestApp();
    const records: AuditRecord[] = [];
    const reader = restrictTo(app.memories, { name: 'reader', access: 'read', namespace: 'mine' });
    const memories = auditedBy(reader, { key: 'reader', access: 'read', bound: 'mine' }, { write: (one) => records.push(one) });
    await expect(memories.save({ content: 'no' })).rejects.toMatchObject({ code: 'forbidden' });
    expect(() => memories.changes.follow({ namespace: 'theirs' })).toThrow('bound');
    await expect(memories.backups.list()).rejects.toMatchObject({ code: 'forbidden' });
    await memories.health();
    expect(records.map(({ operation, result, bound }) => [operation, result, bound])).toEqual([
      ['save', 'forbidden', 'mine'],
      ['changes.follow', 'forbidden', 'mine'],
      ['backups.list', 'forbidden', 'mine'],
    ]);
  });
});

describe('the file of the audit log', () => {
  it('is private, complete and in order', async () => {
    await using folder = await temporaryFolder();
    const at = path.join(folder.path, 'audit');
    const file = new AuditFile({ folder: at, maxFileBytes: 1e6, keepFiles: 2 }, recordedLog());
    for (let nth = 0; nth < 500; nth += 1) file.write(record({ count: nth }));
    await file.close();
    await file.close();
    expect((await linesOf(at)).map(({ count }) => count)).toEqual(Array.from({ length: 500 }, (_, nth) => nth));
    expect([(await stat(at)).mode & 0o777, (await stat(path.join(at, 'audit.jsonl'))).mode & 0o777]).toEqual([0o700, 0o600]);
    const again = new AuditFile({ folder: at, maxFileBytes: 1e6, keepFiles: 2 }, recordedLog());
    again.write(record({ count: 500 }));
    await again.close();
    expect(await linesOf(at)).toHaveLength(501);
  });

  it('is rotated by size, and the oldest files are removed', async () => {
    await using folder = await temporaryFolder();
    const line = `${JSON.stringify(record({ count: 10 }))}\n`.length;
    const file = new AuditFile({ folder: folder.path, maxFileBytes: line * 4, keepFiles: 2 }, recordedLog());
    for (let nth = 10; nth < 30; nth += 1) {
      file.write(record({ count: nth }));
      if (nth % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await file.close();
    const names = (await readdir(folder.path)).toSorted();
    expect(names).toEqual(['audit.1.jsonl', 'audit.2.jsonl', 'audit.jsonl']);
    const oldestFirst = ['audit.2.jsonl', 'audit.1.jsonl', 'audit.jsonl'];
    const counts = (await Promise.all(oldestFirst.map((name) => linesOf(folder.path, name)))).flat().map(({ count }) => count);
    expect(counts).toEqual(Array.from({ length: counts.length }, (_, nth) => 30 - counts.length + nth));
    for (const name of names) expect((await stat(path.join(folder.path, name))).size).toBeLessThanOrEqual(line * 4);
  });

  it('is rotated in time also if another process writes to it', async () => {
    await using folder = await temporaryFolder();
    const own = { folder: folder.path, maxFileBytes: 1000, keepFiles: 3 };
    const [server, command] = [new AuditFile(own, recordedLog()), new AuditFile(own, recordedLog())];
    const long = record({ requestId: 'r'.repeat(500) });
    server.write(record({ operation: 'first' }));
    const sizeOf = async (name: string): Promise<number> => (await stat(path.join(folder.path, name)).catch(() => ({ size: 0 }))).size;
    await expect.poll(() => sizeOf('audit.jsonl')).toBeGreaterThan(0);
    command.write(long);
    await command.close();
    server.write(long);
    await server.close();
    expect((await linesOf(folder.path, 'audit.1.jsonl')).map(({ operation }) => operation)).toEqual(['first', 'get']);
    expect((await linesOf(folder.path)).map(({ operation }) => operation)).toEqual(['get']);
  });

  it('is recreated if it was removed', async () => {
    await using folder = await temporaryFolder();
    const file = new AuditFile({ folder: folder.path, maxFileBytes: 1e6, keepFiles: 2 }, recordedLog());
    const at = path.join(folder.path, 'audit.jsonl');
    file.write(record({ count: 1 }));
    await expect.poll(() => linesOf(folder.path).catch(() => [])).toHaveLength(1);
    await rename(at, `${at}.away`);
    file.write(record({ count: 2 }));
    await file.close();
    expect((await linesOf(folder.path)).map(({ count }) => count)).toEqual([2]);
  });

  it('reports a write failure, keeps pending lines, and continues afterwards', async () => {
    await using folder = await temporaryFolder();
    const log = recordedLog();
    const at = path.join(folder.path, 'audit');
    await writeFile(at, 'a file in the way');
    const file = new AuditFile({ folder: at, maxFileBytes: 1e7, keepFiles: 2 }, log);
    for (let nth = 0; nth < 10_050; nth += 1) file.write(record({ count: nth }));
    await expect
      .poll(() => file.degraded())
      .toBe('The audit log cannot be written, and 50 of its lines are lost. The server log says why.');
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    await rm(at);
    await mkdir(at);
    await chmod(at, 0o700);
    file.write(record());
    await file.close();
    expect(file.degraded()).toBeUndefined();
    const lines = await linesOf(at);
    expect(lines[0]).toMatchObject({ lost: 51 });
    expect(lines).toHaveLength(10_001);
  });

  it('has each record once after a failure at its end', async () => {
    await using folder = await temporaryFolder();
    const at = path.join(folder.path, 'audit');
    await writeFile(at, 'a file in the way');
    const file = new AuditFile({ folder: at, maxFileBytes: 1e7, keepFiles: 2 }, recordedLog());
    file.write(record({ count: 1 }));
    file.write(record({ count: 2 }));
    await expect.poll(() => file.degraded()).toBeDefined();
    await rm(at);
    const closing = file.close();
    for (let nth = 3; nth < 20; nth += 1) {
      file.write(record({ count: nth }));
      await Promise.resolve();
    }
    await closing;
    expect((await linesOf(at)).flatMap(({ count }) => count ?? [])).toEqual([1, 2]);
  });

  it('completes a line cut by a crash before the next', async () => {
    await using folder = await temporaryFolder();
    await writeFile(path.join(folder.path, 'audit.jsonl'), `${JSON.stringify(record({ count: 1 }))}\n{"time":"2026-01`);
    for (const count of [2, 3]) {
      const file = new AuditFile({ folder: folder.path, maxFileBytes: 1e6, keepFiles: 2 }, recordedLog());
      file.write(record({ count }));
      await file.close();
    }
    const lines = (await readFile(path.join(folder.path, 'audit.jsonl'), 'utf8')).split('\n');
    expect([lines.length, lines[1], lines.at(-1)]).toEqual([5, '{"time":"2026-01', '']);
    expect([0, 2, 3].map((nth) => (JSON.parse(lines[nth]!) as AuditRecord).count)).toEqual([1, 2, 3]);
  });
});
