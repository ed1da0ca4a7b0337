import { useEffect, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { span } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { BoxedFailure, Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/state.tsx';
import { useServer } from '../shell/server.tsx';
import '../styles/admin.css';
import { texts } from '../texts.ts';
import { adminTexts } from './texts.ts';
import { ArchiveSection } from './archive-section.tsx';
import { DataSection } from './data-section.tsx';
import { HealthSection } from './health-section.tsx';
import { InboxSection } from './inbox-section.tsx';
import { IntegrationsSection } from './integrations-section.tsx';
import { KeysSection, type KeysProps } from './keys-section.tsx';
import type { CreatedKey } from './new-key.tsx';
import { focusHeading, partOf, PARTS, useReadPart, type Part } from './parts.ts';
import { RequestsSection } from './requests-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { useOverview, type Overview } from './use-overview.ts';
import { warningsOf } from './warnings.ts';
import { admin } from '../api/administration.ts';
import { toast, useBusy } from '../parts/toasts.tsx';
import { dataTexts } from './data-texts.ts';
import { Button } from '../parts/button.tsx';

export function AdminView() {
  const { overview, error, again, watch } = useOverview();
  const { changed } = useServer();
  const [checked, setChecked] = useState(0);
  // Kept here: if this tab takes another key, everything below starts empty.
  const [made, setMade] = useState<CreatedKey>();
  const check = (): void => {
    setChecked(checked + 1);
    again();
    changed();
  };
  return (
    <Page
      title={texts.views.admin}
      lead={overview && adminTexts.lead(overview.health.version, location.host, span(overview.health.uptimeMs))}
      tools={<Button icon="refresh" label={adminTexts.again} onClick={check} />}
    >
      {error !== undefined && <BoxedFailure error={error} title={adminTexts.failed} onRetry={again} />}
      {error === undefined && overview === undefined && <Skeleton />}
      {overview !== undefined && (
        <Parts overview={overview} checked={checked} onBegun={watch} onChanged={check} made={made} onMade={setMade} />
      )}
    </Page>
  );
}

interface PartsProps extends KeysProps {
  readonly checked: number;
  readonly onBegun: () => void;
}

function Parts({ checked, onBegun, ...rest }: PartsProps) {
  const { overview } = rest;
  const { part } = useAddress();
  const { isBackingUp, backUpNow } = useBackingUp();
  useEffect(() => {
    if (part !== '') showPart(partOf(part));
  }, [part]);
  const { mayWrite, boundTo, mayAdminister } = overview;
  return (
    <div class="admin">
      <Contents overview={overview} />
      <div>
        {!mayAdminister && (
          <div class="banner banner--info keynote">
            <Icon name="key" />
            <p>{boundTo === undefined ? adminTexts.rights.read : adminTexts.rights.bound(boundTo, mayWrite)}</p>
          </div>
        )}
        <HealthSection overview={overview} isBackingUp={isBackingUp} onBackUp={backUpNow} />
        <DataSection overview={overview} isBackingUp={isBackingUp} onBackUp={backUpNow} onBegun={onBegun} />
        <InboxSection overview={overview} />
        <ArchiveSection overview={overview} />
        <IntegrationsSection overview={overview} checked={checked} />
        <KeysSection {...rest} />
        <RequestsSection overview={overview} checked={checked} />
        <SettingsSection {...rest} />
      </div>
    </div>
  );
}

function showPart(part: Part): void {
  document.querySelector(`#${part}`)?.scrollIntoView();
  focusHeading(`${part}-title`);
}

function Contents({ overview }: { overview: Overview }) {
  const { part, q, reason, run, page } = useAddress();
  const read = useReadPart(partOf(part));
  const warnings = warningsOf(overview).length;
  return (
    <nav class="toc" aria-label={adminTexts.sections}>
      {PARTS.map((one) => (
        <Link
          key={one}
          to={{ view: 'admin', part: one, q, reason, run, page }}
          aria-current={one === read ? 'true' : undefined}
          onFollow={() => showPart(one)}
        >
          {adminTexts.parts[one]}
          {one === 'health' && warnings > 0 && <span class="num dim">{warnings}</span>}
        </Link>
      ))}
    </nav>
  );
}

const words = dataTexts.backup;

/** Makes one backup at a time and reports the result. */
function useBackingUp(): { readonly isBackingUp: boolean; readonly backUpNow: () => void } {
  const { changed } = useServer();
  const { isBusy, during } = useBusy();
  const work = async (): Promise<void> => {
    const { entries } = await admin.backups.create();
    toast(words.done(entries), { icon: 'archive' });
    changed();
  };
  return { isBackingUp: isBusy, backUpNow: () => void during(work, words.failed) };
}
