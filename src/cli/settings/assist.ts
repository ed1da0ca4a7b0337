import { join } from 'node:path';
import { userDirectories } from '../../config/directories.ts';
import { USER_FILE } from '../../config/files.ts';
import { loadConfig } from '../../config/load.ts';
import { ASK_TO_SAVE } from '../../memory/guidance.ts';
import { canAsk, confirm } from '../prompt.ts';
import { setUserSetting } from './user-settings.ts';

const KEY = 'capture.assist';
/** Of four characters, as everywhere in Lore. */
const TOKENS = Math.ceil(ASK_TO_SAVE.length / 4);

/** Asks whether agents are to be asked to save; undefined where nobody can answer, or the setting was made before. */
export async function askForAssist(configFile: string | undefined): Promise<boolean | undefined> {
  if (!canAsk() || known(configFile)?.isSet !== false) return undefined;
  const question = `May Lore ask the agent once per session to save what was decided or fixed? It costs ${TOKENS} tokens and one more answer.`;
  return confirm(question, false);
}

/** Writes the answer into the configuration of this user; gives the file, or undefined where it says so already. */
export async function setAssist(wanted: boolean, configFile: string | undefined): Promise<string | undefined> {
  const now = known(configFile);
  if (now?.isSet === true && now.value === wanted) return undefined;
  const file = join(userDirectories().config, USER_FILE);
  await setUserSetting(file, KEY.split('.'), wanted);
  return file;
}

/** What is configured; undefined where the configuration is not valid, which other commands report. */
function known(configFile: string | undefined): { readonly isSet: boolean; readonly value: boolean } | undefined {
  try {
    const { config, values } = loadConfig(configFile === undefined ? {} : { configFile });
    return { isSet: values.some(({ key, source }) => key === KEY && source !== 'default'), value: config.capture.assist };
  } catch {
    return undefined;
  }
}
