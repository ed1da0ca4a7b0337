import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { opencode } from './opencode.ts';
import type { Target, TargetName } from './target.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';

/** Every client by its name on the command line. */
export const TARGETS = { claude, cursor, windsurf, opencode, vscode, codex } as const satisfies Record<TargetName, Target>;
