import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import { texts } from '../texts.ts';
import { Command } from './command.tsx';
import { useDelayed } from './use-delayed.ts';
import { Icon, type IconName } from './icon.tsx';
import { Paragraph } from './inline-text.tsx';
import { Button } from './button.tsx';

interface StateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly bad?: boolean;
  readonly children?: ComponentChildren;
}

/** An empty state: the situation, its consequence, and one action. */
export function State({ icon, title, text, bad = false, children }: StateProps) {
  return (
    <section class={bad ? 'state state--bad' : 'state'} role={bad ? 'alert' : undefined}>
      <Icon name={icon} />
      <h2>{title}</h2>
      <Paragraph text={text} />
      {children}
    </section>
  );
}

/** An error state for each of the three kinds of failure, with an action. */
export function Failure({ error, title, onRetry }: { error: ApiError; title: string; onRetry: () => void }) {
  const retry = <Button icon="refresh" label={texts.tryAgain} onClick={onRetry} />;
  if (error.locked) {
    const unlock = async (): Promise<void> => {
      if (await keyring.replace(keyring.key, { again: true })) onRetry();
    };
    return (
      <State icon="lock" title={texts.key.needed} text={texts.key.explained}>
        <Button look="primary" label={texts.key.enter} onClick={() => void unlock()} />
      </State>
    );
  }
  if (error.offline) {
    return (
      <State icon="offline" title={texts.offline.title} text={texts.offline.text}>
        <Command text="lore serve" />
        {retry}
      </State>
    );
  }
  return (
    <State icon="warn" title={title} text={error.message} bad>
      {retry}
    </State>
  );
}

/** A banner above outdated content that failed to reload. `title` names the failure. */
export function Stale({ error, title, onRetry }: { error: ApiError; title: string; onRetry: () => void }) {
  return (
    <div class="banner banner--flat" role="alert">
      <Icon name={error.offline ? 'offline' : 'warn'} />
      <div>
        <b>{error.offline ? texts.offline.title : title}</b>
        <p>{error.offline ? texts.offline.stale : error.message}</p>
      </div>
      <Button label={texts.tryAgain} onClick={onRetry} />
    </div>
  );
}

const LINES = [300, 286, 306, 270, 292, 280] as const;

/** A skeleton of a result list; nothing for a short wait. */
export function Skeleton() {
  if (!useDelayed()) return null;
  return (
    <>
      <p class="sr" role="status">
        {texts.loading}
      </p>
      <svg class="skel" viewBox="0 0 400 500" aria-hidden="true">
        {LINES.map((width, line) => (
          <g key={width} transform={`translate(12 ${12 + line * 82})`}>
            <rect width="34" height="9" rx="3" />
            <rect x="54" width={width} height="9" rx="3" />
            <rect x="54" y="18" width={width - 90} height="9" rx="3" />
            <rect x="54" y="38" width="60" height="7" rx="3" />
            <rect x="122" y="38" width="40" height="7" rx="3" />
          </g>
        ))}
      </svg>
    </>
  );
}
