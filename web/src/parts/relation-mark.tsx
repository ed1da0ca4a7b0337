import type { RelationType } from '../../../src/memory/relation.ts';
import { entryTexts } from '../entry/texts.ts';
import '../styles/details.css';

const LINES: Readonly<Record<RelationType, { readonly line: string; readonly dash?: string; readonly end?: string; readonly dot?: true }>> =
  {
    similar: { line: 'M1 5h22', dash: '.1 4' },
    supersedes: { line: 'M1 5h19', end: 'M16.5 1.5 20.5 5l-4 3.5' },
    references: { line: 'M1 5h18', dash: '4 3.5', end: 'M17 2l4 3-4 3' },
    contradicts: { line: 'M1 5h22', end: 'M9.5 1.5l5 7M14.5 1.5l-5 7' },
    elaborates: { line: 'M4 5h19', dot: true },
  };

/** A relation type as a line with its pattern and a label: outgoing `Supersedes`, incoming `Superseded by`, or another label. */
export function RelationMark({ type, inward = false, words }: { type: RelationType; inward?: boolean; words?: string }) {
  const { line, dash, end, dot } = LINES[type];
  return (
    <span class="rel" style={{ color: `var(--rel-${type})` }}>
      <svg viewBox="0 0 24 10" aria-hidden="true">
        <g transform={inward ? 'translate(24 0) scale(-1 1)' : undefined}>
          <path d={line} stroke-dasharray={dash} />
          {end !== undefined && <path d={end} />}
          {dot && <circle cx="3" cy="5" r="1.9" fill="currentColor" />}
        </g>
      </svg>
      {words ?? entryTexts.types[inward ? 'in' : 'out'][type]}
    </span>
  );
}
