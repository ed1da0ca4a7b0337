import { INSTRUCTIONS } from './instructions.ts';
import { SIGNATURE } from './whole-file.ts';

const DESCRIPTION =
  'Long-term memory of this user and their projects, kept by Lore on this machine. Use it when a task begins, before you ask for or change something that may have been decided ' +
  'in an earlier session, when the user asks what was decided, preferred or fixed, and when a decision, a preference, a fact or a fix should outlast the session.';

const BEYOND = `## Without the MCP server

Use the shell: \`lore recall "which database do orders use"\`, \`lore save "Orders use Postgres, because the team knows it" --tag decision\`,
\`lore forget ID\`. Add \`--json\` for output to parse.`;

/** The Agent Skill (agentskills.io/specification): the same instruction as in other files, loaded when needed. */
export function skillText(): string {
  const front = `---\nname: lore\ndescription: ${JSON.stringify(DESCRIPTION)}\n---`;
  return `${[front, `<!-- Written by Lore: ${SIGNATURE} --plugin. -->`, INSTRUCTIONS, BEYOND].join('\n\n')}\n`;
}
