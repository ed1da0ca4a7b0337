import { join } from 'node:path';
import { userDirectories } from '../../config/directories.ts';
import { USER_FILE } from '../../config/files.ts';
import { loadConfig } from '../../config/load.ts';
import { ASK_TO_SAVE } from '../../memory/guidance.ts';
import { canAsk, confirm } from '../prompt.ts';
import { setUserSetting } from './user-settings.ts';

const KEY = 'capture.assist';
/** Counts four characters as one token, as everywhere in Lore. */
const TOKENS = Math.ceil(ASK_TO_SAVE.length / 4);

/** Asks whether Lore may ask agents to save; undefined without a terminal, or if it is already set. */
export async function askForAssist(configFile: string | undefined): Promise<boolean | undefined> {
  if (!canAsk() || known(configFile)?.isSet !== false) return undefined;
  const question = `May Lore ask the agent once per session to save decisions and fixes? It costs ${TOKENS} tokens and one more answer.`;
  return confirm(question, false);
}

/** Writes the answer into the user's configuration; returns the file, or undefined if it is already set to that. */
export async function setAssist(wanted: boolean, configFile: string | undefined): Promise<string | undefined> {
  const now = known(configFile);
  if (now?.isSet === true && now.value === wanted) return undefined;
  const file = join(userDirectories().config, USER_FILE);
  await setUserSetting(file, KEY.split('.'), wanted);
  return file;
}

/** The configured value; undefined if the configuration is invalid, which other commands report. */
function known(configFile: string | undefined): { readonly isSet: boolean; readonly value: boolean } | undefined {
  try {
    const { config, values } = loadConfig(configFile === undefined ? {} : { configFile });
    return { isSet: values.some(({ key, source }) => key === KEY && source !== 'default'), value: config.capture.assist };
  } catch {
    return undefined;
  }
}
