import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/memory/log.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { Recorder } from '../../src/telemetry/recorder.ts';
import { readExposition, valueOf } from '../helpers/prometheus.ts';
import { recordedLog } from '../helpers/recorded-log.ts';

const open = (log = silentLog): Recorder => new Recorder({ version: '1.2.3', log });

const read = async (recorder: Recorder): Promise<ReturnType<typeof readExposition>> => readExposition((await recorder.metrics()).text);

describe('the metrics text', () => {
  it('escapes quotes, backslashes and line feeds in labels', async () => {
    const recorder = open();
    const odd = 'a "word" with \\ and \n in it';
    recorder.count('request', odd, 'GET', '200');
    recorder.record('request seconds', 0.1, odd, 'GET');
    const families = await read(recorder);
    expect(valueOf(families, 'lore_http_requests_total', { route: odd })).toBe(1);
    expect(valueOf(families, 'lore_http_request_duration_seconds_count', { route: odd })).toBe(1);
  });

  it('keeps series with different labels apart, and adds equal ones', async () => {
    const recorder = open();
    for (const words of [
      ['a', 'b', 'c'],
      ['ab', 'c', ''],
      ['a', 'b', 'c'],
    ] as const)
      recorder.count('request', ...words);
    const families = await read(recorder);
    expect(families.get('lore_http_requests_total')?.samples.map(({ value }) => value)).toEqual([2, 1]);
  });

  it('has no gauges of a failing source, and all of the others', async () => {
    const log = recordedLog();
    const recorder = open(log);
    recorder.watch('broken', () => Promise.reject(new Error('closed')));
    recorder.watch('whole', () => ({ entries: 3 }));
    const families = await read(recorder);
    expect([valueOf(families, 'lore_store_entries'), valueOf(families, 'lore_store_versions')]).toEqual([3, undefined]);
    expect(log.lines).toMatchObject([{ level: 'debug', fields: { source: 'broken' } }]);
  });

  it('starts counters without labels at zero, so that their first rise is visible', async () => {
    expect(valueOf(await read(open()), 'lore_http_requests_unauthorized_total')).toBe(0);
  });
});

describe('timed work', () => {
  it('resolves and rejects like the work', async () => {
    const recorder = open();
    expect(await recorder.timed('backup', () => Promise.resolve(7))).toBe(7);
    const fault = new LoreError('unavailable', 'No.');
    await expect(recorder.timed('backup', () => Promise.reject(fault))).rejects.toBe(fault);
    expect(valueOf(await read(recorder), 'lore_backup_duration_seconds_count')).toBe(2);
  });

  it('counts failures, but not refusals and cancellations', async () => {
    const recorder = open();
    const gone = new DOMException('gone', 'AbortError');
    const faults = [
      new LoreError('unavailable', 'Broken.'),
      new Error('broken'),
      new LoreError('invalid_input', 'Refused.'),
      new LoreError('not_found', 'Refused.'),
      gone,
      new LoreError('unavailable', 'Cancelled.', { cause: gone }),
    ];
    for (const fault of faults) await recorder.timed('recall', () => Promise.reject(fault), 'hybrid').catch(() => undefined);
    expect(valueOf(await read(recorder), 'lore_operation_failures_total', { operation: 'recall' })).toBe(2);
  });
});
