import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { useLive } from '../shell/live.tsx';
import { Words } from '../parts/words.tsx';
import { dataTexts } from './data-texts.ts';
import { adminTexts } from './texts.ts';
import { healthRows } from './health-rows.ts';
import { Section } from './section.tsx';
import type { Overview } from './overview.ts';
import { warningsOf, type Warning } from './warnings.ts';

interface HealthProps {
  readonly overview: Overview;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
}

/** The state of the store: warnings first, then a row for each part. */
export function HealthSection({ overview, isBackingUp, onBackUp }: HealthProps) {
  const warnings = warningsOf(overview);
  const { state } = useLive();
  return (
    <Section part="health">
      {warnings.length > 0 && (
        <ul class="banners" aria-label={adminTexts.warnings.label}>
          {warnings.map((warning) => (
            <Banner key={warning.title + warning.text} warning={warning}>
              <Action warning={warning} mayBackUp={overview.mayAdminister} isBackingUp={isBackingUp} onBackUp={onBackUp} />
            </Banner>
          ))}
        </ul>
      )}
      <ul class="box checks">
        {healthRows(overview, state).map(({ name, tone, state: word, detail }) => (
          <li key={name}>
            <b>{name}</b>
            <span class={tone === 'ok' ? 'status' : `status status--${tone}`}>{word}</span>
            <span class="dim">
              <Words text={detail} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Banner({ warning, children }: { warning: Warning; children: ComponentChildren }) {
  return (
    <li class="banner">
      <Icon name="warn" />
      <div>
        <b>{warning.title}</b>
        {warning.text !== '' && (
          <p>
            <Words text={warning.text} />
          </p>
        )}
      </div>
      {children}
    </li>
  );
}

interface ActionProps {
  readonly warning: Warning;
  readonly mayBackUp: boolean;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
}

function Action({ warning: { action }, mayBackUp, isBackingUp, onBackUp }: ActionProps) {
  if (action === undefined) return null;
  if ('to' in action) {
    return (
      <Link class="btn" to={{ view: 'admin', part: action.to }}>
        {action.to === 'keys' && <Icon name="key" />}
        {action.label}
      </Link>
    );
  }
  if (!mayBackUp) return null;
  return (
    <button type="button" class="btn" disabled={isBackingUp} onClick={onBackUp}>
      <Icon name="archive" />
      {isBackingUp ? dataTexts.backup.working : action.label}
    </button>
  );
}
