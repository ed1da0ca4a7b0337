import { ago, span } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Words } from '../parts/words.tsx';
import { dataTexts } from './data-texts.ts';
import { Refused } from './refused.tsx';
import type { Overview } from './overview.ts';

const words = dataTexts.backup;

interface BackupCardProps {
  readonly overview: Overview;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
  /** Number of backups. */
  readonly many: number;
  readonly isListShown: boolean;
  readonly onShowList: (shown: boolean) => void;
}

/** The time of the last backup, and a button that makes one. */
export function BackupCard(props: BackupCardProps) {
  const { overview } = props;
  const { lastBackup } = overview.health;
  const interval = overview.settings?.settings.find(({ key }) => key === 'storage.backupInterval')?.value;
  return (
    <section class="card" aria-labelledby="backup-title">
      <header class="card-h">
        <h3 id="backup-title">{words.title}</h3>
        {lastBackup === undefined ? (
          <span class="status status--off">{words.none}</span>
        ) : (
          <span class="status">{ago(lastBackup.createdAt) ?? words.justNow}</span>
        )}
      </header>
      {typeof interval === 'number' && (
        <p class="ink2 small">
          <Words text={interval === 0 ? words.byHand : words.every(span(interval))} />
        </p>
      )}
      {overview.mayAdminister ? <Actions {...props} /> : <Refused />}
    </section>
  );
}

function Actions({ isBackingUp, onBackUp, many, isListShown, onShowList }: BackupCardProps) {
  return (
    <div class="row row--wrap">
      <button type="button" class="btn" disabled={isBackingUp} onClick={onBackUp}>
        <Icon name="archive" />
        {isBackingUp ? words.working : words.now}
      </button>
      {many > 0 && (
        <button type="button" class="btn btn--quiet" aria-expanded={isListShown} onClick={() => onShowList(!isListShown)}>
          {isListShown ? words.fewer : words.all(many)}
        </button>
      )}
    </div>
  );
}
