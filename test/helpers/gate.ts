export interface Gate {
  readonly open: () => void;
  readonly opened: Promise<void>;
}

/** A promise that a test resolves. */
export function gate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}
