import { texts } from '../texts.ts';

export function Brand() {
  return (
    <a class="row brand" href="/" aria-label={texts.start}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path class="logo-l" d="M6.5 4v11.5a4 4 0 0 0 4 4H19" />
        <circle class="logo-dot" cx="15.5" cy="8.5" r="3.4" />
      </svg>
      {texts.product}
    </a>
  );
}
