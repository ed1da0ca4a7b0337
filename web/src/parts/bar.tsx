/** A thin bar filled to `share` (0..1). `tone`: v is green for meaning, k is brass for words. Drawn by attributes, because the policy allows no inline style. */
export function Bar({ share, tone = 'v' }: { share: number; tone?: 'v' | 'k' | 'o' }) {
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="t" width="100" height="6" />
      <rect class={tone} width={(Math.min(Math.max(share, 0), 1) * 100).toFixed(1)} height="6" />
    </svg>
  );
}
