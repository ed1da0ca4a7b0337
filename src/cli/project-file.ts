import { CONFIG_VERSION } from '../config/schema.ts';

/** The text of a new project file, line by line: what is chosen, and the settings that are changed most often as comments. */
export async function* projectFile(choice: { namespace: string; origins: readonly string[] }): AsyncGenerator<string> {
  yield `// Settings of Lore for this folder and everything below it.
// Environment variables (SERVICE_...) and flags count before this file; \`lore config\` shows what is in use.
// Keep secrets out of it: an API key belongs in SERVICE_API_KEY, or is made by \`lore auth generate-key\`.
{
  "version": ${JSON.stringify(CONFIG_VERSION)},

  "memory": {
    // What is saved from this project is kept together under this name.
    "namespace": ${JSON.stringify(choice.namespace)}
  },

  "server": {
    // "port": 7007,
    "cors": {
      // Pages of these origins may use the API. "*" lets in every page that is open in your browser, unless a key is needed.
      "origins": ${JSON.stringify(choice.origins)}
    }
  },

  "embeddings": {
    // "local" downloads a small model once; "builtin" needs no files; "openai" and "gemini" are hosted services.
    // "provider": "local"
  },

  "search": {
    // "vector", "keyword" or "hybrid", where a request names none.
    // "defaultMode": "hybrid",
    // "limit": 10
  }
}
`;
}
