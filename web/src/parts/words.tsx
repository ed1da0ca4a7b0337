/** A paragraph of `Words`. */
export const Said = ({ text, class: extra }: { text: string; class?: string }) => (
  <p class={extra}>
    <Words text={text} />
  </p>
);

/** Plain text with code between backticks. */
export function Words({ text }: { text: string }) {
  const parts = text.split('`');
  // An odd number of backticks is not our markup.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
