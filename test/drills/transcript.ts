import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OPERATIONS = 'operations.md';

/** One command of a document and what it says it prints. */
export interface Step {
  /** May go on over several lines. */
  readonly command: string;
  /** `…` stands for what differs each time: within a line, or for any lines where it stands alone. */
  readonly output: string;
  /** From the comment `# ends with 1`, else 0. */
  readonly exitCode: number;
}

interface Block {
  /** From the comment above: `drill: NAME`; undefined where there is none. */
  readonly drill: string | undefined;
  readonly language: string;
  readonly lines: readonly string[];
}

/** The fenced blocks of docs/operations.md, or of another document, in order. */
export function blocksOfOperations(document = OPERATIONS): Block[] {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${document}`, import.meta.url)), 'utf8');
  const fenced = /(?:<!-- (?<mark>.+?) -->\n+)?```(?<language>\w*)\n(?<body>[\s\S]*?)\n```/g;
  return [...text.matchAll(fenced)].map(({ groups = {} }) => ({
    drill: /^drill: (.+)$/.exec(groups['mark'] ?? '')?.[1],
    language: groups['language'] ?? '',
    lines: (groups['body'] ?? '').split('\n'),
  }));
}

/** The steps of a drill of that document, by its name. */
export function stepsOf(drill: string, document = OPERATIONS): Step[] {
  const block = blocksOfOperations(document).find((candidate) => candidate.drill === drill);
  if (block === undefined) throw new Error(`docs/${document} has no drill "${drill}"`);
  const steps: { command: string[]; output: string[] }[] = [];
  for (const line of block.lines) {
    if (line.startsWith('$ ')) steps.push({ command: [line.slice(2)], output: [] });
    else if (line.startsWith('> ')) steps.at(-1)?.command.push(line.slice(2));
    else steps.at(-1)?.output.push(line);
  }
  return steps.map(({ command, output }) => ({
    command: command.join('\n'),
    output: output.join('\n'),
    exitCode: Number(/# ends with (\d+)$/.exec(command.at(-1) ?? '')?.[1] ?? 0),
  }));
}

/** Matches what the document says; blanks between words count as one, because the width of columns depends on what is in them. */
export function patternOf(output: string): RegExp {
  const lines = squeezed(output)
    .split('\n')
    .map((line) => (line === '…' ? String.raw`(?:.*\n)*?` : `${line.split('…').map(escaped).join('.*')}\n`));
  return new RegExp(`^${output === '' ? '' : lines.join('')}$`);
}

/** Text as `patternOf` compares it. */
export function squeezed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trimEnd())
    .join('\n');
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
