import { hasCommand } from '../helpers/machine.ts';
import { CLIENT_PAGES } from './pages-of-clients.ts';
import { FILE_PAGES } from './pages-of-files.ts';
import { ID, imported, SERVER, type Preparation } from './preparation.ts';

const FAR = `ssh new-machine "cd repo && lore`;
const LISTEN = `node -e 'require("net").createServer().listen(7007, "127.0.0.1")' & LISTENER=$!; until (: < /dev/tcp/127.0.0.1/7007) 2> /dev/null; do sleep 0.1; done`;
const EMPTY = 'rm -rf ~/.local/share/lore';
/** A server on a store with a file of vectors that has wrong bytes, and a backup with the intact file. */
const SPOILED = `systemctl --user stop lore; ${EMPTY}
seq 1100 | sed 's/.*/{"content":"heron number & by the river"}/' | lore import - && lore backup now
for FILE in ~/.local/share/lore/store/entries.lance/data/*.lance; do
  cp "$FILE" spoiled && printf 'wrong by' | dd of=spoiled bs=1 seek=$(($(stat -c %s spoiled) / 2)) conv=notrunc status=none && mv spoiled "$FILE"
done
systemctl --user start lore`;
/** A folder without git, whose namespace is its name and a hash. */
const folder = (name: string) => `mkdir -p ~/${name} && cd ~/${name}`;

