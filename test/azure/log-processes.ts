import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Container } from '../helpers/azurite.ts';

const PROGRAM = fileURLToPath(new URL('./appending-process.mjs', import.meta.url));

interface Line {
  /** Its name in the log. */
  readonly ready?: string;
  readonly acknowledged?: string;
  readonly done?: true;
  /** It maintains the store, with the lease of this term. */
  readonly holdsTerm?: number;
}

/** A server in a process of its own. */
export class LogProcess {
  readonly #child: ChildProcess;
  readonly lines: Line[] = [];

  constructor(container: Container, { name, batches, leaseMs }: { name: string; batches: number; leaseMs: number }) {
    const words = [PROGRAM, container.uri, JSON.stringify(container.options), name, String(batches), String(leaseMs)];
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(child.stdout).on('line', (text) => this.lines.push(JSON.parse(text) as Line));
    this.#child = child;
  }

  get server(): string | undefined {
    return this.lines.find(({ ready }) => ready !== undefined)?.ready;
  }

  get acknowledged(): string[] {
    return this.lines.flatMap(({ acknowledged }) => acknowledged ?? []);
  }

  get isDone(): boolean {
    return this.lines.some(({ done }) => done === true);
  }

  /** The term of the lease at each moment when it maintained the store, in order. */
  get holdings(): number[] {
    return this.lines.flatMap(({ holdsTerm }) => holdsTerm ?? []);
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    await this.#end(() => this.#child.kill('SIGKILL'));
  }

  /** It gives the lease back. Safe to repeat, also after a kill. */
  async stop(): Promise<void> {
    await this.#end(() => this.#child.stdin?.end());
  }

  async #end(ending: () => unknown): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    ending();
    await closed;
  }
}

/** Resolves when something is so; a process that has ended meanwhile is found by the time-out of the test. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}
