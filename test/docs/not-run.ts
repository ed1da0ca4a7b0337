import { hasCommand } from '../helpers/machine.ts';

/**
 * The examples that no test runs, by the reason: each is the page, and how the example begins. An example is either run or named here, and what is named
 * here exists.
 */
export const NOT_RUN: Readonly<Record<string, readonly (readonly [page: string, start: string])[]>> = {
  'installs the packages, or runs the tests themselves': [
    ['README.md', 'npm '],
    ['docs/testing.md', 'np'],
  ],
  'needs Docker: the image is built and run by test/drills/image.drill.ts': [
    ['docs/container.md', 'docker '],
    ['docs/container.md', 'cd docs/examples/container'],
    ['docs/container.md', 'LORE_NAME=memory.example.com docker compose'],
    ['docs/container.md', 'curl -H "x-api-key: $(cut'],
  ],
  'needs a machine that systemd started': [
    ['docs/operations.md', 'loginctl '],
    ['docs/operations.md', 'journalctl '],
    ['docs/operations.md', 'sudo '],
  ],
  'needs macOS': [['docs/operations.md', 'launchctl ']],
  'needs object storage: test/azure/sync.drill.ts does the same': [
    ['docs/sync.md', 'lore push az:'],
    ['docs/sync.md', 'export AZURE_'],
  ],
  'needs a coding agent': [['docs/integrations.md', 'claude plugin ']],
  'needs an account at Anthropic': [['docs/client.md', 'import Anthropic']],
  'needs zsh, which is not installed here': hasCommand('zsh') ? [] : [['docs/cli.md', 'eval "$(lore completion zsh)"']],
  'needs fish, which is not installed here': hasCommand('fish') ? [] : [['docs/cli.md', 'lore completion fish']],
  'needs a browser: test/web/browser-extension.drill.ts loads the extension': [['docs/browser-extension.md', 'const DEFAULTS']],
};

/** Why nothing runs this example; undefined if a test has to. */
export function whyNotRun(page: string, text: string): string | undefined {
  return Object.entries(NOT_RUN).find(([, examples]) => examples.some(([on, start]) => on === page && text.startsWith(start)))?.[0];
}
