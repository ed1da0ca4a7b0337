import { contextTool } from './context-tool.ts';
import { getTool, healthTool, listTool, searchTool } from './former-tools.ts';
import { recallTool } from './recall-tool.ts';
import { forgetTool, relateTool, saveTool, updateTool } from './writing-tools.ts';

/** What a client is told of, in this order, and what is answered besides. */
export const TOOLS = {
  listed: [contextTool, recallTool, saveTool, updateTool, forgetTool, relateTool],
  former: [searchTool, listTool, getTool, healthTool],
} as const;
