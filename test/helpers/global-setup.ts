import { installPrograms } from './machine.ts';

/** Runs once before all tests: what makes faults is there, or it is said what is not. */
export default function setup(): void {
  installPrograms();
}
