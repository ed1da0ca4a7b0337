import { GUIDANCE } from '../memory/guidance.ts';
import { SIGNATURE } from './whole-file.ts';

/** The guidance as a section of a Markdown file that the client reads at the start of each session. */
export const INSTRUCTIONS = `## Memory (Lore)\n\n${GUIDANCE}`;

/** The guidance as a separate file. */
export function instructionText(): string {
  return `<!-- Written by \`${SIGNATURE}\`; \`lore teardown\` removes it. -->\n\n${INSTRUCTIONS}\n`;
}

/** The guidance as a separate file with the front matter that the client needs. */
export function instructionFile(frontMatter: readonly string[]): string {
  return `---\n${frontMatter.join('\n')}\n---\n\n${instructionText()}`;
}
