// The facts and prompts that the models are trained with.
import { readFileSync } from 'node:fs';

/** [{ fact, prompts, project }]: those of one project have its number, single facts none. */
export function readFacts() {
  const read = (name) => readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8');
  const factOf = (line) => {
    const [fact, ...prompts] = line.split('\t');
    return { fact, prompts };
  };
  const lines = (text) => text.split('\n').filter((line) => line !== '');
  const single = lines(read('facts-and-prompts.tsv')).map(factOf);
  const projects = read('projects-and-prompts.tsv').split(/\n{2,}/);
  return [...single, ...projects.flatMap((text, project) => lines(text).map((line) => ({ ...factOf(line), project })))];
}
