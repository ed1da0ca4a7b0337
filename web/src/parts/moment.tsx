import type { ComponentChildren } from 'preact';
import { fullMoment, shortDay } from './formats.ts';

interface MomentProps {
  /** ISO 8601. */
  readonly of: string;
  readonly class?: string;
  /** Default: the day. */
  readonly children?: ComponentChildren;
}

/** A moment in short; pointing at it shows it in full. */
export const Moment = ({ of, class: extra, children = shortDay(of) }: MomentProps) => (
  <time class={extra} dateTime={of} title={fullMoment(of)}>
    {children}
  </time>
);
