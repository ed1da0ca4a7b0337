import { Icon } from './icon.tsx';

interface SelectProps<T extends string> {
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly class?: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

/** A select in the style of the page; the user of it adds a label. */
export function Select<T extends string>({ options, value, onChoose, class: style = 'input', ...rest }: SelectProps<T>) {
  return (
    <span class="select">
      <select {...rest} class={style} value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" size="sm" />
    </span>
  );
}

export const namespaceOptions = (
  namespaces: readonly { readonly namespace: string }[],
): readonly { readonly value: string; readonly label: string }[] =>
  namespaces.map(({ namespace }) => ({ value: namespace, label: namespace }));
