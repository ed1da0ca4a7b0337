import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

type Look = 'primary' | 'quiet' | 'danger' | 'sm' | 'lg';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label'> {
  readonly label: ComponentChildren;
  readonly icon?: IconName;
  /** An icon after the words. */
  readonly after?: IconName;
  /** How it differs from a plain button. A small one has a small icon. */
  readonly look?: Look | `${Look} ${Look}` | undefined;
  readonly class?: string;
}

/** A button with words, and perhaps icons next to them. */
export function Button({ label, icon, after, look, class: extra = '', ...rest }: ButtonProps) {
  const style = look === undefined ? 'btn' : `btn ${look}`.replaceAll(' ', ' btn--');
  return (
    <button type="button" class={`${style} ${extra}`.trim()} {...rest}>
      {icon !== undefined && <Icon name={icon} size={look?.endsWith('sm') === true ? 'sm' : undefined} />}
      {label}
      {after !== undefined && <Icon name={after} size="sm" />}
    </button>
  );
}

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
