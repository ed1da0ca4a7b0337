import { createInterface } from 'node:readline/promises';
import { shutDown } from './shutdown.ts';

/** Whether a person can answer: input and output are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks one question on stderr and returns the answer without surrounding blanks; `fallback` for an empty one. Ctrl-C ends the process. */
export async function ask(question: string, fallback = ''): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => shutDown(130));
  try {
    return (await lines.question(question)).trim() || fallback;
  } finally {
    lines.close();
  }
}

/** Asks for yes or no; anything that does not begin with y is no, an empty answer is `fallback`. */
export async function confirm(question: string, fallback: boolean): Promise<boolean> {
  const answer = await ask(`${question} ${fallback ? '[Y/n]' : '[y/N]'} `, fallback ? 'y' : 'n');
  return /^y/i.test(answer);
}
