// Everything that is measured at one number of entries.
import { setTimeout as sleep } from 'node:timers/promises';
import { listing, mixed, questionsOf, recalling } from './reading.mjs';
import { startServer } from './server.mjs';
import { bytesOf, diagnosing, readingDuringMaintenance, starting } from './maintenance.mjs';
import { importing, removing, saving } from './writing.mjs';

/** Phases after which old versions of the table are gone: those of the last merge are removed half a minute later, when nobody reads them. */
const TIDY_PHASES = 20;

/** Imports, and reads what was imported: nothing is written between the import and the figures for memory and disk. */
async function readPhases(folder, count, { seconds, say }) {
  const asked = questionsOf(count);
  const server = await startServer(folder);
  try {
    say('import');
    const began = performance.now();
    const imported = await importing(server, count);
    const atOnce = bytesOf(folder) / count;
    await server.settle();
    const settledMs = performance.now() - began;
    say('diagnosis');
    const diagnosis = await diagnosing(server);
    say('recall');
    const recall = await recalling(server, asked, { seconds });
    const list = await listing(server, count, { seconds });
    say('clean-up');
    await sleep(Math.max(0, settledMs + seconds * 1000 * TIDY_PHASES - (performance.now() - began)));
    await server.settle();
    const disk = { atOnce: Math.round(atOnce), settled: Math.round(bytesOf(folder) / count) };
    return {
      asked,
      figures: { import: { ...imported, settledSeconds: settledMs / 1000 }, diagnosis, recall, list, disk, peakRss: server.peakRss() },
    };
  } finally {
    await server.stop();
  }
}

/** Starts on what was imported, then writes. */
async function writePhases(folder, asked, { count, seconds, say }) {
  say('start');
  const { server, figures: start } = await starting(folder, asked);
  try {
    say('maintenance');
    const maintenance = await readingDuringMaintenance(server, asked, { count, seconds });
    say('mixed');
    await server.settle();
    const together = await mixed(server, asked, { seconds });
    say('save');
    const save = await saving(server, { seconds });
    say('delete');
    await server.settle();
    const remove = await removing(server, { seconds });
    return { start, maintenance, mixed: together, save, remove, peakRssWriting: server.peakRss() };
  } finally {
    await server.stop();
  }
}

/** All figures at `count` entries, as plain values. `say` hears of each phase. */
export async function measureSize(folder, count, { seconds, say }) {
  const { asked, figures } = await readPhases(folder, count, { seconds, say });
  return { count, ...figures, ...(await writePhases(folder, asked, { count, seconds, say })) };
}
