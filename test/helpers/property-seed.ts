import { configureGlobal } from 'fast-check';
import { SEED } from '../fuzz/budget.ts';

// Every property tests the same cases in every run, so that a failure repeats. `npm run test:nightly` gives new seeds.
configureGlobal({ seed: SEED });
