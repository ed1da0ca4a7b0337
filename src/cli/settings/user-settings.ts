import { readState, writeFiles } from '../../integrations/atomic-files.ts';
import { jsonFault, removeValue, setValue, type JsonPath, type JsonValue } from '../../integrations/json-text.ts';
import { LoreError } from '../../memory/errors.ts';

/**
 * Writes one setting into the user's configuration file, or removes it (`undefined`), preserving comments and everything else; creates a
 * missing file. Errors:
 * `config` if it is not valid JSON; `filesystem`.
 */
export async function setUserSetting(file: string, path: JsonPath, value: JsonValue | undefined): Promise<void> {
  const state = await readState(file);
  const text = state.text.trim() === '' ? '{}\n' : state.text;
  const fault = jsonFault(text);
  if (fault !== undefined)
    throw new LoreError('config', `${file} was not changed: ${fault}.`, { hint: 'Correct that file, then try again.' });
  const changed = value === undefined ? removeValue(text, path) : setValue(text, path, value);
  await writeFiles([{ state, content: Buffer.from(state.mark + changed) }]);
}
