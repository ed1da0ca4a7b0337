import { contextTool } from './context-tool.ts';
import { getTool, healthTool, listTool, searchTool } from './legacy-tools.ts';
import { recallTool } from './recall-tool.ts';
import { forgetTool, relateTool, saveTool, updateTool } from './writing-tools.ts';

/** The listed tools, in order, and the unlisted ones. */
export const TOOLS = {
  listed: [contextTool, recallTool, saveTool, updateTool, forgetTool, relateTool],
  legacy: [searchTool, listTool, getTool, healthTool],
} as const;
