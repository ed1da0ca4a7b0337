import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('sessions.mjs', import.meta.url));

/** The cells of the row that begins so. */
function row(report: string, name: string): string[] {
  const line = report.split('\n').find((each) => each.startsWith(`| ${name}`)) ?? '';
  return line.split('|').map((cell) => cell.trim());
}

describe('the scripted sessions', () => {
  test('of two projects: most questions are answered before the prompt, nothing outdated is given as current, and no secret is shown', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, '--project', 'harbour', '--project', 'beacon'], {
      timeout: 280_000,
    });
    const [, , , hook, session, context, recall, outdated, , , idle] = row(stdout, 'by hand, all');
    for (const share of [hook, session, context, recall]) expect(Number.parseInt(share ?? '', 10)).toBeGreaterThanOrEqual(60);
    expect(outdated).toBe('0, 0, 0');
    expect(Number.parseInt(idle ?? '', 10)).toBeLessThanOrEqual(40);
    expect(row(stdout, 'all').at(-2)).toBe('0');
  }, 300_000);
});
