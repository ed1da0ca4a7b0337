import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const FENCED = /(?:<!-- (?<mark>.+?) -->\n+)?^```(?<language>\w*)\n(?<body>[^]*?)\n```$/gm;
const PROMPT = '$ ';

/** One command, or one program of JavaScript, that a page shows. */
export interface Example {
  readonly page: string;
  readonly language: 'shell' | 'js';
  /** May go on over several lines. */
  readonly text: string;
  /** What the page says it prints; undefined where it says nothing. */
  readonly output: string | undefined;
  /** The JSON that stands after the block: a part of the answer to its last command. */
  readonly answer: unknown;
}

/** README.md and every page of docs/. */
export function pagesWithExamples(): string[] {
  const names = readdirSync(new URL('docs', ROOT)).filter((name) => name.endsWith('.md'));
  return ['README.md', ...names.map((name) => `docs/${name}`)];
}

/** The examples of a page in order, apart from the transcripts that a drill plays (`<!-- drill: NAME -->`). */
export function examplesOf(page: string): Example[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  return [...text.matchAll(FENCED)].flatMap(({ 0: block, index, groups = {} }): Example[] => {
    const { mark = '', language = '', body = '' } = groups;
    if (mark.startsWith('drill: ')) return [];
    const answer = answerAfter(text.slice(index + block.length));
    if (['js', 'ts'].includes(language)) return [{ page, language: 'js', text: body, output: undefined, answer }];
    const isTranscript = body.startsWith(PROMPT);
    if (language !== 'sh' && !isTranscript) return [];
    const commands = commandsIn(body.split('\n'), isTranscript);
    return commands.map((command, nth) => ({
      page,
      language: 'shell',
      ...command,
      answer: nth === commands.length - 1 ? answer : undefined,
    }));
  });
}

function answerAfter(rest: string): unknown {
  const json = /^\n+```json\n([^]*?)\n```$/m.exec(rest);
  return json?.index === 0 ? JSON.parse(json[1] ?? '') : undefined;
}

function commandsIn(lines: readonly string[], isTranscript: boolean): Pick<Example, 'text' | 'output'>[] {
  const commands: { text: string; output: string[] }[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (last !== undefined && last.output.length === 0 && goesOn(last.text)) last.text += `\n${line}`;
    else if (isTranscript && !line.startsWith(PROMPT)) last?.output.push(line);
    else if (line !== '' && !line.startsWith('#')) commands.push({ text: isTranscript ? line.slice(PROMPT.length) : line, output: [] });
  }
  return commands.map(({ text, output }) => ({ text, output: isTranscript ? output.join('\n').trimEnd() : undefined }));
}

/** Whether a command ends in a backslash or within quotes. */
function goesOn(command: string): boolean {
  const bare = command.replaceAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"/g, '').replaceAll(/\s#.*$/gm, '');
  return command.endsWith('\\') || /['"]/.test(bare);
}
