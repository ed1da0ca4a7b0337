import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'label' | 'size'> {
  readonly icon: IconName;
  /** Label for screen readers and the tooltip. */
  readonly label: string;
  /** `sm`: small icon; `xs`: small button. */
  readonly size?: 'sm' | 'xs';
}

export function IconButton({
  icon,
  label,
  size,
  class: style = size === 'xs' ? 'icon-btn icon-btn--sm' : 'icon-btn',
  ...rest
}: IconButtonProps) {
  return (
    <button type="button" class={style} aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={size && 'sm'} />
    </button>
  );
}
