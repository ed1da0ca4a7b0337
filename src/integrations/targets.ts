import { claudeDesktop } from './claude-desktop.ts';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueDev } from './continue.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { Target, TargetName } from './target.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

/** Every client by its name on the command line. */
export const TARGETS = {
  claude,
  cursor,
  windsurf,
  opencode,
  vscode,
  codex,
  gemini,
  copilot,
  zed,
  cline,
  continue: continueDev,
  'claude-desktop': claudeDesktop,
} as const satisfies Record<TargetName, Target>;
