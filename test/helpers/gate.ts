export interface Gate {
  readonly open: () => void;
  readonly opened: Promise<void>;
}

/** Something to wait for until a test lets it go on. */
export function gate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}
