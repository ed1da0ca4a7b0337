import { describe, expect, it } from 'vitest';
import { familyText } from '../../src/telemetry/text-format.ts';

describe('a family in the text format of Prometheus', () => {
  it('has its help, type and one line per sample', () => {
    const samples = [
      { suffix: '_bucket', labels: [['route', '/'] as const, ['le', '0.5'] as const], value: 2 },
      { suffix: '_sum', labels: [['route', '/'] as const], value: 0.25 },
      { labels: [], value: 1e21 },
    ];
    expect(familyText({ name: 'a_seconds', help: 'How long.', type: 'histogram', samples })).toBe(
      '# HELP a_seconds How long.\n# TYPE a_seconds histogram\na_seconds_bucket{route="/",le="0.5"} 2\na_seconds_sum{route="/"} 0.25\na_seconds 1e+21\n',
    );
  });

  it('escapes backslashes and line feeds, and quotes only in labels', () => {
    const samples = [{ labels: [['word', 'a "\\\n'] as const], value: 0 }];
    expect(familyText({ name: 'a', help: 'a "\\\n', type: 'gauge', samples })).toBe(
      '# HELP a a "\\\\\\n\n# TYPE a gauge\na{word="a \\"\\\\\\n"} 0\n',
    );
  });

  it('is left out without samples', () => {
    expect(familyText({ name: 'a', help: 'b', type: 'counter', samples: [] })).toBe('');
  });
});