/** What the examples of each page find: the state of the store, files, a server, a second machine. */
export const PREPARED: Readonly<Record<string, Preparation>> = {
  ...CLIENT_PAGES,
  ...FILE_PAGES,
  'README.md': { start: SERVER },
  'docs/api.md': {
    start: `${SERVER} && ${imported({ id: ID, content: 'A rollout on Kubernetes takes minutes' }, { content: 'x', namespace: 'a' })}`,
    instead: { ID },
    before: {
      'curl -s localhost:7007/api/recall -H \'content-type: application/json\' -d \'{"query": "k8s': imported({
        id: ID,
        content: 'Kubernetes waits before each rollout',
      }),
      'curl -s localhost:7007/api/health -H "x-api-key': `LORE_KEY=$(lore auth generate-key --name docs); until [ "$(command curl -s -o /dev/null -w '%{http_code}' localhost:7007/api/health)" = 401 ]; do sleep 0.2; done`,
    },
    untilStopped: { 'curl -N': ['lore save "Event $RANDOM"', 'event: saved'] },
    ends: { 'curl -s localhost:7007/api/namespaces/merge': 22 },
  },
  'docs/cli.md': {
    before: {
      'lore recall "why does': `${EMPTY}; ${imported(
        { content: 'Rollouts hang when the readiness probe of the Kubernetes deployment checks the database.', tags: ['k8s'] },
        { content: 'Deploys go out on Tuesdays', tags: ['release'] },
        { content: 'Tabs, not spaces' },
      )}`,
      'lore doctor': LISTEN,
    },
    after: { 'lore doctor': 'kill $LISTENER' },
    ends: { 'lore doctor': 1 },
    by: {
      ...(hasCommand('zsh') && {
        'eval "$(lore completion zsh)"':
          "zsh -f -c 'autoload -Uz compinit; compinit -u -D; source ~/example; [[ ${_comps[lore]} = _lore ]]'",
      }),
      ...(hasCommand('fish') && {
        'lore completion fish': `fish --no-config -c 'source ~/example; complete -C "lore rec"' | grep '^recall'`,
      }),
    },
  },
  'docs/lifecycle.md': {
    start: folder('p'),
    instead: { 'password = …': 'password = hunter2-Qmv1Tz', 'saved by cli': 'saved by import' },
    before: {
      'lore save "The nightly': imported({ id: '01a20950-3b11-7d03-8a52-1d2c8a3f7e55', content: 'The nightly backup starts at 05:00.' }),
      'lore save "We deploy': imported({
        id: '01a1feec-f20a-7686-baab-e3c8ac9df293',
        content: 'We deploy on Tuesdays after the sync, with make ship.',
      }),
      SERVICE_MEMORY_REDACT_SECRETS: EMPTY,
      'lore archive compact': `${EMPTY}; long_ago ${imported({
        id: '01a1feef-769d-7453-a705-8387d8a5670b',
        content: 'The old printer needs toner of the kind X-4',
        importance: 0.2,
      })}
${imported(
  { id: '01a1feef-769f-745d-9ae7-f1ee72b9b2b9', content: 'Deploys run on Tuesdays.', createdAt: '2026-01-31T12:00:00Z' },
  { id: '01a1feef-76a0-764b-94fb-e9a540b77944', content: 'Deploys run on Tuesdays', createdAt: '2026-01-31T12:00:01Z' },
)}`,
      'lore archive\n': 'lore archive compact',
      'curl -s -H': `${SERVER}; lore save 'The spare key is with Ana' --tag house`,
      'lore history': `${imported({ id: '01a1feef-aaa0-7297-ac6d-0c6bf3cd6c37', content: 'The gate code\nis in the blue folder\nby the door' })}
curl -s -X PATCH localhost:7007/api/01a1feef-aaa0-7297-ac6d-0c6bf3cd6c37 -H 'content-type: application/json' -d '{"content": "The gate code\\nis in the safe\\nby the door", "priority": "high", "importance": 0.8}'`,
      'lore export': `systemctl --user stop lore; ${EMPTY}; ${imported({ content: 'one' }, { content: 'two' })}`,
      'lore import': EMPTY,
    },
  },
  'docs/mcp.md': { start: imported({ content: 'We deploy with make ship; staging first' }) },
  'docs/namespaces.md': {
    start: imported(
      { content: 'one' },
      { content: 'two', container: 'ci' },
      { content: 'three', container: 'ci' },
      { content: 'one', namespace: 'notes-1a2b3c4d' },
      { content: 'four', namespace: 'notes-1a2b3c4d' },
      { content: 'five', namespace: 'global' },
    ),
    instead: { ID },
    before: {
      'curl -s localhost:7007/api/namespaces': `${SERVER}; ${imported(
        { content: 'one', namespace: 'old' },
        { content: 'one', container: 'c', namespace: 'one' },
        { content: 'one', container: 'c', namespace: 'two' },
        { content: 'one', container: 'c', namespace: 'three' },
        { id: ID, content: 'one', container: 'c', namespace: 'four' },
      )}`,
    },
  },
  'docs/observability.md': {
    instead: { '/etc/prometheus/': '~/' },
    untilStopped: { OTEL: [':', '7007'] },
  },
  'docs/operations.md': {
    start: 'ln -s "$CLONE/docs" docs',
    untilStopped: { 'SERVICE_STORAGE_SHARDS=8': [':', '7007'] },
    before: { 'lore doctor --verify': SPOILED },
    ends: { 'lore doctor --verify': 1 },
  },
  'docs/sync.md': {
    start: `mkdir $NEW_HOME/repo && cp -a .git $NEW_HOME/repo/ && ssh new-machine 'cd repo && systemctl --user start lore'
lore save 'The spare key is with Ana'`,
    instead: { 'https://lore.example.com': 'http://127.0.0.1:7007', '/mnt/usb/': '~/usb/' },
    before: {
      'lore pull https://lore.example.com\n': `lore save 'Deploys go out on Tuesdays'; lore save 'Deploys need a review'; lore push http://127.0.0.1:7007 &&
IDS=($(lore list --json | jq -r '.entries[].id')) &&
${FAR} save 'Invoices are due in thirty days' && lore relate \${IDS[0]} similar \${IDS[1]} && lore relate \${IDS[0]} references \${IDS[1]} && lore forget --yes \${IDS[2]}" &&
command curl -s -X PATCH localhost:7007/api/\${IDS[0]} -H 'content-type: application/json' -d '{"content": "Deploys need two reviews"}' &&
EDITOR='sed -i s/Tuesdays/Mondays/' lore edit \${IDS[1]}`,
    },
  },
};
