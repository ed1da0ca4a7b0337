import { CONFIG_VERSION } from '../../config/schema.ts';

/** The text of a new project file, line by line: the namespace, and the settings that are changed most often as comments. */
export async function* projectFile(choice: { namespace: string }): AsyncGenerator<string> {
  yield `// Settings of Lore for this folder and everything below it.
// Environment variables (SERVICE_...) and flags count before this file; \`lore config\` shows what is in use.
// This file applies to everyone who has the project. Other settings, such as storage and embeddings, belong in the config.json
// of each user; in this file they count only for users who ran \`lore trust\` here.
{
  "version": ${JSON.stringify(CONFIG_VERSION)},

  "memory": {
    // What is saved from this project is kept together under this name.
    "namespace": ${JSON.stringify(choice.namespace)}
  },

  "capture": {
    // Keep hooks from recording what happens in this project.
    // "enabled": false
  },

  "index": {
    // Larger files are not indexed.
    // "maxFileSizeKB": 50
  },

  "search": {
    // "vector", "keyword" or "hybrid", where a request names none.
    // "defaultMode": "hybrid",
    // "limit": 10
  }
}
`;
}
