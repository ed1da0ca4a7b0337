/** A paragraph of `InlineText`. */
export const Paragraph = ({ text, class: extra }: { text: string; class?: string }) => (
  <p class={extra}>
    <InlineText text={text} />
  </p>
);

/** Plain text with code between backticks. */
export function InlineText({ text }: { text: string }) {
  const parts = text.split('`');
  // An odd number of backticks is not our markup.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
