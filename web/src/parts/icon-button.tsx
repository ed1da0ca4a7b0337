import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'label' | 'size'> {
  readonly icon: IconName;
  /** What it does: said by a screen reader, and shown when pointed at. */
  readonly label: string;
  /** `sm`: with a small icon; `xs`: small as a whole. */
  readonly size?: 'sm' | 'xs';
}

/** A button that shows an icon alone. */
export function IconButton({
  icon,
  label,
  size,
  class: style = size === 'xs' ? 'icon-btn icon-btn--sm' : 'icon-btn',
  ...rest
}: IconButtonProps) {
  return (
    <button type="button" class={style} aria-label={label} title={label} {...rest}>
      {size === undefined ? <Icon name={icon} /> : <Icon name={icon} size="sm" />}
    </button>
  );
}
